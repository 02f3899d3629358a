import type { Clock } from '../../rpc/clock.ts'
import type { Connection } from '../../rpc/connection.ts'
import { isMcpError } from '../../rpc/errors/mcp-error.ts'
import type { OnError } from '../../rpc/errors/on-error.ts'
import { isRpcError } from '../../rpc/errors/rpc-error.ts'
import { type HeartbeatOptions, keepAlive } from '../../rpc/heartbeat.ts'
import type { ResolvedLimits } from '../../rpc/limits.ts'
import type { Notification } from '../../rpc/message.ts'
import type { Lazy } from '../../rpc/promise.ts'
import { anySignal } from '../../rpc/signals.ts'
import type { Transport } from '../../rpc/transport.ts'
import { cancelledParams } from '../../schema/lifecycle.ts'
import type { Revision } from '../../schema/revision.ts'
import { newestLegacyCodec, type RequestCodec } from '../../wire/request-codec.ts'
import type { ClientInput } from '../input/client-input.ts'
import { createLazyRequests } from '../input/lazy-requests.ts'
import type { ServerRequests } from '../input/server-requests.ts'
import { defaultTimeouts, type ConnectOptions } from '../options.ts'
import { revisionsOf } from './era.ts'
import type { Identity } from './identity.ts'
import type { SessionWatch } from './keep-connected.ts'
import type { NotificationStream } from './notification-stream.ts'
import { openSession, type ClientSession } from './session.ts'
import type { TransportLink } from './transport-link.ts'

/** What a session of one client is opened with, each time. */
export interface OpeningContext {
  readonly openTransport: (link: TransportLink) => Transport | Promise<Transport>
  readonly options: ConnectOptions
  readonly identity: Identity
  /** Those we speak, newest first. */
  readonly revisions: readonly string[]
  readonly clock: Clock
  readonly limits: ResolvedLimits
  readonly stream: NotificationStream
  readonly input: Lazy<ClientInput>
  /** `codec` is the one agreed on, if there is one yet. */
  readonly onNotification: (
    notification: Notification,
    connection: Connection,
    codec: RequestCodec | undefined,
  ) => void
  /** Headers that repeat arguments of a tool. */
  readonly paramHeaders: NonNullable<TransportLink['paramHeaders']>
  /** Messages that belong to no call may have been missed. */
  readonly onGap: () => void
  readonly onError: OnError
}

/** One attempt: what it must know besides, and where it tells how it goes on. */
export interface Attempt {
  readonly watch: SessionWatch
  readonly closed: AbortSignal
  /** The revision the server spoke last, as far as that is known. */
  readonly prior: Revision | undefined
}

/** Opens a session. A server that closed the connection when it was probed is opened again with `initialize`. */
export async function openOnce(parts: OpeningContext, attempt: Attempt): Promise<ClientSession> {
  const all = revisionsOf(parts.options.protocolVersion, parts.revisions)
  let isProbeLost = false
  try {
    return await openWith(parts, attempt, all, () => (isProbeLost = true))
  } catch (error) {
    if (!isProbeLost) throw error
    const old = all.filter((revision) => newestLegacyCodec([revision]) !== undefined)
    return openWith(parts, attempt, old, () => undefined).catch((second: unknown) => {
      const wasOpened = isRpcError(second) || (isMcpError(second) && second.code !== 'closed')
      throw wasOpened ? second : error // a transport that cannot be opened twice says nothing new
    })
  }
}

/** Opens a transport and a session on it, answers what the server asks there, and sees whether it lives. */
async function openWith(
  parts: OpeningContext,
  { watch, closed, prior }: Attempt,
  revisions: readonly string[],
  onProbeLost: () => void,
): Promise<ClientSession> {
  const { options, identity, clock, limits, stream, onError } = parts
  const { timeouts } = options
  let codec: RequestCodec | undefined
  let heartbeat: Disposable | undefined
  let session: ClientSession | undefined
  const ends: unknown[] = []
  options.signal?.throwIfAborted()
  stream.use(undefined)
  const transport = await parts.openTransport({
    needsStream: () => codec?.has.initialize !== false && stream.isNeeded(),
    onNeed: stream.use,
    onHealth: (health) => watch.onHealth(health),
    onGap: parts.onGap,
    paramHeaders: parts.paramHeaders,
  })
  const requests = createLazyRequests(parts.input, () => codec, onError)
  session = await openSession(transport, {
    identity,
    revisions,
    prior,
    connectMs: (timeouts?.connectMs ?? defaultTimeouts.connectMs) + (options.auth?.signInMs ?? 0),
    probeMs: timeouts?.probeMs ?? defaultTimeouts.probeMs,
    signal: anySignal(closed, options.signal),
    clock,
    limits,
    onError,
    onMessage: options.onMessage,
    onRequest: requests.onRequest,
    onNotification(notification, connection) {
      const isInputCancelled =
        notification.method === 'notifications/cancelled' && codec?.has.initialize !== false
      if (isInputCancelled) cancel(requests, notification)
      else parts.onNotification(notification, connection, codec)
    },
    ask: requests.answer,
    onEnd(error) {
      heartbeat?.[Symbol.dispose]()
      requests.abortAll(error)
      if (session !== undefined) watch.onLost(error)
      else ends.push(error) // what ends before it is open fails to open, and is not lost
    },
    onCodec: (agreed) => (codec = agreed),
    onProbeLost,
  })
  if (ends.length > 0) watch.onLost(ends[0])
  if (options.heartbeat) heartbeat = startHeartbeat(session, parts, options.heartbeat)
  return session
}

function startHeartbeat(
  { kind, connection, codec }: ClientSession,
  { clock, onError, identity }: OpeningContext,
  heartbeat: HeartbeatOptions,
): Disposable {
  if (kind === 'legacy') return keepAlive(connection, clock, heartbeat, onError)
  const params = { _meta: identity.envelope(codec.revision) }
  return keepAlive(connection, clock, heartbeat, onError, { method: 'server/discover', params })
}

function cancel(requests: ServerRequests, { params }: Notification): void {
  if (cancelledParams(params) !== undefined) return
  const { requestId, reason } = params
  requests.cancel(requestId as string | number, reason as string | undefined) // just checked
}
