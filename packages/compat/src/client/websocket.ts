import { JSONRPCMessageSchema } from '../schemas/base.ts'
import { parseWithCompat } from '../server/zod-json-schema-compat.ts'
import type { Transport } from '../shared/transport.ts'
import type { JSONRPCMessage } from '../types.ts'

/** The members that are used of a `WebSocket`, which Node 20 does not have as a global. */
interface Socket {
  onopen: (() => void) | null
  onclose: (() => void) | null
  onerror: ((event: unknown) => void) | null
  onmessage: ((event: { data: unknown }) => void) | null
  send(text: string): void
  close(): void
}

/** Messages over a WebSocket, with the subprotocol `mcp`. */
export class WebSocketClientTransport implements Transport {
  private _socket?: Socket
  private _url: URL

  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void

  constructor(url: URL) {
    this._url = url
  }

  start(): Promise<void> {
    if (this._socket) {
      throw new Error(
        'WebSocketClientTransport already started! If using Client class, note that connect() calls start() automatically.',
      )
    }
    return new Promise((resolve, reject) => {
      const { WebSocket } = globalThis as unknown as {
        WebSocket: new (url: URL, protocol: string) => Socket
      }
      const socket = new WebSocket(this._url, 'mcp')
      this._socket = socket
      socket.onerror = (event) => {
        const { error } = event as { error?: Error }
        const failure = error ?? new Error(`WebSocket error: ${JSON.stringify(event)}`)
        reject(failure)
        this.onerror?.(failure)
      }
      socket.onopen = () => resolve()
      socket.onclose = () => this.onclose?.()
      socket.onmessage = ({ data }) => {
        let message: JSONRPCMessage
        try {
          message = parseWithCompat(
            JSONRPCMessageSchema,
            JSON.parse(String(data)),
          ) as JSONRPCMessage
        } catch (error) {
          this.onerror?.(error as Error)
          return
        }
        this.onmessage?.(message)
      }
    })
  }

  async close(): Promise<void> {
    this._socket?.close()
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this._socket) throw new Error('Not connected')
    this._socket.send(JSON.stringify(message))
  }
}
