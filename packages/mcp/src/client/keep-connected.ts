import type { Clock } from '../rpc/clock.ts'
import { McpError } from '../rpc/mcp-error.ts'
import type { ReconnectOptions, Status } from './options.ts'
import type { ClientSession } from './session.ts'

/** The session in use, replaced when it breaks if that is wanted. */
export interface KeptConnection {
  readonly status: Status
  /** At once while connected; waits while reconnecting; rejects when closed. */
  session(): ClientSession | Promise<ClientSession>
  /** The last session there was. */
  readonly latest: ClientSession
  readonly canReconnect: boolean
  close(): Promise<void>
}

export interface KeepOptions {
  /** One attempt; `onLost` is called at most once, when that session ends. */
  readonly open: (onLost: (error: unknown) => void) => Promise<ClientSession>
  readonly reconnect: ReconnectOptions | undefined
  readonly clock: Clock
  readonly onStatus: ((status: Status, previous: Status) => void) | undefined
  /** A new session replaced a lost one. */
  readonly onReconnected: (session: ClientSession) => Promise<void>
}

/** The first connection is not retried: it fails with its reason. */
export async function keepConnected(options: KeepOptions): Promise<KeptConnection> {
  const { clock, reconnect, onStatus } = options
  let status: Status = { state: 'connecting', attempt: 1 }
  let current: ClientSession | undefined
  let waiting: Promise<ClientSession> | undefined
  let wake: (() => void) | undefined
  let closing: Promise<void> | undefined

  function setStatus(next: Status): void {
    const previous = status
    status = next
    onStatus?.(next, previous)
  }

  async function attempt(): Promise<ClientSession> {
    let isLost = false
    let session: ClientSession | undefined
    session = await options.open((error) => {
      isLost = true
      if (session !== undefined && session === current) onLost(error, session)
    })
    if (isLost) throw lostError(undefined, session)
    current = session
    return session
  }

  function onLost(error: unknown, session: ClientSession): void {
    if (status.state === 'closed') return
    const cause = lostError(error, session)
    current = undefined
    if (reconnect === undefined) return setStatus({ state: 'closed', cause })
    waiting = retry(cause, reconnect)
    waiting.catch(() => undefined) // told by the status; callers that wait get it too
  }

  async function retry(cause: McpError, limits: ReconnectOptions): Promise<ClientSession> {
    const { attempts = Infinity, minDelayMs = 500, maxDelayMs = 30_000 } = limits
    let reason = cause
    for (let count = 1; count <= attempts; count += 1) {
      const delay = jitter(Math.min(maxDelayMs, minDelayMs * 2 ** (count - 1)), minDelayMs)
      setStatus({
        state: 'reconnecting',
        attempt: count,
        nextAt: clock.now() + delay,
        cause: reason,
      })
      await sleep(delay)
      if (isClosed()) throw closedError()
      try {
        const session = await attempt()
        await options.onReconnected(session)
        if (isClosed()) throw closedError()
        waiting = undefined
        setStatus({ state: 'ready' })
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
  setStatus({ state: 'ready' })

  return {
    get status() {
      return status
    },
    get latest() {
      return (latest = current ?? latest)
    },
    canReconnect: reconnect !== undefined,
    session() {
      if (current !== undefined && waiting === undefined) return current
      if (waiting !== undefined) return waiting
      return Promise.reject(
        status.state === 'closed' && status.cause ? status.cause : closedError(),
      )
    },
    close: () => (closing ??= close()),
  }

  async function close(): Promise<void> {
    if (status.state !== 'closed') setStatus({ state: 'closed' })
    wake?.()
    const session = current
    current = undefined
    await session?.connection.close(closedError())
  }
}

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

/** Full jitter, so that many clients of one server do not come back at the same moment. */
function jitter(most: number, least: number): number {
  return least + Math.random() * Math.max(0, most - least)
}
