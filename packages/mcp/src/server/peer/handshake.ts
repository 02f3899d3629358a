import type { HeldBytes } from '../../rpc/byte-account.ts'
import type { Connection } from '../../rpc/connection.ts'
import type { OnError } from '../../rpc/errors/error-report.ts'
import { keepAlive, type HeartbeatOptions } from '../../rpc/heartbeat.ts'
import type { Request } from '../../rpc/message.ts'
import type { ServerLimits } from '../../rpc/server-limits.ts'
import type { Clock } from '../../rpc/time/clock.ts'
import type { Codec } from '../../wire/codec.ts'
import { codecOf } from '../../wire/revisions.ts'
import type { Caller, CallerFacts } from '../calls/caller.ts'
import type { Definition, ServerChange } from '../definition.ts'
import { mergeListChanges } from '../subscriptions/list-changes.ts'
import { unsubscribeAll } from '../subscriptions/subscriptions.ts'
import { greet } from './initialize.ts'
import { transition, type SessionEvent, type SessionState } from './session-state.ts'
import { createSession } from './session.ts'

/** The channel a session is on, and what is known about its peer. */
export interface HandshakeHost {
  readonly definition: Definition
  readonly connection: Connection
  readonly revisions: readonly string[]
  readonly own: CallerFacts
  readonly isLocal: boolean
  readonly clock: Clock
  readonly limits: ServerLimits
  readonly onError: OnError
  readonly keepTime: (dueAt: number) => void
  /** What the channel remembers for its peer. */
  readonly held: HeldBytes
  readonly heartbeat?: false | HeartbeatOptions | undefined
  /** See `PeerOptions`. */
  readonly currentSender?: (() => CallerFacts) | undefined
}

/** The session of one channel, from `initialize` to its end. */
export interface Handshake {
  readonly codec: Codec
  /** What `initialize` is answered with, as JSON text. */
  readonly response: string
  /** Who sends what arrives now. */
  sender(): Caller
  /** The client has said `notifications/initialized`. */
  onInitialized(): void
  end(cause: unknown): void
}

/** Answers `initialize`; throws `RpcError` for params that are none. */
export function openHandshake(host: HandshakeHost, request: Request): Handshake {
  const { definition, connection, clock, limits, isLocal, own, onError, keepTime } = host
  const { auth } = own
  const known = { isLocal, ...(auth && { auth }) }
  const greeting = greet(definition, request, host.revisions, codecOf, {
    caller: known,
    clientBytes: limits.clientBytes,
  })
  const refusal = host.held.reserve(greeting.bytes)
  if (refusal) throw refusal
  const session = createSession({
    greeting,
    held: host.held,
    auth,
    isLocal,
    clock,
    limits,
    onError,
    isReady,
    keepTime,
  })
  const caller = session.callerOn(connection, own)
  const changes = mergeListChanges(clock, tellChange)
  let state: SessionState = { status: 'opening' }
  let heartbeat: Disposable | undefined
  advance({ type: 'initialize-answered', codec: greeting.codec })
  definition.listeners.add(changes.add)

  function advance(event: SessionEvent): void {
    state = transition(state, event)
  }

  function isReady(): boolean {
    return state.status === 'ready'
  }

  function tellChange(change: ServerChange): void {
    if (!isReady()) return
    if (change.type === 'resource') {
      if (caller.subscriptions.has(change.uri)) {
        caller.notify('notifications/resources/updated', { uri: change.uri })
      }
    } else if (caller.declared[change.type]?.listChanged) {
      connection.notify(`notifications/${change.type}/list_changed`)
    }
  }

  return {
    codec: greeting.codec,
    response: greeting.response,
    sender() {
      const { currentSender } = host
      return currentSender ? session.callerOn(connection, { ...own, ...currentSender() }) : caller
    },
    onInitialized() {
      advance({ type: 'initialized' })
      if (!isReady() || !host.heartbeat) return
      heartbeat ??= keepAlive(connection, clock, host.heartbeat, onError)
    },
    end(cause) {
      advance({ type: 'closed', cause })
      definition.listeners.delete(changes.add)
      heartbeat?.[Symbol.dispose]()
      changes[Symbol.dispose]()
      unsubscribeAll(definition, caller)
    },
  }
}
