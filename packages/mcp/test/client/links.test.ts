import { isRpcError, RpcError } from '@parley/mcp'
import type { Client, ConnectOptions } from '@parley/mcp/client'
import { createServer, type Server } from '@parley/mcp/server'
import { createVirtualClock } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { describeMatrix, describeServer } from '../support/matrix.ts'
import type { RawServer } from '../support/raw-server.ts'

const link = {
  mode: 'url',
  message: 'Link',
  url: 'https://srv.test/link',
  elicitationId: 'e1',
} as const
const other = { ...link, url: 'https://srv.test/other', elicitationId: 'e2' }
const blocked = { code: -32042, message: 'Link first', data: { elicitations: [link, other] } }
const done = { content: [{ type: 'text', text: 'done' }] }
const only = { revisions: ['2025-11-25'] }

describeMatrix(
  'a call that is blocked until links are opened',
  ({ rawServer }) => {
    test('fails with a typed error that lists them, and asks nobody [N11-URL-09, N11-T-01, N11-T-04]', async () => {
      const asked: unknown[] = []
      const { server, client } = await open({ asked })

      const calling = client.callTool('read').catch((error: unknown) => error)
      await server.reject('tools/call', blocked)
      const error = await calling

      expect(isRpcError(error, 'url_elicitation_required')).toBe(true)
      expect(error).toMatchObject({ wireCode: -32042, data: { elicitations: [link, other] } })
      expect(asked).toEqual([])
      await client.close()
    })

    test('is sent again when the user accepted and the server says that all is done [N11-URL-07]', async () => {
      const asked: unknown[] = []
      const { server, client } = await open({ asked })

      const calling = client.callTool('read', { id: 7 }, { retryAfterUrl: true })
      await server.reject('tools/call', blocked)
      await waitFor(asked, 2)
      complete(server, 'e2')
      complete(server, 'e2')
      complete(server, 'unknown')
      await answered(server, client)
      expect(calls(server)).toHaveLength(1)
      complete(server, 'e1')
      await server.answer('tools/call', done)

      expect(await calling).toEqual(done)
      expect(calls(server).map(({ params }) => params?.['arguments'])).toEqual([
        { id: 7 },
        { id: 7 },
      ])
      expect(asked).toEqual([
        [link, { operation: 'tools/call', name: 'read', server: 'raw-server' }],
        [other, { operation: 'tools/call', name: 'read', server: 'raw-server' }],
      ])
      await client.close()
    })

    test('is sent again once, not for ever [N11-URL-07]', async () => {
      const { server, client } = await open({ asked: [] })

      const until = Promise.resolve()
      const calling = client.readResource('mail://inbox', { retryAfterUrl: { until } })
      const failing = expect(calling).rejects.toMatchObject({ code: 'url_elicitation_required' })
      await server.reject('resources/read', blocked)
      await server.reject('resources/read', blocked)

      await failing
      await client.close()
    })

    test('goes on when the caller says so, if no notice comes [N11-URL-08]', async () => {
      const asked: unknown[] = []
      const { server, client } = await open({ asked })
      let resume: (() => void) | undefined
      const until = new Promise<void>((resolve) => (resume = resolve))

      const calling = client.callTool('read', {}, { retryAfterUrl: { until } })
      await server.reject('tools/call', blocked)
      await waitFor(asked, 2)
      await answered(server, client)
      expect(calls(server)).toHaveLength(1)
      resume?.()
      await server.answer('tools/call', done)

      expect(await calling).toEqual(done)
      await client.close()
    })

    test('ends with its signal, with the time for people, and with the client [N11-URL-08]', async () => {
      const clock = createVirtualClock()
      const asked: unknown[] = []
      const { server, client } = await open({ asked, clock, timeouts: { inputMs: 1_000 } })
      const controller = new AbortController()
      const options = { retryAfterUrl: true, signal: controller.signal }

      const aborted = client.callTool('read', {}, options).catch((error: unknown) => error)
      await server.reject('tools/call', blocked)
      await waitFor(asked, 2)
      const reason = new Error('never mind')
      controller.abort(reason)
      expect(await aborted).toBe(reason)

      const late = client.callTool('read', {}, { retryAfterUrl: true }).catch((e: unknown) => e)
      await server.reject('tools/call', blocked)
      await waitFor(asked, 4)
      await clock.advance(1_000)
      expect(await late).toMatchObject({ code: 'timeout', details: { limit: 'input', ms: 1_000 } })

      const closed = client.callTool('read', {}, { retryAfterUrl: true }).catch((e: unknown) => e)
      await server.reject('tools/call', blocked)
      await waitFor(asked, 6)
      await client.close()
      expect(await closed).toMatchObject({ code: 'closed' })
    })

    test.each([
      ['the user declines', { elicit: () => ({ action: 'decline' as const }) }],
      ['nobody can be asked', {}],
      [
        'links cannot be shown',
        { elicit: () => ({ action: 'accept' as const }), elicitModes: ['form' as const] },
      ],
    ])('fails as it did when %s', async (_, handlers) => {
      const server = rawServer(handlers)
      const client = await server.accept()

      const calling = client.callTool('read', {}, { retryAfterUrl: true })
      const failing = expect(calling).rejects.toMatchObject({ code: 'url_elicitation_required' })
      await server.reject('tools/call', blocked)

      await failing
      await client.close()
    })

    test.each([
      ['no links', undefined, 'url_elicitation_required'],
      ['none in its list', { elicitations: [] }, 'url_elicitation_required'],
      ['a form', { elicitations: [{ ...link, mode: 'form' }] }, 'invalid_message'],
      [
        'links without ids',
        { elicitations: [{ ...link, elicitationId: undefined }] },
        'invalid_message',
      ],
    ])('fails where the error has %s [N11-URL-10]', async (_, data, code) => {
      const { server, client } = await open({ asked: [] })

      const calling = client.callTool('read', {}, { retryAfterUrl: true })
      const failing = expect(calling).rejects.toMatchObject({ code })
      await server.reject('tools/call', JSON.parse(JSON.stringify({ ...blocked, data })) as object)

      await failing
      await client.close()
    })

    test('is told of links once each, and of none it does not know [N11-URL-06]', async () => {
      const completed: string[] = []
      const server = rawServer({
        elicit: () => ({ action: 'accept' }),
        onElicitationComplete: (id) => completed.push(id),
      })
      const client = await server.accept()

      complete(server, 'e1')
      server.send({ jsonrpc: '2.0', id: 1, method: 'elicitation/create', params: link })
      await server.next(({ id, method }) => id === 1 && method === undefined)
      server.send({ jsonrpc: '2.0', method: 'notifications/elicitation/complete', params: {} })
      complete(server, 'e1')
      complete(server, 'e1')
      await answered(server, client)

      expect(completed).toEqual(['e1'])
      await client.close()
    })

    async function open({
      asked,
      ...options
    }: ConnectOptions & { asked: unknown[] }): Promise<{ server: RawServer; client: Client }> {
      const server = rawServer({
        ...options,
        elicit: (inputRequest, { operation, name, server: by }) => {
          asked.push([inputRequest, { operation, name, server: by?.name }])
          return { action: 'accept' }
        },
      })
      return { server, client: await server.accept() }
    }
  },
  only,
)

describeServer(
  'a call that is blocked, between our client and our server',
  ({ connect }) => {
    test('goes on when the user has been there [N11-URL-04, N11-URL-07, N11-URL-09]', async () => {
      const visits: (() => void)[] = []
      const completed: string[] = []
      await using client = await connect(mailbox(visits), {
        elicit: (inputRequest) => {
          if (inputRequest.mode === 'url') visits.shift()?.()
          return { action: 'accept' }
        },
        onElicitationComplete: (id) => completed.push(id),
      })

      const result = await client.callTool('read', {}, { retryAfterUrl: true })

      expect(result).toEqual(done)
      expect(completed).toHaveLength(1)
    })
  },
  only,
)

/** Reading works once its link has been visited; the visit takes a moment. */
function mailbox(visits: (() => void)[]): Server {
  let isLinked = false
  const server = createServer({ name: 'mail', version: '1.0.0' })
  server.tool('read', {}, (_, { completeElicitation }) => {
    if (isLinked) return 'done'
    const elicitationId = crypto.randomUUID()
    visits.push(() => {
      setTimeout(() => {
        isLinked = true
        completeElicitation(elicitationId)
      }, 5)
    })
    const elicitations = [{ ...link, elicitationId }]
    throw new RpcError('url_elicitation_required', 'Link first', { data: { elicitations } })
  })
  return server
}

function complete(server: RawServer, elicitationId: string): void {
  const method = 'notifications/elicitation/complete'
  server.send({ jsonrpc: '2.0', method, params: { elicitationId } })
}

function calls({ received }: RawServer) {
  return received.filter(({ method }) => method === 'tools/call')
}

/** Everything sent before has been read when a later question is answered. */
async function answered(server: RawServer, client: Client): Promise<void> {
  const pinging = client.ping()
  await server.answer('ping', {})
  await pinging
}

async function waitFor(list: readonly unknown[], length: number): Promise<void> {
  while (list.length < length) await new Promise((resolve) => setImmediate(resolve))
}
