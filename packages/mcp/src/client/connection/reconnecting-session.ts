/**
 * The session of a client, opened again when it breaks if that is wanted: with growing pauses, as often as the options say, and
 * at once where a server has only forgotten the session. Calls that come meanwhile wait within their own limits; the status
 * tells the user how it goes.
 *
 * `current-session.ts` opens, prepares and closes each session; `calls/send-request.ts` decides which requests are sent again.
 */

import { createBackoff } from '../../rpc/backoff.ts'
import type { Clock } from '../../rpc/clock.ts'
import { isMcpError, McpError } from '../../rpc/errors/mcp-error.ts'
import { sleep, withTimeout } from '../../rpc/signals.ts'
import type { ReconnectOptions, ClientStatus } from '../options.ts'
import { createCurrentSession, lostError, type SessionWatch } from './current-session.ts'
import { keepProcessAlive } from './hold-process.ts'
import type { ClientSession } from './session.ts'

/** The session in use, replaced when it breaks if that is wanted. */
export interface ReconnectingSession {
  readonly status: ClientStatus
  /** The session in use, if there is one just now. */
  readonly current: ClientSession | undefined
  /** At once while connected; waits within the limits while reconnecting; rejects when closed. */
  session(limits?: WaitLimits): ClientSession | Promise<ClientSession>
  /** The last session there was. */
  readonly latest: ClientSession
  readonly canReconnect: boolean
  /** Reports that notifications outside of calls no longer arrive, with the cause; without one, that they arrive again. */
  noteNotifications(lost: McpError | undefined): void
  close(): Promise<void>
}

/** How long one call waits for a connection. */
export interface WaitLimits {
  readonly ms: number
  readonly signal?: AbortSignal | undefined
}

export interface ReconnectingSessionOptions {
  /** One attempt, void when aborted. */
  readonly open: (watch: SessionWatch, signal: AbortSignal) => Promise<ClientSession>
  readonly reconnect: ReconnectOptions | undefined
  readonly clock: Clock
  readonly onStatus: ((status: ClientStatus, previous: ClientStatus) => void) | undefined
  /** Prepares a new session that replaces a lost one. It is used only after this has resolved. */
  readonly onReconnected: (session: ClientSession) => Promise<void>
}

/** The first connection is not retried: it fails with its reason. */
export async function keepConnected(
  options: ReconnectingSessionOptions,
): Promise<ReconnectingSession> {
  const { clock, reconnect, onStatus } = options
  const { minDelayMs = 500, maxDelayMs = 30_000 } = reconnect ?? {}
  const backoff = createBackoff({ clock, minDelayMs, maxDelayMs })
  let status: ClientStatus = { state: 'connecting', attempt: 1 }
  let waiting: Promise<ClientSession> | undefined
  let closing: Promise<void> | undefined
  let forgottenAt = -Infinity
  const current = createCurrentSession({
    open: options.open,
    onDisconnected,
    onHealth(health) {
      if (!isClosed()) setStatus(health)
    },
  })

  function setStatus(next: ClientStatus): void {
    const previous = status
    status = next
    onStatus?.(next, previous)
  }

  function onDisconnected(cause: McpError): void {
    const isForgotten = isMcpError(cause, 'session_lost') && isFirstIn(60_000)
    // A transport that ends with `unreachable` has made all its attempts.
    const isOver = reconnect === undefined || isMcpError(cause, 'unreachable')
    if (isOver && !isForgotten) return setStatus({ state: 'closed', cause })
    waiting = retry(cause, reconnect?.maxAttempts ?? (reconnect ? Infinity : 1), isForgotten)
    waiting.catch(() => undefined) // the status reports it, and callers that wait get it too
  }

  /** A server that loses a session is asked for another at once, unless it lost one shortly before. */
  function isFirstIn(ms: number): boolean {
    const isFirst = clock.now() - forgottenAt >= ms
    forgottenAt = clock.now()
    return isFirst
  }

  async function retry(
    cause: McpError,
    attempts: number,
    isUrgent: boolean,
  ): Promise<ClientSession> {
    let reason = cause
    for (let count = 1; count <= attempts; count += 1) {
      const delay = isUrgent && count === 1 ? 0 : backoff.next()
      setStatus({
        state: 'reconnecting',
        attempt: count,
        nextAt: clock.now() + delay,
        cause: reason,
      })
      await sleep(delay, { clock, signal: current.closed })
      try {
        const session = await current.open(options.onReconnected)
        waiting = undefined
        backoff.succeeded()
        setStatus(current.health)
        return session
      } catch (error) {
        if (isClosed()) throw closedError()
        reason = error instanceof McpError ? error : lostError(error, latest)
      }
    }
    setStatus({ state: 'closed', cause: reason })
    throw reason
  }

  /** A function, because the state may change with every wait. */
  function isClosed(): boolean {
    return status.state === 'closed'
  }

  let latest = await current.open()
  setStatus(current.health)

  return {
    get status() {
      return status
    },
    get current() {
      return current.session
    },
    get latest() {
      return (latest = current.session ?? latest)
    },
    canReconnect: reconnect !== undefined,
    session(limits) {
      if (current.session !== undefined) return current.session
      if (waiting !== undefined) return limits ? within(waiting, limits, clock) : waiting
      return Promise.reject(
        status.state === 'closed' && status.cause ? status.cause : closedError(),
      )
    },
    noteNotifications(missing) {
      if (current.session === undefined) return
      if (missing === undefined && status.state === 'degraded') setStatus({ state: 'ready' })
      if (missing !== undefined && status.state === 'ready') {
        setStatus({ state: 'degraded', missing: 'notifications', cause: missing })
      }
    },
    close: () => (closing ??= close()),
  }

  async function close(): Promise<void> {
    if (status.state !== 'closed') setStatus({ state: 'closed' })
    await current.close(closedError())
    if (waiting === undefined) return
    // An attempt under way lets go of what it opened; one that hangs is not waited for.
    const limits = { ms: releaseMs }
    await within(waiting, limits, clock).catch(() => undefined)
  }
}

/** A call does not wait longer for a connection than it would for an answer. */
async function within<T>(
  waiting: Promise<T>,
  { ms, signal }: WaitLimits,
  clock: Clock,
): Promise<T> {
  signal?.throwIfAborted()
  const late = (): McpError =>
    new McpError('timeout', `no connection for ${ms} ms`, { details: { limit: 'idle', ms } })
  return keepProcessAlive(withTimeout(ms, waiting, late, { signal, clock }))
}

const releaseMs = 2_000

export function closedError(): McpError {
  return new McpError('closed', 'the client has been closed', { details: undefined })
}
