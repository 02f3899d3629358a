import { type JsonObject, RpcError, supportedRevisions } from '@parley/mcp'
import { createServer } from '@parley/mcp/server'
import { createVirtualClock } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { resolveServerLimits } from '../../src/rpc/limits.ts'
import type { Message, Request } from '../../src/rpc/message.ts'
import { createPendingRequests } from '../../src/rpc/pending-requests.ts'
import type { RequestChannel } from '../../src/server/calls/caller.ts'
import { initialize as negotiate } from '../../src/server/initialize.ts'
import { stateSecretsFor } from '../../src/server/input/request-state.ts'
import { definitionOf } from '../../src/server/server.ts'
import { ServerSession, type SessionTransport } from '../../src/server/sessions/server-session.ts'
import { erasOf, stepOf, type SessionState } from '../../src/server/sessions/session-state.ts'
import { decodeWireError } from '../../src/wire/error-codes.ts'
import { codecOf } from '../../src/wire/revisions.ts'

const request = (method: string, params: JsonObject = {}, id = 1): Request => ({
  kind: 'request',
  id,
  method,
  params,
})
const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}
const initialize = (protocolVersion = '2025-03-26') =>
  request('initialize', {
    protocolVersion,
    capabilities: { roots: {} },
    clientInfo: { name: 'client', version: '1' },
  })
const echo = (id: number) => request('tools/call', { name: 'echo' }, id)

/** A peer in the hands of the test, without any transport. */
function open({
  revisions = supportedRevisions,
  inFlight = 100,
}: { revisions?: readonly string[]; inFlight?: number } = {}) {
  const server = createServer({ name: 'server', version: '1' })
  let release = (): void => undefined
  server.tool('echo', {}, () => 'hello')
  server.tool('hang', {}, () => new Promise<string>((resolve) => (release = () => resolve('late'))))
  const definition = definitionOf(server)
  const clock = createVirtualClock()
  const sent: unknown[] = []
  const told: unknown[] = []
  const errors: unknown[] = []
  const service = { isDraining: false }
  const limits = resolveServerLimits({ inFlight })
  const onError = (error: unknown): void => void errors.push(error)
  const requests = createPendingRequests({
    clock,
    write: (message) => void sent.push(message),
    decodeError: decodeWireError,
    report: onError,
  })
  const owner: SessionTransport = {
    requests,
    initialize(asked, to) {
      void negotiate(definition, asked, { revisions, clientBytes: 10_000 }, (answer) => {
        peer.open(answer)
        to.reply(asked.id, answer.response)
      })
    },
    onInitialized: () => peer.advance({ type: 'initialized' }),
    notifySession: (method, params) => void told.push(params ? { method, params } : { method }),
    requestOutsideCall: (method, params, limited) => requests.send(method, params, limited),
  }
  const peer = new ServerSession(
    {
      definition,
      supported: revisions,
      eras: erasOf(revisions),
      isLocal: true,
      clock,
      limits,
      onError,
      stateSecrets: stateSecretsFor(definition, {}),
      keepTime: () => undefined,
      get isDraining() {
        return service.isDraining
      },
      separatesProgress: false,
    },
    owner,
  )
  const channel: RequestChannel = {
    sender: {},
    caller: undefined,
    notify: (method, params) => void sent.push({ method, params }),
    request: (method, params, options) => requests.send(method, params, options),
    drained: () => undefined,
    reply(_, response) {
      sent.push(typeof response === 'string' ? JSON.parse(response) : response)
    },
    reject: (id, error) => void sent.push(id === undefined ? { error } : { id, error }),
    forget: (id) => void sent.push({ forgotten: id }),
    openBatch: (ids, rejections) => void sent.push({ ids, refusals: rejections }),
  }
  return { peer, channel, sent, told, errors, service, release: () => release() }
}

/** The same after the client has said all it has to say first. */
function openReady(options: Parameters<typeof open>[0] = {}) {
  const opened = open(options)
  opened.peer.request(initialize(), opened.channel)
  void opened.peer.notification(notification('notifications/initialized'))
  opened.sent.length = 0
  return opened
}

const notification = (method: string, params: JsonObject = {}) =>
  ({ kind: 'notification', method, params }) as const

test.each([
  ['opening', 'tools/list', {}, false, 'refuse-before-initialize'],
  ['opening', 'ping', {}, false, 'answer-ping'],
  ['opening', 'initialize', {}, false, 'initialize'],
  ['opening', 'tools/list', { _meta: modernMeta }, false, 'start-modern-call'],
  ['negotiated', 'tools/list', {}, false, 'start-call'],
  ['ready', 'tools/list', {}, false, 'start-call'],
  ['ready', 'tools/list', { _meta: modernMeta }, false, 'start-modern-call'],
  ['ready', 'initialize', {}, false, 'refuse-second-initialize'],
  ['ready', 'tools/list', {}, true, 'refuse-draining'],
  ['ready', 'ping', {}, true, 'answer-ping'],
  ['closed', 'tools/list', {}, false, 'refuse-before-initialize'],
] as const)('a session that is %s: %s %j (draining: %j) leads to %s', (...row) => {
  const [status, method, params, isDraining, step] = row
  const state = { status, codec: codecOf('2025-11-25') } as SessionState // the codec is not looked at elsewhere
  const eras = { legacy: true, modern: true }

  expect(stepOf(request(method, params as JsonObject), state, eras, isDraining)).toBe(step)
})

test.each([
  ['initialize', { legacy: false, modern: true }, 'refuse-initialize'],
  ['tools/list', { legacy: false, modern: true }, 'start-modern-call'],
  ['ping', { legacy: false, modern: true }, 'start-modern-call'],
  ['initialize', { legacy: true, modern: false }, 'initialize'],
  ['tools/list', { legacy: true, modern: false }, 'refuse-before-initialize'],
] as const)('%s where %j is spoken leads to %s', (method, eras, step) => {
  expect(stepOf(request(method), { status: 'opening' }, eras, false)).toBe(step)
})

test('a peer agrees on a revision once, and is ready when the client says so [LIFE-04]', () => {
  const { peer, channel, sent } = open()

  peer.request(initialize('2025-06-18'), channel)
  expect(peer.isReady).toBe(false)
  void peer.notification(notification('notifications/initialized'))
  peer.request(initialize(), channel)

  expect(peer.isReady).toBe(true)
  expect(peer.codec.revision).toBe('2025-06-18')
  expect(sent).toMatchObject([
    { result: { protocolVersion: '2025-06-18' } },
    { id: 1, error: { message: 'this session is initialized already' } },
  ])
})

test('requests of both eras are answered on one channel', () => {
  const { peer, channel, sent } = openReady()

  peer.request(echo(1), channel)
  peer.request(request('tools/call', { name: 'echo', _meta: modernMeta }, 2), channel)

  expect(sent).toMatchObject([
    { id: 1, result: { content: [{ text: 'hello' }] } },
    { id: 2, result: { content: [{ text: 'hello' }], resultType: 'complete' } },
  ])
})

test('where no legacy revision is served initialize is refused in modern words', () => {
  const { peer, channel, sent } = open({ revisions: ['2026-07-28'] })

  peer.request(initialize('2025-06-18'), channel)

  const data = { supported: ['2026-07-28'], requested: '2025-06-18' }
  expect(sent).toMatchObject([{ id: 1, error: { code: -32022, data } }])
})

test('an id in use is refused without it, and the first request keeps its answer [BASE-07]', async () => {
  const { peer, channel, sent, release } = openReady()
  peer.request(request('tools/call', { name: 'hang' }), channel)

  peer.request(echo(1), channel)
  release()

  await expect.poll(() => sent).toHaveLength(2)
  expect(sent).toMatchObject([
    { error: { message: 'the request id 1 is still in use' } },
    { id: 1, result: { content: [{ text: 'late' }] } },
  ])
  expect(sent[0]).not.toHaveProperty('id')
})

test('a cancelled call is forgotten; other notifications of a client change nothing', () => {
  const { peer, channel, sent } = openReady()
  peer.request(request('tools/call', { name: 'hang' }), channel)

  void peer.notification(notification('notifications/roots/list_changed'))
  void peer.notification(notification('notifications/unknown'))
  void peer.notification(notification('notifications/cancelled', { requestId: { no: 'id' } }))
  void peer.notification(notification('notifications/cancelled', { requestId: 1 }))

  expect(sent).toEqual([{ forgotten: 1 }])
})

test('more calls than limits.inFlight are refused, by the channel where it has its own way', () => {
  const { peer, channel, sent } = openReady({ inFlight: 1 })
  const own: unknown[] = []
  peer.request(request('tools/call', { name: 'hang' }), channel)

  peer.request(echo(2), channel)
  peer.request(echo(3), { ...channel, rejectBusy: (id) => void own.push(id) })

  expect(sent).toMatchObject([{ id: 2, error: { data: { reason: 'overloaded' } } }])
  expect(own).toEqual([3])
})

test('while draining only a ping is answered', () => {
  const { peer, channel, sent, service } = openReady()
  service.isDraining = true

  peer.request(echo(1), channel)
  peer.request(request('tools/call', { name: 'echo', _meta: modernMeta }, 2), channel)
  peer.request(request('ping', {}, 3), channel)

  const rejected = { message: 'the server is shutting down' }
  expect(sent).toMatchObject([
    { id: 1, error: rejected },
    { id: 2, error: rejected },
    { id: 3, result: {} },
  ])
})

test('responses reach the requests they answer; others are reported', async () => {
  const { peer, channel, errors } = openReady()
  const limits = { idleMs: 1_000, totalMs: 1_000 }
  const [first, second] = [
    channel.request('roots/list', undefined, limits),
    channel.request('roots/list', undefined, limits),
  ]
  const error = new RpcError('invalid_request', 'both result and error')

  void peer.response({ kind: 'result', id: 1, result: { roots: [] } })
  void peer.malformed({ kind: 'malformed', id: 2, isAnswerable: false, error }, channel)
  void peer.response({ kind: 'result', id: 9, result: {} })

  expect(await first).toEqual({ roots: [] })
  await expect(second).rejects.toMatchObject({ code: 'invalid_message' })
  expect(errors).toMatchObject([{ message: 'a response to nothing we wait for, id 9' }])
})

test('a batch opens with the ids of its requests, and takes what is not answered first', async () => {
  const { peer, channel, sent } = openReady()
  const error = new RpcError('invalid_request', 'no message')
  const members = [
    echo(1),
    echo(1),
    notification('notifications/unknown'),
    { kind: 'malformed', isAnswerable: true, error },
    request('ping', {}, 2),
  ] as const satisfies readonly (Message | object)[]

  await peer.batch({ kind: 'batch', members }, channel)

  expect(sent).toMatchObject([
    { ids: [1, 2], refusals: [{ error: { message: 'no message' } }] },
    { id: 1, result: {} },
    { id: 1, result: {} },
    { id: 2, result: {} },
  ])
})

test.each([
  ['2025-03-26', [], 'an empty batch'],
  ['2025-03-26', [initialize()], 'initialize may not be part of a batch'],
  ['2025-06-18', [echo(1)], 'this revision has no batches: send one message at a time'],
])(
  'a batch of %s that may not be one is refused as a whole: %j',
  async (revision, members, message) => {
    const { peer, channel, sent } = open()
    peer.request(initialize(revision), channel)
    sent.length = 0

    await peer.batch({ kind: 'batch', members }, channel)

    expect(sent).toMatchObject([{ error: { message } }])
  },
)

test('a client is told of changes when it is ready, and of a resource when it follows it', () => {
  const { peer, channel, told } = open()
  peer.request(initialize(), channel)
  peer.changed({ type: 'tools' })
  void peer.notification(notification('notifications/initialized'))
  peer.subscriptions.add('file:///a')

  peer.changed({ type: 'tools' })
  peer.changed({ type: 'prompts' }) // which this server does not have
  peer.changed({ type: 'resource', uri: 'file:///a' })
  peer.changed({ type: 'resource', uri: 'file:///b' })

  expect(told).toEqual([
    { method: 'notifications/tools/list_changed' },
    { method: 'notifications/resources/updated', params: { uri: 'file:///a' } },
  ])
})

test('a closed peer answers nothing but pings, and its calls are over', () => {
  const { peer, channel, sent } = openReady()
  peer.request(request('tools/call', { name: 'hang' }), channel)

  peer.close('disconnect', 'the client has gone')
  peer.request(echo(2), channel)

  expect(peer.state.status).toBe('closed')
  expect(sent).toMatchObject([{ id: 2, error: { code: -32600 } }])
})
