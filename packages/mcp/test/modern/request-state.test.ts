import { createMcpHandler } from '@parley/mcp/http'
import { createServer, inputRequired, type Server } from '@parley/mcp/server'
import { testAuth } from '@parley/mcp/testing'
import * as fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'

import { tries } from '../../../../test-support/thorough.ts'
import { createSingleUseSet } from '../../src/server/input/request-state.ts'
import { describeEntries } from '../support/http-endpoint.ts'
import { describeStandalone } from '../support/modern-client.ts'
import { openStandaloneEndpoint } from '../support/modern-http.ts'
import { as, nameGuard } from '../support/name-guard.ts'
import { accept, resolveAll, driveRounds, roundOf } from '../support/rounds-driver.ts'

const capabilities = { elicitation: { form: {} } }
const text = z.object({ text: z.string() })
const rejected = { code: -32602, message: expect.stringContaining('call again') as string }

function createClientInput(ran: (what: string) => void = () => undefined): Server {
  const server = createServer({ name: 'asks', version: '1', onError: () => undefined })
  const ask = { message: 'Text?', requestedSchema: text }
  const inputSchema = z.object({ amount: z.number().optional() })
  server.tool('pay', { inputSchema }, async (_, context) => {
    ran('pay')
    const first = await context.elicit(ask)
    const second = await context.elicit(ask)
    ran('paid')
    return JSON.stringify([first, second])
  })
  server.tool('other', { inputSchema }, async (_, context) => {
    ran('other')
    return JSON.stringify([await context.elicit(ask), await context.elicit(ask)])
  })
  server.tool('once', { inputSchema, singleUse: true }, async (_, context) => {
    ran('once')
    const answers = [await context.elicit(ask), await context.elicit(ask)]
    ran('done')
    return JSON.stringify(answers)
  })
  server.tool('returns', { inputSchema, singleUse: true }, (_, { inputResponse }) => {
    const pin = inputRequired.elicit(ask)
    if (inputResponse('other', pin)) ran('other')
    if (!inputResponse('pin', pin)) return inputRequired({ inputRequests: { pin } })
    ran('done')
    return 'paid'
  })
  server.prompt('pay', {}, async (_, context) => JSON.stringify(await context.elicit(ask)))
  return server
}

const secretOf = (name: string) => `${name}: a secret made by chance`
const yes = () => accept({ text: 'yes' })

afterEach(() => {
  vi.useRealTimers()
})

describeStandalone('a state', ({ open }) => {
  test('that was changed in any place is refused, before anything runs [N07-MRTR-10]', async () => {
    const ran = vi.fn()
    const client = await open(createClientInput(ran))
    const call = (more: object) =>
      client.request('tools/call', { name: 'pay', ...more }, { capabilities })
    const round = roundOf(await call({}))
    const { requestState, inputResponses } = resolveAll(round, yes)
    ran.mockClear()

    await fc.assert(
      fc.asyncProperty(
        fc.nat(requestState.length - 1),
        fc.constantFrom('A', 'Z', 'a', 'z', '0', '9', '-', '_', '.', '='),
        async (at, character) => {
          fc.pre(requestState[at] !== character)
          const changed = `${requestState.slice(0, at)}${character}${requestState.slice(at + 1)}`
          const { error } = await call({ requestState: changed, inputResponses })
          expect(error).toMatchObject(rejected)
        },
      ),
      { numRuns: tries(40) },
    )
    const parts = requestState.split('.')
    for (const wrong of [
      '',
      'x',
      parts.toReversed().join('.'),
      parts.slice(0, 2).join('.'),
      `${requestState}.`,
      `${requestState}A`,
      requestState.slice(0, -1),
      requestState.toUpperCase(),
      ` ${requestState}`,
    ]) {
      const { error } = await call({ requestState: wrong, inputResponses })
      expect(error).toMatchObject(rejected)
    }
    expect(ran).not.toHaveBeenCalled()
    expect(roundOf(await call({ requestState, inputResponses })).requestState).not.toBe(
      requestState,
    )
  })

  test('is no text is refused [N07-MRTR-10]', async () => {
    const client = await open(createClientInput())

    for (const wrong of [
      { requestState: 7 },
      { requestState: null },
      { inputResponses: [] },
      { inputResponses: { a: 1 } },
    ]) {
      const { error } = await client.request(
        'tools/call',
        { name: 'pay', ...wrong },
        { capabilities },
      )
      expect(error).toMatchObject({ code: -32602 })
    }
  })

  test('shows nothing of what is in it [N07-MRTR-10]', async () => {
    const server = createServer({ name: 'asks', version: '1' })
    server.tool('secret', {}, async (_, context) => {
      await context.once('key', () => 'hunter2')
      return (await context.elicit({ message: 'Text?', requestedSchema: text })).action
    })
    const client = await open(server)

    const { requestState } = roundOf(
      await client.request('tools/call', { name: 'secret' }, { capabilities }),
    )
    const again = roundOf(await client.request('tools/call', { name: 'secret' }, { capabilities }))

    const bytes = Buffer.from(requestState.split('.')[2] ?? '', 'base64url').toString('latin1')
    expect(requestState + bytes).not.toContain('hunter2')
    expect(bytes).not.toContain('question')
    expect(again.requestState).not.toBe(requestState)
  })

  test('is good for its own method and params only [N07-MRTR-11]', async () => {
    const client = await open(createClientInput())
    const params = { name: 'pay', arguments: { amount: 1 } }
    const { requestState, inputResponses } = resolveAll(
      roundOf(await client.request('tools/call', params, { capabilities })),
      yes,
    )

    for (const [method, other] of [
      ['tools/call', { name: 'pay', arguments: { amount: 2 } }],
      ['tools/call', { name: 'pay', arguments: {} }],
      ['tools/call', { name: 'pay' }],
      ['tools/call', { name: 'other', arguments: { amount: 1 } }],
      ['prompts/get', { name: 'pay' }],
    ] as const) {
      const wrong = { ...other, requestState, inputResponses }
      expect((await client.request(method, wrong, { capabilities })).error).toMatchObject(rejected)
    }
    const right = { arguments: { amount: 1 }, inputResponses, requestState, name: 'pay' }
    expect((await client.request('tools/call', right, { capabilities })).error).toBeUndefined()
  })

  test('is good for a time only [N07-MRTR-11]', async () => {
    const client = await open(createClientInput(), { limits: { inputMs: 60_000 } })
    const call = (more: object) =>
      client.request('tools/call', { name: 'pay', ...more }, { capabilities })
    vi.useFakeTimers({ toFake: ['Date'] })
    const again = resolveAll(roundOf(await call({})), yes)

    vi.setSystemTime(Date.now() + 59_999)
    const inTime = await call(again)
    vi.setSystemTime(Date.now() + 1)
    const late = await call(again)

    expect(roundOf(inTime).inputRequests).toBeDefined()
    expect(late.error).toMatchObject(rejected)
  })

  test('may be used again, unless the tool is for single use [N07-MRTR-12]', async () => {
    const ran = vi.fn()
    const client = await open(createClientInput(ran))
    const call = (name: string, more: object) =>
      client.request('tools/call', { name, ...more }, { capabilities })

    const first = resolveAll(roundOf(await call('pay', {})), yes)
    roundOf(await call('pay', first))
    roundOf(await call('pay', first))

    const one = resolveAll(roundOf(await call('once', {})), yes)
    const two = resolveAll(roundOf(await call('once', one)), yes)
    expect((await call('once', one)).error).toMatchObject(rejected)
    expect((await call('once', two)).result).toMatchObject({ resultType: 'complete' })
    expect((await call('once', two)).error).toMatchObject(rejected)
    // In another order than they were given: neither goes back.
    expect((await call('once', one)).error).toMatchObject(rejected)
    expect(ran.mock.calls.filter(([what]) => what === 'done')).toHaveLength(1)
  })

  test('that is left out takes the answers with it, and answers nobody asked for are none [N07-MRTR-12, N07-MRTR-14]', async () => {
    const ran = vi.fn()
    const client = await open(createClientInput(ran))
    const call = (more: object) =>
      client.request('tools/call', { name: 'returns', ...more }, { capabilities })
    const inputResponses = { pin: yes(), other: yes() }

    const { requestState } = roundOf(await call({ inputResponses }))
    const paid = await call({ inputResponses, requestState })

    expect(paid.result).toMatchObject({ content: [{ text: 'paid' }] })
    expect((await call({ inputResponses, requestState })).error).toMatchObject(rejected)
    expect(roundOf(await call({ inputResponses })).inputRequests).toHaveProperty('pin')
    expect(ran.mock.calls).toEqual([['done']])
  })

  test('grows no larger than it may [N07-MRTR-16]', async () => {
    const server = createServer({ name: 'keeps', version: '1', onError: () => undefined })
    server.tool(
      'keep',
      { inputSchema: z.object({ bytes: z.number() }) },
      async ({ bytes }, context) => {
        await context.once('much', () => 'x'.repeat(bytes))
        return (await context.elicit({ message: 'Text?', requestedSchema: text })).action
      },
    )
    const client = await open(server, { limits: { stateBytes: 2_000 } })
    const call = (bytes: number) =>
      client.request('tools/call', { name: 'keep', arguments: { bytes } }, { capabilities })

    expect(roundOf(await call(500)).requestState.length).toBeLessThanOrEqual(2_000)
    expect((await call(2_000)).error).toMatchObject({
      code: 413,
      data: { reason: 'limit_exceeded', limit: 'stateBytes', allowed: 2_000 },
    })
  })

  test('goes no more rounds than it may, however little the client says [N07-MRTR-16]', async () => {
    const client = await open(createClientInput(), { limits: { rounds: 3 } })
    const answer = () => undefined

    const { last, rounds } = await driveRounds(
      client,
      'tools/call',
      { name: 'pay' },
      { capabilities, answer },
    )

    expect(rounds).toHaveLength(3)
    expect(last.error).toMatchObject({ code: 413, data: { limit: 'rounds', allowed: 3 } })
  })
})

describeEntries('states over HTTP', (entry) => {
  test('belong to who was given them [N07-MRTR-11]', async () => {
    await using endpoint = await openStandaloneEndpoint(entry, createClientInput(), {
      auth: nameGuard,
    })
    const call = (who: string, more: object) =>
      endpoint.ask2026('tools/call', { name: 'pay', ...more }, { capabilities, headers: as(who) })

    const again = resolveAll(roundOf(await call('ada', {})), yes)

    expect((await call('bob', again)).error).toMatchObject(rejected)
    expect(roundOf(await call('ada', again)).inputRequests).toBeDefined()
  })

  test('are opened by every service with the secret, and by no other [N07-STATE-02, N07-MRTR-10]', async () => {
    const open = (secret?: string | readonly string[]) =>
      openStandaloneEndpoint(entry, createClientInput(), secret === undefined ? {} : { secret })
    await using one = await open(secretOf('new'))
    await using same = await open(secretOf('new'))
    await using rotated = await open([secretOf('newer'), secretOf('new')])
    await using other = await open(secretOf('other'))
    await using unnamed = await open()
    const call = (at: typeof one, more: object) =>
      at.ask2026('tools/call', { name: 'pay', ...more }, { capabilities })

    const again = resolveAll(roundOf(await call(one, {})), yes)

    const byRotated = resolveAll(roundOf(await call(rotated, again)), yes)
    expect(roundOf(await call(same, again)).inputRequests).toBeDefined()
    expect((await call(other, again)).error).toMatchObject(rejected)
    expect((await call(unnamed, again)).error).toMatchObject(rejected)
    // The first secret seals: who has only the old one cannot go on with it.
    expect((await call(one, byRotated)).error).toMatchObject(rejected)
    expect((await call(rotated, byRotated)).result).toMatchObject({ resultType: 'complete' })
  })

  test('of another server with the same secret, and a tool of the same name, are refused [N07-MRTR-11]', async () => {
    const secret = secretOf('shared')
    const another = createServer({ name: 'another', version: '1' })
    another.tool('pay', { inputSchema: z.object({}) }, () => 'paid')
    await using one = await openStandaloneEndpoint(entry, createClientInput(), { secret })
    await using other = await openStandaloneEndpoint(entry, another, { secret })
    const call = (at: typeof one, more: object) =>
      at.ask2026('tools/call', { name: 'pay', ...more }, { capabilities })

    const again = resolveAll(roundOf(await call(one, {})), yes)

    expect((await call(other, again)).error).toMatchObject(rejected)
  })

  test('for single use are used once at all services of a server, with a secret too [N07-MRTR-12]', async () => {
    const server = createClientInput()
    for (const options of [{}, { secret: secretOf('one') }]) {
      await using one = await openStandaloneEndpoint(entry, server, options)
      await using two = await openStandaloneEndpoint(entry, server, options)
      const call = (at: typeof one, more: object) =>
        at.ask2026('tools/call', { name: 'once', ...more }, { capabilities })

      const again = resolveAll(roundOf(await call(one, {})), yes)
      roundOf(await call(two, again))

      expect((await call(one, again)).error).toMatchObject(rejected)
    }
  })

  test('without a secret are opened wherever the same server is served [N07-STATE-03]', async () => {
    const server = createClientInput()
    await using one = await openStandaloneEndpoint(entry, server)
    await using two = await openStandaloneEndpoint(entry, server)
    const call = (at: typeof one, more: object) =>
      at.ask2026('tools/call', { name: 'pay', ...more }, { capabilities })

    const again = resolveAll(roundOf(await call(one, {})), yes)

    expect(roundOf(await call(two, again)).inputRequests).toBeDefined()
  })
})

test('who was verified is not who was not [N07-MRTR-11]', async () => {
  const server = createClientInput()
  await using open = await openStandaloneEndpoint('fetch', server)
  const auth = testAuth({ subject: '' })
  const guard = { authenticate: async () => ({ kind: 'allow', auth }) as const }
  await using guarded = await openStandaloneEndpoint('fetch', server, { auth: guard })

  const first = await open.ask2026('tools/call', { name: 'pay' }, { capabilities })
  const again = { name: 'pay', ...resolveAll(roundOf(first), yes) }

  expect((await guarded.ask2026('tools/call', again, { capabilities })).error).toMatchObject(
    rejected,
  )
})

test.each(['', 'short', [], ['long enough, as it seems', 'short']])(
  'a secret that can be guessed is refused: %j [N07-MRTR-10]',
  (secret) => {
    const rejection = expect.objectContaining({ code: 'invalid_definition' }) as Error

    expect(() => createMcpHandler(createClientInput(), { secret })).toThrow(rejection)
  },
)

describe('the memory of what was used [N07-MRTR-12]', () => {
  test('forgets what could not be used any more, and takes no more than it can hold', async () => {
    let now = 0
    const used = createSingleUseSet(() => now)

    expect(await used.add('a', 10)).toBe(true)
    expect(await used.add('a', 10)).toBe(false)
    now = 10
    expect(await used.add('a', 10)).toBe(true)
    for (let index = 1; index < 100_000; index += 1) await used.add(`key ${index}`, 10)
    await expect(used.add('one more', 10)).rejects.toMatchObject({ code: 'overloaded' })
    now = 20
    expect(await used.add('one more', 10)).toBe(true)
  })
})
