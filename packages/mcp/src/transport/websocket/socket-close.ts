import { McpError } from '../../rpc/errors/mcp-error.ts'
import { closeCodes, readyStates, type SocketLike } from './socket-like.ts'

/** How a socket ended; the `cause` of the `connection_lost` it leads to. */
export interface SocketClose {
  /** 1006 when there was no closing handshake. */
  readonly code: number
  /** What the closing frame said; empty if it said nothing. */
  readonly reason: string
  /** What the socket said before it closed. */
  readonly error?: unknown
}

/** A peer that says it is leaving has closed; with no code it has only said less. */
const orderly: ReadonlySet<number> = new Set([
  closeCodes.normal,
  closeCodes.goingAway,
  closeCodes.noStatus,
])

/** Undefined for an orderly close. */
export function closeError(close: SocketClose, peer: string | undefined): McpError | undefined {
  const { code, reason, error } = close
  if (orderly.has(code) && error === undefined) return undefined
  const why = reason === '' ? messageOf(error) : JSON.stringify(reason)
  const message = `the WebSocket closed with code ${code}${why === undefined ? '' : `: ${why}`}`
  return lostError(message, peer, close)
}

/** The channel broke. */
export function lostError(message: string, peer: string | undefined, cause?: unknown): McpError {
  return new McpError('connection_lost', message, {
    details: { sent: true },
    peer,
    ...(cause !== undefined && { cause }),
  })
}

/** Starts the closing handshake. Never throws. */
export function closeSocket(socket: SocketLike, code: number, reason: string): void {
  if (socket.readyState === readyStates.closed) return
  try {
    socket.close(code, reason)
  } catch {
    // Web pages may send 1000 and 3000–4999 only, so 1003 becomes 4003.
    closeAsPage(socket, code + 3000, reason)
  }
}

function closeAsPage(socket: SocketLike, code: number, reason: string): void {
  try {
    socket.close(code, reason)
  } catch {
    // It is closed already, in a way that does not show.
  }
}

function messageOf(error: unknown): string | undefined {
  if (error instanceof Error) return error.message
  return typeof error === 'string' && error !== '' ? error : undefined
}
