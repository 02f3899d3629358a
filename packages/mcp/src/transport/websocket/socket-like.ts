/** The part of a socket that we need; the global `WebSocket`, `ws`, a Workers pair and Deno's upgrade all have it. */
export interface SocketLike {
  /** 0 while connecting, 1 when open, 2 while closing, 3 when closed. */
  readonly readyState: number
  /** Bytes not yet taken by the network; 0 where the runtime does not say. */
  readonly bufferedAmount?: number
  /** Sends one text frame. */
  send(data: string): void
  /** Begins the closing handshake. */
  close(code?: number, reason?: string): void
  /** Calls back for each event of this kind. */
  addEventListener(
    type: 'open' | 'message' | 'close' | 'error',
    listener: (event: SocketEvent) => void,
  ): void
  /** Sends a ping frame; absent in browsers. */
  ping?(): void
  /** Stops reading from the network; absent in browsers. */
  pause?(): void
  /** Reads again after `pause`. */
  resume?(): void
  /** Ends without a closing handshake; absent in browsers. */
  terminate?(): void
  /** Events that only `ws` has. */
  on?(event: string, listener: (...values: never[]) => void): unknown
}

/** The fields of all four events that we read. */
export interface SocketEvent {
  /** `open`, `message`, `close` or `error`. */
  readonly type: string
  /** The message, of a `message` event. */
  readonly data?: unknown
  /** The close code, of a `close` event. */
  readonly code?: number
  /** The reason in the closing frame, of a `close` event. */
  readonly reason?: string
  /** The cause, of an `error` event, where the runtime gives it. */
  readonly error?: unknown
  /** The text of the cause, of an `error` event. */
  readonly message?: string
}

/** The numbers of the standard. */
export const readyStates = { connecting: 0, open: 1, closing: 2, closed: 3 } as const

/** RFC 6455, section 7.4.1, and the registry it opened. */
export const closeCodes = {
  normal: 1000,
  goingAway: 1001,
  unsupportedData: 1003,
  noStatus: 1005,
  abnormal: 1006,
  policyViolation: 1008,
  messageTooBig: 1009,
  tryAgainLater: 1013,
} as const

/** The subprotocol both sides name in the handshake. */
export const subprotocol = 'mcp'

/**
 * Where the socket itself refuses a message (`ws` with 1009): at twice the limit. What is only somewhat too long still
 * arrives, so that it can be answered.
 */
export function payloadBytes(messageBytes: number): number {
  return Math.min(2 * messageBytes, 2 ** 30)
}
