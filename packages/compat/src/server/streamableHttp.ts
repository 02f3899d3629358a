import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Transport } from '../shared/transport.ts'
import type { JSONRPCMessage, MessageExtraInfo, RequestId } from '../types.ts'
import type { AuthInfo } from './auth/types.ts'
import { NodeExchange } from './node-exchange.ts'
import {
  WebStandardStreamableHTTPServerTransport,
  type WebStandardStreamableHTTPServerTransportOptions,
} from './webStandardStreamableHttp.ts'

export type { EventId, EventStore, StreamId } from './webStandardStreamableHttp.ts'
export type StreamableHTTPServerTransportOptions = WebStandardStreamableHTTPServerTransportOptions

/** Streamable HTTP over Node's request and response. */
export class StreamableHTTPServerTransport implements Transport {
  private _webStandardTransport: WebStandardStreamableHTTPServerTransport

  constructor(options: StreamableHTTPServerTransportOptions = {}) {
    this._webStandardTransport = new WebStandardStreamableHTTPServerTransport(options)
  }

  get sessionId(): string | undefined {
    return this._webStandardTransport.sessionId
  }

  set onclose(handler: (() => void) | undefined) {
    this._webStandardTransport.onclose = handler
  }

  get onclose(): (() => void) | undefined {
    return this._webStandardTransport.onclose
  }

  set onerror(handler: ((error: Error) => void) | undefined) {
    this._webStandardTransport.onerror = handler
  }

  get onerror(): ((error: Error) => void) | undefined {
    return this._webStandardTransport.onerror
  }

  set onmessage(
    handler: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined,
  ) {
    this._webStandardTransport.onmessage = handler
  }

  get onmessage(): ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined {
    return this._webStandardTransport.onmessage
  }

  /** Connections begin with requests. */
  async start(): Promise<void> {
    return this._webStandardTransport.start()
  }

  async close(): Promise<void> {
    return this._webStandardTransport.close()
  }

  async send(message: JSONRPCMessage, options?: { relatedRequestId?: RequestId }): Promise<void> {
    return this._webStandardTransport.send(message, options)
  }

  /** Answers a request; resolves when the response is written. `req.auth` is what a middleware found out. */
  async handleRequest(
    req: IncomingMessage & { auth?: AuthInfo },
    res: ServerResponse,
    parsedBody?: unknown,
  ): Promise<void> {
    const exchange = new NodeExchange(req, res)
    const options = { authInfo: req.auth, parsedBody }
    try {
      await this._webStandardTransport.handleExchange(exchange, options)
    } catch (error) {
      // Not thrown: programs answer what is thrown, and here they never had to.
      const isTimeout = error instanceof Error && error.name === 'TimeoutError'
      exchange.reply(isTimeout ? 504 : 500, {}, null)
    }
    await exchange.finished
  }

  /** Ends the stream of a request, so that the client comes back for the rest. */
  closeSSEStream(requestId: RequestId): void {
    this._webStandardTransport.closeSSEStream(requestId)
  }

  /** Ends the stream of the session, so that the client comes back. */
  closeStandaloneSSEStream(): void {
    this._webStandardTransport.closeStandaloneSSEStream()
  }
}
