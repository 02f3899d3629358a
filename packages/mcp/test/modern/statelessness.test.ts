import { createServer, type Server } from '@parley/mcp/server'
import { testAuth } from '@parley/mcp/testing'
import { describe, expect, test } from 'vitest'

import { describeEntries } from '../support/http-endpoint.ts'
import { describeStandalone, envelope } from '../support/modern-client.ts'
import { openStandaloneEndpoint } from '../support/modern-http.ts'
import { as, nameGuard } from '../support/name-guard.ts'

const secret = 'a secret that two share'
const inputRequest = {
  message: 'Sure?',
  requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } } },
} as const

function createClientInput(): Server {
  const server = createServer({ name: 'asks', version: '1' })
  server.tool('ask', {}, async (_, context) => (await context.elicit(inputRequest)).action)
  server.tool('who', {}, (_, { client }) =>
    JSON.stringify([client.info?.name, client.capabilities]),
  )
  server.tool('grow', {}, () => 'grown')
  return server
}

describeStandalone('a request is known by what it says itself', ({ open }) => {
  test('capabilities of an earlier request do not count for a later one [N07-STATE-01, N07-ENV-05]', async () => {
    const client = await open(createClientInput())
    const able = { capabilities: { elicitation: {} } }

    const first = await client.request('tools/call', { name: 'ask' }, able)
    expect(first.result).toMatchObject({ resultType: 'input_required' })

    const second = await client.request('tools/call', { name: 'ask' })
    expect(second.error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: {} } },
    })
  })

  test('nor does an identity [N07-STATE-01]', async () => {
    const client = await open(createClientInput())
    const named = { 'io.modelcontextprotocol/clientInfo': { name: 'one', version: '1' } }
    const unnamed = { 'io.modelcontextprotocol/clientInfo': undefined }

    await client.request('tools/call', { name: 'who' }, { meta: named })
    const { result } = await client.request('tools/call', { name: 'who' }, { meta: unnamed })

    expect(result).toMatchObject({ content: [{ text: '[null,{}]' }] })
  })

  test('lists are the same before and after a call [N07-STATE-05]', async () => {
    const client = await open(createClientInput())
    const before = await client.request('tools/list')

    await client.request('tools/call', { name: 'grow' })
    const after = await client.request('tools/list')

    expect(after.result).toEqual(before.result)
  })

  test('an id may come again once it has been answered [N07-STATE-07]', async () => {
    const client = await open(createClientInput())

    const first = await client.request('tools/list', {}, { id: 'same' })
    const second = await client.request('tools/list', {}, { id: 'same' })

    expect(second).toEqual(first)
  })

  test('who the client says it is changes nothing [N07-STATE-08, N07-ENV-04]', async () => {
    const client = await open(createClientInput())
    const infos = [undefined, { name: 'admin', version: '99' }, { name: '', version: '' }]

    const results = []
    for (const info of infos) {
      const meta = { 'io.modelcontextprotocol/clientInfo': info }
      const list = await client.request('tools/list', {}, { meta })
      const call = await client.request('tools/call', { name: 'grow' }, { meta })
      results.push({ list: list.result, call: call.result })
    }

    expect(results[0]?.call).toMatchObject({ content: [{ text: 'grown' }] })
    expect(results[1]).toEqual(results[0])
    expect(results[2]).toEqual(results[0])
  })
})

describe('one channel', () => {
  describeStandalone(
    'an id that is still in use',
    ({ open }) => {
      test('is refused without taking the answer of the first [N07-STATE-07]', async () => {
        const server = createServer({ name: 'slow', version: '1' })
        let finish: () => void = () => undefined
        const finished = new Promise<void>((resolve) => (finish = resolve))
        server.tool('wait', {}, async () => {
          await finished
          return 'done'
        })
        const client = await open(server)

        const first = client.request('tools/call', { name: 'wait' }, { id: 7 })
        client.send({ jsonrpc: '2.0', id: 7, method: 'tools/list', params: { _meta: envelope() } })
        const rejection = await client.next(({ error }) => error !== undefined)
        finish()

        expect(rejection).toMatchObject({ error: { code: -32600 } })
        expect(rejection).not.toHaveProperty('id')
        expect((await first).result).toMatchObject({ content: [{ text: 'done' }] })
      })
    },
    ['memory', 'text', 'stdio'],
  )
})

describeEntries('one URL', (entry) => {
  test('is the same for all connections: lists, and ids that two callers share [N07-STATE-03, N07-STATE-05]', async () => {
    await using endpoint = await openStandaloneEndpoint(entry, createClientInput())

    const answers = await Promise.all(
      Array.from({ length: 5 }, () => endpoint.ask2026('tools/list', {}, { id: 1 })),
    )

    expect(answers[0]?.result).toMatchObject({ tools: [{}, {}, {}] })
    for (const { result } of answers) expect(result).toEqual(answers[0]?.result)
  })

  test('lists may differ by who asks [N07-STATE-06]', async () => {
    const server = createServer({ name: 'shops', version: '1' })
    server.tool('all', {}, () => 'all')
    server.tool('mine', { visible: ({ auth }) => auth?.subject === 'ada' }, () => 'mine')
    await using endpoint = await openStandaloneEndpoint(entry, server, { auth: nameGuard })

    const ada = await endpoint.ask2026('tools/list', {}, { headers: as('ada') })
    const bob = await endpoint.ask2026('tools/list', {}, { headers: as('bob') })

    expect(ada.result).toMatchObject({ tools: [{ name: 'all' }, { name: 'mine' }] })
    expect(bob.result?.['tools']).toHaveLength(1)
  })

  test('a round begun by one connection is finished by another, at another service [N07-STATE-02, N07-STATE-03]', async () => {
    const server = createClientInput()
    await using first = await openStandaloneEndpoint(entry, server, { secret })
    await using second = await openStandaloneEndpoint(entry, createClientInput(), { secret })
    const able = { capabilities: { elicitation: {} } }

    const asked = await first.ask2026('tools/call', { name: 'ask' }, able)
    const { requestState, inputRequests } = asked.result as {
      requestState: string
      inputRequests: object
    }
    const [key = ''] = Object.keys(inputRequests)
    const answer = { requestState, inputResponses: { [key]: { action: 'decline' } } }
    const done = await second.ask2026('tools/call', { name: 'ask', ...answer }, able)

    expect(done.result).toMatchObject({ content: [{ text: 'decline' }] })
  })
})

test('a guard says who calls, and the request says nothing about it [N07-STATE-08]', async () => {
  const server = createServer({ name: 'knows', version: '1' })
  server.tool('who', {}, (_, { auth }) => auth?.subject ?? 'nobody')
  const guard = {
    authenticate: async () => ({ kind: 'allow', auth: testAuth({ subject: 'ada' }) }) as const,
  }
  await using endpoint = await openStandaloneEndpoint('fetch', server, { auth: guard })

  const meta = { 'io.modelcontextprotocol/clientInfo': { name: 'bob', version: '1' } }
  const { result } = await endpoint.ask2026('tools/call', { name: 'who' }, { meta })

  expect(result).toMatchObject({ content: [{ text: 'ada' }] })
})
