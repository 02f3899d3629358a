import type { AuthInfo } from './server/auth/types.ts'
import type { Transport } from './shared/transport.ts'
import type { JSONRPCMessage, RequestId } from './types.ts'

interface QueuedMessage {
  message: JSONRPCMessage
  extra?: { authInfo?: AuthInfo }
}

/** Two linked transports in one process, without text in between. */
export class InMemoryTransport implements Transport {
  private _otherTransport?: InMemoryTransport
  private _messageQueue: QueuedMessage[] = []
  private _closed = false

  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage, extra?: { authInfo?: AuthInfo }) => void
  sessionId?: string

  /** Returns one transport for the client and one for the server. */
  static createLinkedPair(): [InMemoryTransport, InMemoryTransport] {
    const transport = new InMemoryTransport()
    const other = new InMemoryTransport()
    transport._otherTransport = other
    other._otherTransport = transport
    return [transport, other]
  }

  async start(): Promise<void> {
    while (this._messageQueue.length > 0) {
      const { message, extra } = this._messageQueue.shift() as QueuedMessage
      this.onmessage?.(message, extra)
    }
  }

  async close(): Promise<void> {
    if (this._closed) return
    this._closed = true
    const other = this._otherTransport
    this._otherTransport = undefined
    try {
      await other?.close()
    } finally {
      this.onclose?.()
    }
  }

  async send(
    message: JSONRPCMessage,
    options?: { relatedRequestId?: RequestId; authInfo?: AuthInfo },
  ): Promise<void> {
    const other = this._otherTransport
    if (!other) throw new Error('Not connected')
    const extra = { authInfo: options?.authInfo }
    if (other.onmessage) other.onmessage(message, extra)
    else other._messageQueue.push({ message, extra })
  }
}
