/**
 * Messages between the processes that serve one endpoint: their types, their checks, sending and receiving.
 *
 * `ClusterMail` sends and retries, and passes checked messages to their handlers; `receiveClusterMessages` handles those about
 * sessions and streams. `onSessionEnded` and `notifySession` are for packages that share sessions of this SDK, such as the gateway.
 * How messages travel is the business of the store (`ClusterMessages` of `cluster.ts`). New versions may add types: unknown ones
 * are ignored.
 */
import type { AuthInfo } from '../../../rpc/auth-info.ts'
import { type Clock, createSharedTimer } from '../../../rpc/clock.ts'
import type { OnError } from '../../../rpc/errors/on-error.ts'
import { RpcError } from '../../../rpc/errors/rpc-error.ts'
import { MemoryShare } from '../../../rpc/memory-budget.ts'
import { decodeMessage } from '../../../rpc/message.ts'
import type { MaybePromise } from '../../../rpc/promise.ts'
import * as s from '../../../schema/check.ts'
import { describeProblem, type Check } from '../../../schema/check.ts'
import type { JsonObject } from '../../../schema/json.ts'
import type { ServerChange } from '../../../server/definition.ts'
import { overLimit } from '../admission/capacity.ts'
import { HttpError } from '../admission/http-errors.ts'
import type { EndpointService } from '../endpoint-service.ts'
import type { HttpSession } from '../sessions/http-session.ts'
import { afterStore } from '../sessions/store-access.ts'
import type { Cluster, ClusterMessages } from './cluster.ts'
import { shareChanges } from './shared-changes.ts'

/** Messages between processes that serve one endpoint, by type. Sessions are named by their keys. */
export interface ClusterMessageTypes {
  /** Its record has this version now. */
  readonly 'session-changed': { readonly key: string; readonly version: number }
  readonly 'session-ended': { readonly key: string }
  /** A client's response or progress, for the process that waits for it. */
  readonly 'from-client': { readonly key: string; readonly message: JsonObject }
  /** A client does not want the answer to a request, wherever that is worked on. */
  readonly 'request-cancelled': {
    readonly key: string
    readonly requestId: string | number
    readonly reason?: string
  }
  /** A client listens at the process `node` from now on, and nowhere else. */
  readonly listening: { readonly key: string; readonly node: string; readonly listener: string }
  /** A notification for whichever process the client listens at. */
  readonly 'for-listener': { readonly key: string; readonly message: JsonObject }
  /** Changes of a server. `from` names who tells them; `number` rises with what it tells. */
  readonly 'server-changed': {
    readonly server: string
    readonly from: string
    readonly number: number
    readonly changes: readonly ServerChange[]
  }
  /** A client of HTTP+SSE posted `text` at the process `from`, for a stream of this one. */
  readonly 'sse-posted': {
    readonly post: string
    readonly from: string
    readonly id: string
    readonly text: string
    readonly auth?: WrittenAuth
  }
  readonly 'sse-taken': { readonly post: string; readonly outcome: PostOutcome }
}

/** Outcomes of a post at the process that has the stream. */
const postOutcomes = ['taken', 'unknown', 'full'] as const
export type PostOutcome = (typeof postOutcomes)[number]

/** A verified identity, as JSON. */
export type WrittenAuth = Omit<AuthInfo, 'scopes' | 'claims'> & {
  readonly scopes: readonly string[]
  readonly claims: JsonObject
}

type MessageType = keyof ClusterMessageTypes

/** Sends messages to other processes, and passes received ones to their handlers by type. */
export interface ClusterMail extends Disposable {
  /** The name of this process. */
  readonly node: string
  /** Sends a message to every process, including this one. Never rejects; a message that cannot be sent now is retried. */
  notify<Type extends MessageType>(type: Type, message: ClusterMessageTypes[Type]): Promise<void>
  /** The same, or to the process `to` alone, but once: it throws or rejects if that cannot be kept now. */
  send<Type extends MessageType>(
    type: Type,
    message: ClusterMessageTypes[Type],
    to?: string,
  ): MaybePromise<void>
  /** Hears messages of a type. A message may come twice. */
  on<Type extends MessageType>(
    type: Type,
    receive: (message: ClusterMessageTypes[Type]) => void,
  ): void
  /** Messages were lost: what they could have said must be looked up. */
  onGap(receive: () => void): void
}

/** Messages that wait to be told; beyond these the oldest are lost. */
const maxUnsent = 1_000

export function createClusterMessages(
  { node, messages, heartbeatMs }: Pick<Cluster, 'node' | 'messages' | 'heartbeatMs'>,
  { clock, onError }: { readonly clock: Clock; readonly onError: OnError },
): ClusterMail {
  const listeners = new Map<unknown, (message: JsonObject) => void>()
  const gapListeners: (() => void)[] = []
  const unsent: JsonObject[] = []
  let retry: Disposable | undefined
  let isClosed = false

  const listening = messages.listen({
    receive: (message) => guarded(() => listeners.get(message['type'])?.(message)), // newer versions may know more types
    onGap: () => {
      for (const onGap of gapListeners) guarded(onGap)
    },
  })

  function guarded(callback: () => void): void {
    try {
      callback()
    } catch (error) {
      onError(error, { severity: 'error', operation: 'cluster' })
    }
  }

  function reportMalformed(type: string, why: string): void {
    const error = new RpcError('invalid_request', `a message of another process, ${type}: ${why}`)
    onError(error, { severity: 'warning', operation: 'cluster' })
  }

  async function notifyAll(): Promise<void> {
    retry = undefined
    for (let message = unsent[0]; message !== undefined && !isClosed; message = unsent[0]) {
      try {
        await messages.notify(message)
        unsent.shift()
      } catch {
        return notifyLater() // reported when it was first tried
      }
    }
  }

  function notifyLater(): void {
    if (!isClosed) retry ??= clock.setTimer(() => void notifyAll(), heartbeatMs)
  }

  return {
    node,
    async notify(type, content) {
      const message = { type, ...content }
      try {
        await messages.notify(message)
      } catch (error) {
        onError(error, { severity: 'warning', operation: 'store' })
        unsent.push(message)
        if (unsent.length > maxUnsent) unsent.shift()
        notifyLater()
      }
    },
    send(type, content, to) {
      const message = { type, ...content }
      return to === undefined ? messages.notify(message) : messages.send(to, message)
    },
    on(type, onMessage) {
      listeners.set(type, (message) => {
        const problem = checks[type](message)
        if (problem === undefined) onMessage(message as never) // just checked
        else reportMalformed(type, describeProblem(problem))
      })
    },
    onGap: (onGap) => void gapListeners.push(onGap),
    [Symbol.dispose]() {
      isClosed = true
      retry?.[Symbol.dispose]()
      listening[Symbol.dispose]()
    },
  }
}

type ListChange = Exclude<ServerChange, { readonly type: 'resource' }>
type ResourceChange = Extract<ServerChange, { readonly type: 'resource' }>

const listChange = s.object<ListChange>({ type: s.oneOf(['tools', 'prompts', 'resources']) })
const serverChange = s.tagged<ServerChange, 'type'>('type', {
  tools: listChange,
  prompts: listChange,
  resources: listChange,
  resource: s.object<ResourceChange>({
    type: s.literal('resource'),
    uri: s.string,
    isSeenByAll: s.optional(s.boolean),
  }),
})

const writtenAuth = s.object<WrittenAuth>({
  issuer: s.string,
  subject: s.string,
  clientId: s.string,
  scopes: s.array(s.string),
  audience: s.array(s.string),
  expiresAt: s.number,
  claims: s.jsonObject,
  confirmation: s.optional(s.object<{ readonly jkt: string }>({ jkt: s.string })),
})

const checks: { readonly [Type in MessageType]: Check<ClusterMessageTypes[Type]> } = {
  'session-changed': s.object<ClusterMessageTypes['session-changed']>({
    key: s.string,
    version: s.integer,
  }),
  'session-ended': s.object<ClusterMessageTypes['session-ended']>({ key: s.string }),
  'from-client': s.object<ClusterMessageTypes['from-client']>({
    key: s.string,
    message: s.jsonObject,
  }),
  'request-cancelled': s.object<ClusterMessageTypes['request-cancelled']>({
    key: s.string,
    requestId: s.stringOrInteger,
    reason: s.optional(s.string),
  }),
  listening: s.object<ClusterMessageTypes['listening']>({
    key: s.string,
    node: s.string,
    listener: s.string,
  }),
  'for-listener': s.object<ClusterMessageTypes['for-listener']>({
    key: s.string,
    message: s.jsonObject,
  }),
  'server-changed': s.object<ClusterMessageTypes['server-changed']>({
    server: s.string,
    from: s.string,
    number: s.integer,
    changes: s.array(serverChange),
  }),
  'sse-posted': s.object<ClusterMessageTypes['sse-posted']>({
    post: s.string,
    from: s.string,
    id: s.string,
    text: s.string,
    auth: s.optional(writtenAuth),
  }),
  'sse-taken': s.object<ClusterMessageTypes['sse-taken']>({
    post: s.string,
    outcome: s.oneOf(postOutcomes),
  }),
}

/**
 * Hands what a client said to the process that it is for, or to all of them. It counts for the client for as long as it may
 * be kept on the way. Throws 429 if that is too much, 503 if it cannot be kept now; then the client may send it again.
 */
export type Forward = <Type extends keyof ClusterMessageTypes>(
  quotaKey: string,
  type: Type,
  message: ClusterMessageTypes[Type],
  to?: string,
) => MaybePromise<void>

/** How long messages are kept for a process that is cut off. */
const retentionMs = 60_000
/** Bytes that a message needs besides its text. */
const messageBytes = 512

export function createForward(
  { memory: budget, onError, clock }: Pick<EndpointService, 'memory' | 'onError' | 'clock'>,
  messages: ClusterMail,
): Forward {
  const over = createSharedTimer(clock, retentionMs)

  return (quotaKey, type, message, to) => {
    const memory = new MemoryShare(budget, quotaKey)
    const rejection = memory.reserve(messageBytes + 2 * JSON.stringify(message).length)
    if (rejection) throw overLimit(rejection)
    return afterStore(
      () => messages.send(type, message, to),
      () => void over.after(() => memory.close()),
      (error) => {
        memory.close()
        onError(error, { severity: 'error', operation: 'store' })
        throw unavailable()
      },
    )
  }
}

function unavailable(): HttpError {
  const why = 'the process that waits for this message is unreachable: send it again'
  const error = new RpcError('overloaded', why, { data: { retryAfterMs: 1_000 } })
  return new HttpError(503, error, { 'retry-after': '1' })
}

/** Handles messages of other processes, and announces changes of the server to them until it is disposed. */
export function receiveClusterMessages(
  service: EndpointService,
  { heartbeatMs }: Pick<Cluster, 'heartbeatMs'>,
  messages: ClusterMail,
): Disposable {
  const changes = shareChanges(service, messages, heartbeatMs)
  const sessionOf = (key: string): HttpSession | undefined => service.sessions.byKey(key)

  messages.on('from-client', ({ key, message }) => receiveFromClient(sessionOf(key), message))
  messages.on('request-cancelled', ({ key, requestId, reason }) => {
    const session = sessionOf(key)?.session
    if (session?.hasCall(requestId)) session.calls.cancel(requestId, reason)
  })
  messages.on('listening', ({ key, node, listener }) =>
    sessionOf(key)?.listeners?.receive(node === messages.node ? listener : undefined),
  )
  messages.on('for-listener', ({ key, message }) => {
    sessionOf(key)?.sendToLocalListener(JSON.stringify(message))
  })
  messages.on('server-changed', changes.receive)
  messages.onGap(() => {
    for (const session of service.sessions.all()) session.listeners?.onMessagesLost()
    changes.announceAll()
  })
  return changes
}

/** Only the session that was asked can answer: a request is looked for among its own. */
function receiveFromClient(
  session: HttpSession | undefined,
  message: ClusterMessageTypes['from-client']['message'],
): void {
  const decoded = decodeMessage(message)
  if (decoded.kind === 'result' || decoded.kind === 'error') void session?.session.response(decoded)
  if (decoded.kind === 'notification' && decoded.method === 'notifications/progress') {
    void session?.session.notification(decoded)
  }
}

/** The key of the session that has ended, as a message between processes says; undefined for any other message. */
export function endedSession({ type, key }: JsonObject): string | undefined {
  const ended: MessageType = 'session-ended'
  return type === ended && typeof key === 'string' ? key : undefined
}

/** Calls back with the key of each session that ends at any process, until it is disposed. Lost messages are not made up for. */
export function onSessionEnded(
  messages: ClusterMessages,
  listener: (key: string) => void,
): Disposable {
  return messages.listen({
    receive(message) {
      const key = endedSession(message)
      if (key !== undefined) listener(key)
    },
    onGap: () => undefined,
  })
}

/** Sends a notification to the client of a session, at whichever process it listens. Throws or rejects if the store is unreachable. */
export function notifySession(
  messages: ClusterMessages,
  key: string,
  { method, params }: { readonly method: string; readonly params?: JsonObject | undefined },
): MaybePromise<void> {
  const type: MessageType = 'for-listener'
  return messages.notify({
    type,
    key,
    message: { jsonrpc: '2.0', method, ...(params && { params }) },
  })
}
