import { createServer, type Server } from '@parley/mcp/server'
import { expect, test } from 'vitest'
import { z } from 'zod'

import { serverRequestsIn } from '../../src/wire/input-methods.ts'
import { codecOf } from '../../src/wire/revisions.ts'
import { createEverything } from '../support/everything.ts'
import { describeEntries } from '../support/http-endpoint.ts'
import { everyChannel, httpChannels } from '../support/matrix.ts'
import { describeStandalone } from '../support/modern-client.ts'
import { openStandaloneEndpoint } from '../support/modern-http.ts'
import type { Raw } from '../support/raw-channel.ts'

const able = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} }
const own = new Set(['notifications/progress', 'notifications/message'])

function createTalking(): Server {
  const server = createServer({ name: 'talks', version: '1' })
  server.tool(
    'talk',
    { inputSchema: z.object({ name: z.string() }) },
    async ({ name }, context) => {
      for (let step = 1; step <= 3; step += 1) {
        await context.progress({ progress: step, message: name })
        context.log('info', name)
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
      return name
    },
  )
  return server
}

describeStandalone(
  'a server',
  ({ open }) => {
    test('sends no requests, whatever its handlers do [N07-DIR-01, N07-STDIO-01, N07-STDIO-07, N07-ELI-01, N07-ROOT-01]', async () => {
      const client = await open(createEverything())
      const meta = { progressToken: 1, 'io.modelcontextprotocol/logLevel': 'debug' }

      for (const name of ['ask', 'think', 'look', 'hang', 'work', 'fail', 'blocks']) {
        const { result } = await client.request(
          'tools/call',
          { name },
          { capabilities: able, meta },
        )
        expect(result).toBeDefined()
      }
      await client.request('prompts/get', { name: 'review', arguments: { code: 'x' } })
      await client.request('resources/read', { uri: 'notes://7' })
      await client.quiet()

      const sent = client.received.filter(({ method }) => method !== undefined)
      expect(sent.filter(({ id }) => id !== undefined)).toEqual([])
      expect(sent.filter(({ method = '' }) => !own.has(method))).toEqual([])
      expect(sent).not.toEqual([])
    })

    test('sends progress and logs before the response, in order [N07-DIR-03, N07-DIR-04, N07-PROG-03]', async () => {
      const client = await open(createTalking())
      const meta = { progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'info' }

      await client.request(
        'tools/call',
        { name: 'talk', arguments: { name: 'a' } },
        { id: 'A', meta },
      )
      await client.quiet()

      expect(client.received.map(nameOf)).toEqual([
        'progress 1',
        'message a',
        'progress 2',
        'message a',
        'progress 3',
        'message a',
        'A',
      ])
    })

    test('ignores responses: it asked nothing [N07-DIR-02, N07-STDIO-02]', async () => {
      const client = await open(createTalking(), { revisions: ['2026-07-28'] })

      client.send({ jsonrpc: '2.0', id: 1, result: {} })
      client.send({ jsonrpc: '2.0', id: 'none', error: { code: 1, message: 'no' } })

      expect((await client.request('tools/list')).result).toMatchObject({ tools: [{}] })
      expect(client.received.every(({ id, error }) => id === 'raw-1' || error !== undefined)).toBe(
        true,
      )
    })

    test('ignores notifications that are no more, and progress of a client [N07-DIR-05, N07-PROG-01]', async () => {
      const client = await open(createTalking(), { revisions: ['2026-07-28'] })

      for (const method of [
        'notifications/initialized',
        'notifications/roots/list_changed',
        'notifications/progress',
        'notifications/tasks/status',
        'notifications/elicitation/complete',
      ]) {
        client.notify(method, { progressToken: 1, progress: 1 })
      }

      expect((await client.request('tools/list')).result).toMatchObject({ tools: [{}] })
      expect(client.received.filter(({ id }) => id !== undefined)).toHaveLength(1)
    })
  },
  [...everyChannel, ...httpChannels],
)

function nameOf({ id, method, params }: Raw): string {
  if (method === undefined) return String(id)
  const what = method.replace('notifications/', '')
  return `${what} ${String(params?.['progress'] ?? params?.['data'])}`
}

test('the revision knows no request of a server [N07-DIR-01]', () => {
  expect([...serverRequestsIn(codecOf('2026-07-28'))]).toEqual([])
})

describeEntries('messages over HTTP', (entry) => {
  test('of parallel calls do not cross [N07-DIR-04]', async () => {
    await using endpoint = await openStandaloneEndpoint(entry, createTalking())
    const names = Array.from({ length: 20 }, (_, index) => `call-${index}`)

    const answers = await Promise.all(
      names.map((name) => {
        const meta = { progressToken: name, 'io.modelcontextprotocol/logLevel': 'info' }
        return endpoint.ask2026(
          'tools/call',
          { name: 'talk', arguments: { name } },
          { id: name, meta },
        )
      }),
    )

    for (const [index, { before, id, result }] of answers.entries()) {
      const name = names[index]
      expect(id).toBe(name)
      expect(result).toMatchObject({ content: [{ text: name }] })
      expect(before).toHaveLength(6)
      for (const { params } of before) {
        expect(params?.['progressToken'] ?? params?.['data']).toBe(name)
      }
    }
  })

  test('a response is refused [N07-DIR-02]', async () => {
    await using endpoint = await openStandaloneEndpoint(entry, createTalking())
    const headers = { 'mcp-protocol-version': '2026-07-28' }

    for (const message of [
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'no' } },
    ]) {
      const response = await endpoint.post(message, { headers })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: { code: -32600 } })
    }
  })
})
