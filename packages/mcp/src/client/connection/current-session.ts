/**
 * The session in use, one at a time, for whoever keeps a server connected: `reconnecting-session.ts` for a client, which
 * opens the next one as soon as it can, and `transport/proxy/upstream.ts`, which opens it with the next request.
 *
 * It opens a session, prepares it, and makes it the current one; tells its owner when that one is lost; and closes it. When to
 * open another is the owner's decision.
 *
 * Guarantees: nobody uses a session before it is prepared; a session that ends while it is opened or prepared is a failed
 * attempt and no loss; after `close` none is opened, and what an attempt has opened meanwhile is closed.
 */

import { McpError } from '../../rpc/errors/mcp-error.ts'
import type { OnError } from '../../rpc/errors/on-error.ts'
import { isRpcError } from '../../rpc/errors/rpc-error.ts'
import type { LoggingLevel } from '../../schema/logging.ts'
import type { ClientSession } from './session.ts'
import type { TransportHealth } from './transport-link.ts'

/** The session in use. */
export interface CurrentSession {
  /** Undefined while there is none. */
  readonly session: ClientSession | undefined
  /** How the transport of the last session fares. */
  readonly health: TransportHealth
  /** Aborts when it is closed, with the reason. */
  readonly closed: AbortSignal
  /** Opens a session, prepares it and makes it the current one. */
  open(prepare?: (session: ClientSession) => Promise<void>): Promise<ClientSession>
  /** Ends the session in use, and attempts under way. Does not wait for those. */
  close(reason: unknown): Promise<void>
}

export interface CurrentSessionOptions {
  /** One attempt, void when aborted. */
  readonly open: (watch: SessionWatch, signal: AbortSignal) => Promise<ClientSession>
  /** The session in use has ended, with its cause. It is no longer the current one. */
  readonly onDisconnected: (cause: McpError) => void
  /** The session in use lives on, but not as before. */
  readonly onHealth?: (health: TransportHealth) => void
}

/** Receives the end and the health of one session. */
export interface SessionWatch {
  /** At most once, when it ends. */
  onDisconnected(error: unknown): void
  /** It lives on, but is degraded. */
  onHealth(health: TransportHealth): void
}

/** Says again in a new session which log messages the client wants. A server that rejects the level is used without it. */
export async function restoreLogLevel(
  { kind, connection, server }: ClientSession,
  level: LoggingLevel | undefined,
  onError: OnError,
): Promise<void> {
  if (kind === 'modern' || level === undefined || !server.capabilities.logging) return
  try {
    await connection.request('logging/setLevel', { level }, { idleMs: 30_000, totalMs: 30_000 })
  } catch (error) {
    if (!isRpcError(error)) throw error
    onError(error, { severity: 'warning', operation: 'logging/setLevel' })
  }
}

export function createCurrentSession(options: CurrentSessionOptions): CurrentSession {
  const closed = new AbortController()
  let current: ClientSession | undefined
  let releasing: Promise<void> | undefined
  let health: TransportHealth = { state: 'ready' }

  function lose(error: unknown, session: ClientSession): void {
    if (closed.signal.aborted) return
    const cause = lostError(error, session)
    current = undefined
    releasing = session.connection.close(cause) // releases what it still has, such as a child process
    options.onDisconnected(cause)
  }

  return {
    get session() {
      return current
    },
    get health() {
      return health
    },
    closed: closed.signal,
    async open(prepare) {
      const ends: unknown[] = []
      let session: ClientSession | undefined
      health = { state: 'ready' }
      const watch: SessionWatch = {
        onDisconnected(error) {
          ends.push(error)
          if (session !== undefined && session === current) lose(error, session)
        },
        onHealth(next) {
          health = next
          if (session !== undefined && session === current) options.onHealth?.(next)
        },
      }
      session = await options.open(watch, closed.signal)
      try {
        await prepare?.(session)
        closed.signal.throwIfAborted()
        if (ends.length > 0) throw lostError(ends[0], session)
      } catch (error) {
        await session.connection.close(error)
        throw error
      }
      current = session
      return session
    },
    async close(reason) {
      const session = current
      current = undefined
      closed.abort(reason)
      await session?.connection.close(reason)
      await releasing
    },
  }
}

export function lostError(error: unknown, session: ClientSession): McpError {
  if (error instanceof McpError) return error
  const { peer } = session.transport
  return new McpError('connection_lost', `the connection to ${peer ?? 'the server'} was lost`, {
    details: { sent: true },
    peer,
    ...(error !== undefined && { cause: error }),
  })
}
