import { createBackoff } from '../../rpc/backoff.ts'
import type { Clock } from '../../rpc/clock.ts'
import { isMcpError, McpError } from '../../rpc/errors/mcp-error.ts'
import { withTimeout } from '../../rpc/signals.ts'
import type { ReconnectOptions, ClientStatus } from '../options.ts'
import { holdProcess } from './hold-process.ts'
import type { ClientSession } from './session.ts'
import type { TransportHealth } from './transport-link.ts'

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
  /** What belongs to no call does not arrive any more, for this reason; or, without one, does again. */
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
  /** A new session replaces a lost one; nobody uses it before this is done. */
  readonly onReconnected: (session: ClientSession) => Promise<void>
}

/** What becomes of one session. */
export interface SessionWatch {
  /** At most once, when it ends. */
  onLost(error: unknown): void
  /** It goes on, but not as before. */
  onHealth(health: TransportHealth): void
}

/** The first connection is not retried: it fails with its reason. */
export async function keepConnected(
  options: ReconnectingSessionOptions,
): Promise<ReconnectingSession> {
  const { clock, reconnect, onStatus } = options
  const { minDelayMs = 500, maxDelayMs = 30_000 } = reconnect ?? {}
  const backoff = createBackoff({ clock, minDelayMs, maxDelayMs })
  let status: ClientStatus = { state: 'connecting', attempt: 1 }
  let current: ClientSession | undefined
  let waiting: Promise<ClientSession> | undefined
  let wake: (() => void) | undefined
  let closing: Promise<void> | undefined
  let releasing: Promise<void> | undefined
  let forgottenAt = -Infinity
  let health: TransportHealth = { state: 'ready' }
  const closed = new AbortController()

  function setStatus(next: ClientStatus): void {
    const previous = status
    status = next
    onStatus?.(next, previous)
  }

  /** Opens and prepares a session; one that ends meanwhile has failed, and is no second loss. */
  async function attempt(
    prepare?: (session: ClientSession) => Promise<void>,
  ): Promise<ClientSession> {
    const ends: unknown[] = []
    let session: ClientSession | undefined
    health = { state: 'ready' }
    const watch: SessionWatch = {
      onLost(error) {
        ends.push(error)
        if (session !== undefined && session === current) onLost(error, session)
      },
      onHealth(next) {
        health = next
        if (session !== undefined && session === current && !isClosed()) setStatus(next)
      },
    }
    session = await options.open(watch, closed.signal)
    try {
      await prepare?.(session)
      if (isClosed()) throw closedError()
      if (ends.length > 0) throw lostError(ends[0], session)
    } catch (error) {
      await session.connection.close(error)
      throw error
    }
    current = session
    return session
  }

  function onLost(error: unknown, session: ClientSession): void {
    if (status.state === 'closed') return
    const cause = lostError(error, session)
    current = undefined
    releasing = session.connection.close(cause) // what it still holds, such as a child, is let go
    const isForgotten = isMcpError(cause, 'session_lost') && isFirstIn(60_000)
    // A transport that ends because nobody can be reached has tried as often as it may.
    const isOver = reconnect === undefined || isMcpError(cause, 'unreachable')
    if (isOver && !isForgotten) return setStatus({ state: 'closed', cause })
    waiting = retry(cause, reconnect?.maxAttempts ?? (reconnect ? Infinity : 1), isForgotten)
    waiting.catch(() => undefined) // told by the status; callers that wait get it too
  }

  /** A server that forgets one session is asked for another at once; one that goes on forgetting is not. */
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
      await sleep(delay)
      if (isClosed()) throw closedError()
      try {
        const session = await attempt(options.onReconnected)
        waiting = undefined
        backoff.succeeded()
        setStatus(health)
        return session
      } catch (error) {
        if (isClosed()) throw closedError()
        reason = error instanceof McpError ? error : lostError(error, latest)
      }
    }
    setStatus({ state: 'closed', cause: reason })
    throw reason
  }

  /** Read anew after every wait. */
  function isClosed(): boolean {
    return status.state === 'closed'
  }

  async function sleep(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = clock.setTimer(resolve, ms)
      wake = () => {
        timer[Symbol.dispose]()
        resolve()
      }
    })
    wake = undefined
  }

  let latest = await attempt()
  setStatus(health)

  return {
    get status() {
      return status
    },
    get current() {
      return current
    },
    get latest() {
      return (latest = current ?? latest)
    },
    canReconnect: reconnect !== undefined,
    session(limits) {
      if (current !== undefined) return current
      if (waiting !== undefined) return limits ? within(waiting, limits, clock) : waiting
      return Promise.reject(
        status.state === 'closed' && status.cause ? status.cause : closedError(),
      )
    },
    noteNotifications(missing) {
      if (current === undefined) return
      if (missing === undefined && status.state === 'degraded') setStatus({ state: 'ready' })
      if (missing !== undefined && status.state === 'ready') {
        setStatus({ state: 'degraded', lost: 'notifications', cause: missing })
      }
    },
    close: () => (closing ??= close()),
  }

  async function close(): Promise<void> {
    if (status.state !== 'closed') setStatus({ state: 'closed' })
    closed.abort(closedError())
    wake?.()
    const session = current
    current = undefined
    await session?.connection.close(closedError())
    await releasing
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
  return holdProcess(withTimeout(ms, waiting, late, { signal, clock }))
}

const releaseMs = 2_000

export function closedError(): McpError {
  return new McpError('closed', 'the client has been closed', { details: undefined })
}

function lostError(error: unknown, session: ClientSession): McpError {
  if (error instanceof McpError) return error
  const { peer } = session.transport
  return new McpError('connection_lost', `the connection to ${peer ?? 'the server'} was lost`, {
    details: { sent: true },
    peer,
    ...(error !== undefined && { cause: error }),
  })
}
