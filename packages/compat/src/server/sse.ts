/**
 * `@modelcontextprotocol/sdk/server/sse.js`: the transport of 2024-11-05 on Node's request and response.
 *
 * The program routes GET and POST requests and finds the transport of a POST by its session id. Hosts and origins are checked only if
 * the program asks for it, here or in `options.ts`.
 */

import type { IncomingMessage, ServerResponse } from 'node:http'

import { isOverUnreadLimit, refusedHost } from '../options.ts'
import { JSONRPCMessageSchema } from '../schemas/base.ts'
import { mediaTypeEssence } from '../shared/mediaType.ts'
import type { Transport } from '../shared/transport.ts'
import type { JSONRPCMessage, MessageExtraInfo, RequestInfo } from '../types.ts'
import type { AuthInfo } from './auth/types.ts'
import { DEFAULT_MAX_REQUEST_BODY_SIZE } from './requestBody.ts'
import { parseWithCompat } from './zod-json-schema-compat.ts'

export interface SSEServerTransportOptions {
  /** @deprecated Check hosts in front of the transport. */
  allowedHosts?: string[]
  /** @deprecated Check origins in front of the transport. */
  allowedOrigins?: string[]
  /** @deprecated Check hosts and origins in front of the transport. */
  enableDnsRebindingProtection?: boolean
}

/**
 * The transport of 2024-11-05: an event stream for what the server sends, and POST requests for what it receives.
 *
 * @deprecated Use `StreamableHTTPServerTransport`.
 */
export class SSEServerTransport implements Transport {
  private _endpoint: string
  private res: ServerResponse
  private _sseResponse?: ServerResponse
  private _sessionId: string
  private _options: SSEServerTransportOptions

  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void

  /** The client sends its messages to `_endpoint`. */
  constructor(_endpoint: string, res: ServerResponse, options?: SSEServerTransportOptions) {
    this._endpoint = _endpoint
    this.res = res
    this._sessionId = crypto.randomUUID()
    this._options = options ?? { enableDnsRebindingProtection: false }
  }

  private validateRequestHeaders(request: IncomingMessage): string | undefined {
    const { enableDnsRebindingProtection, allowedHosts, allowedOrigins } = this._options
    const { host, origin } = request.headers
    if (!enableDnsRebindingProtection) return refusedHost(host, origin)
    if (allowedHosts?.length && (!host || !allowedHosts.includes(host))) {
      return `Invalid Host header: ${host}`
    }
    if (allowedOrigins?.length && origin && !allowedOrigins.includes(origin)) {
      return `Invalid Origin header: ${origin}`
    }
    return refusedHost(host, origin)
  }

  /** Opens the event stream and names the endpoint. */
  async start(): Promise<void> {
    if (this._sseResponse) {
      throw new Error(
        'SSEServerTransport already started! If using Server class, note that connect() calls start() automatically.',
      )
    }
    this.res.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache, no-transform',
      Connection: 'keep-alive',
    })
    const url = new URL(this._endpoint, 'http://localhost')
    url.searchParams.set('sessionId', this._sessionId)
    this.res.write(`event: endpoint\ndata: ${url.pathname}${url.search}${url.hash}\n\n`)
    this._sseResponse = this.res
    this.res.on('close', () => {
      this._sseResponse = undefined
      this.onclose?.()
    })
  }

  /** Receives a message that was posted. */
  async handlePostMessage(
    req: IncomingMessage & { auth?: AuthInfo },
    res: ServerResponse,
    parsedBody?: unknown,
  ): Promise<void> {
    if (!this._sseResponse) {
      const message = 'SSE connection not established'
      res.writeHead(500).end(message)
      throw new Error(message)
    }
    const rejection = this.validateRequestHeaders(req)
    if (rejection) {
      res.writeHead(403).end(rejection)
      this.onerror?.(new Error(rejection))
      return
    }
    let body: unknown
    try {
      assertJson(req)
      body = parsedBody ?? (await readBody(req))
    } catch (error) {
      res.writeHead(400).end(String(error))
      this.onerror?.(error as Error)
      return
    }
    try {
      await this.handleMessage(typeof body === 'string' ? JSON.parse(body) : body, {
        requestInfo: requestInfoOf(req),
        authInfo: req.auth,
      })
    } catch {
      res.writeHead(400).end(`Invalid message: ${String(body)}`)
      return
    }
    res.writeHead(202).end('Accepted')
  }

  /** Receives a message, however it came. */
  async handleMessage(message: unknown, extra?: MessageExtraInfo): Promise<void> {
    let parsed: JSONRPCMessage
    try {
      parsed = parseWithCompat(JSONRPCMessageSchema, message) as JSONRPCMessage
    } catch (error) {
      this.onerror?.(error as Error)
      throw error
    }
    this.onmessage?.(parsed, extra)
  }

  async close(): Promise<void> {
    this._sseResponse?.end()
    this._sseResponse = undefined
    this.onclose?.()
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this._sseResponse) throw new Error('Not connected')
    this._sseResponse.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`)
    if (isOverUnreadLimit(this._sseResponse.writableLength)) this._sseResponse.destroy()
  }

  /** The program finds the transport of a POST request by it. */
  get sessionId(): string {
    return this._sessionId
  }
}

function assertJson({ headers }: IncomingMessage): void {
  const type = mediaTypeEssence(headers['content-type'])
  if (type !== 'application/json') throw new Error(`Unsupported content-type: ${type}`)
}

function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= DEFAULT_MAX_REQUEST_BODY_SIZE) chunks.push(chunk)
      else reject(new Error('request entity too large'))
    })
    request.on('end', () => resolve(Buffer.concat(chunks).toString()))
    request.on('error', reject)
  })
}

function requestInfoOf(request: IncomingMessage): RequestInfo {
  const { host } = request.headers
  let url: URL | undefined
  try {
    const scheme = 'encrypted' in (request.socket ?? {}) ? 'https' : 'http'
    url = host ? new URL(request.url ?? '/', `${scheme}://${host}`) : undefined
  } catch {
    // A Host header can be anything.
  }
  return { headers: request.headers, url }
}
