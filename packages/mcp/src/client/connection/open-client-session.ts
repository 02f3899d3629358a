import type { Clock } from '../../rpc/clock.ts'
import type { Connection } from '../../rpc/connection.ts'
import type { OnError } from '../../rpc/errors/on-error.ts'
import { type HeartbeatOptions, keepAlive } from '../../rpc/heartbeat.ts'
import type { ResolvedLimits } from '../../rpc/limits.ts'
import type { Notification } from '../../rpc/message.ts'
import type { Lazy, MaybePromise } from '../../rpc/promise.ts'
import { anySignal } from '../../rpc/signals.ts'
import type { Transport } from '../../rpc/transport.ts'
import { cancelledParams } from '../../schema/lifecycle.ts'
import type { Revision } from '../../schema/revision.ts'
import type { RequestCodec } from '../../wire/request-codec.ts'
import type { ClientInput } from '../input/client-input.ts'
import { createLazyRequests } from '../input/lazy-requests.ts'
import type { ServerRequests } from '../input/server-requests.ts'
import { defaultTimeouts, type ConnectOptions } from '../options.ts'
import { revisionsOf } from './classify-probe.ts'
import type { SessionWatch } from './current-session.ts'
import type { Identity } from './identity.ts'
import type { NotificationStream } from './notification-stream.ts'
import { openSession, type ClientSession, type SessionReceiver } from './session.ts'
import type { TransportLink } from './transport-link.ts'

/** The parts of a client made by `connect()` that its sessions need. */
export interface OpeningContext {
  readonly openTransport: (link: TransportLink) => MaybePromise<Transport>
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

/** One attempt to open a session. */
export interface Attempt {
  readonly watch: SessionWatch
  readonly closed: AbortSignal
  /** The revision the server spoke last, as far as that is known. */
  readonly prior: Revision | undefined
}

/** Opens a session that answers what the server asks, sees whether it lives, and tells the client what it receives. */
export async function openClientSession(
  context: OpeningContext,
  { watch, closed, prior }: Attempt,
): Promise<ClientSession> {
  const { options, identity, clock, limits, stream, input, onError } = context
  const { openTransport, paramHeaders, onGap } = context
  const { timeouts } = options
  let heartbeat: Disposable | undefined

  function receive(codec: () => RequestCodec | undefined): SessionReceiver {
    const requests = createLazyRequests(input, codec, onError)
    stream.use(undefined)
    return {
      link: {
        needsStream: () => codec()?.has.initialize !== false && stream.isNeeded(),
        onNeed: stream.use,
        onHealth: (health) => watch.onHealth(health),
        onGap,
        paramHeaders,
      },
      onRequest: requests.onRequest,
      onNotification(notification, connection) {
        const isInputCancelled =
          notification.method === 'notifications/cancelled' && codec()?.has.initialize !== false
        if (isInputCancelled) cancel(requests, notification)
        else context.onNotification(notification, connection, codec())
      },
      ask: requests.answer,
      onEnd(error) {
        heartbeat?.[Symbol.dispose]()
        requests.abortAll(error)
      },
    }
  }

  let isLost = false
  const session = await openSession(
    {
      openTransport,
      identity,
      connectMs: (timeouts?.connectMs ?? defaultTimeouts.connectMs) + (options.auth?.signInMs ?? 0),
      probeMs: timeouts?.probeMs ?? defaultTimeouts.probeMs,
      clock,
      limits,
      onError,
      onMessage: options.onMessage,
    },
    {
      revisions: revisionsOf(options.protocolVersion, context.revisions),
      prior,
      signal: anySignal(closed, options.signal),
      receive,
      onDisconnected(error) {
        isLost = true
        watch.onDisconnected(error)
      },
    },
  )
  if (options.heartbeat && !isLost) heartbeat = startHeartbeat(session, context, options.heartbeat)
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
