/**
 * `@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js`: Streamable HTTP, one session or one request per object.
 *
 * Keeps to what programs expect of the official transport: the sessions are in a map of the program, and an event store decides whether
 * streams can be resumed. Sending is left to an `HttpExchange`, so that the transport for Node shares all of it.
 */

import {
  isInitializeRequest,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
} from '../guards.ts'
import type { ModernSide } from '../modern/modern-side.ts'
import { supportsModern, refusedHost } from '../options.ts'
import {
  JSONRPCMessageSchema,
  DEFAULT_NEGOTIATED_PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '../schemas/base.ts'
import { isJsonContentType } from '../shared/mediaType.ts'
import type { Transport } from '../shared/transport.ts'
import type {
  InitializeRequest,
  JSONRPCMessage,
  JSONRPCRequest,
  MessageExtraInfo,
  RequestId,
} from '../types.ts'
import type { AuthInfo } from './auth/types.ts'
import { type EventStream, type HttpExchange, WebExchange } from './http-exchange.ts'
import {
  MAX_BATCH_SIZE,
  requestBodyTooLargeMessage,
  resolveMaxRequestBodySize,
} from './requestBody.ts'
import { DEFAULT_SSE_KEEP_ALIVE_MS, armSseKeepAlive } from './sseKeepAlive.ts'
import { safeParse } from './zod-compat.ts'

export type StreamId = string
export type EventId = string

/** Keeps events, so that clients can come back for what they missed. */
export interface EventStore {
  /** Returns the id of the stored event. */
  storeEvent(streamId: StreamId, message: JSONRPCMessage): Promise<EventId>
  /** Returns the stream of an event, without replaying it. */
  getStreamIdForEventId?(eventId: EventId): Promise<StreamId | undefined>
  /** Sends what came after an event, and returns its stream. */
  replayEventsAfter(
    lastEventId: EventId,
    { send }: { send: (eventId: EventId, message: JSONRPCMessage) => Promise<void> },
  ): Promise<StreamId>
}

export interface WebStandardStreamableHTTPServerTransportOptions {
  /** Makes session ids. Without it there are no sessions, and an object serves one request. */
  sessionIdGenerator?: () => string
  /** Is called when a session begins; the program keeps the transport under its id. */
  onsessioninitialized?: (sessionId: string) => void | Promise<void>
  /** Is called when the client ends the session. */
  onsessionclosed?: (sessionId: string) => void | Promise<void>
  /**
   * Answers with JSON instead of an event stream.
   * @defaultValue false
   */
  enableJsonResponse?: boolean
  /** Lets clients come back for what they missed. */
  eventStore?: EventStore
  /** @deprecated Check hosts in front of the transport. */
  allowedHosts?: string[]
  /** @deprecated Check origins in front of the transport. */
  allowedOrigins?: string[]
  /** @deprecated Check hosts and origins in front of the transport. */
  enableDnsRebindingProtection?: boolean
  /** Milliseconds after which clients are told to come back. */
  retryInterval?: number
  /**
   * Milliseconds between two comments that keep a stream open; below 1 for none.
   * @defaultValue 15000
   */
  keepAliveMs?: number
  /**
   * Bytes of a body that the transport reads itself.
   * @defaultValue 4194304
   */
  maxRequestBodySize?: number
}

export interface HandleRequestOptions {
  /** The body, if something in front has read it. */
  parsedBody?: unknown
  authInfo?: AuthInfo
}

/** A stream that messages go to: an event stream, or a JSON response that waits for all of its results. */
interface OpenStream {
  events?: EventStream
  replyJson?: (body: string) => void
  keepAlive?: ReturnType<typeof setInterval>
  /** Events that were replayed on it; one may have been on its way at the same time. */
  replayed?: Set<EventId>
}

const standalone = '_GET_stream'
/** The revision without sessions, which is answered by a proxy in front of the same server. */
const modernVersion = '2026-07-28'
/** The first revision whose clients understand an event without a message. */
const primingVersion = '2025-11-25'

/** A refusal: thrown inside, and answered as an error of JSON-RPC. */
class Refusal extends Error {
  readonly status: number
  readonly code: number
  readonly headers: Record<string, string>
  readonly data: unknown

  constructor(
    status: number,
    code: number,
    message: string,
    headers: Record<string, string> = {},
    data?: unknown,
  ) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
    this.data = data
  }
}

/** Streamable HTTP over web requests and responses. */
export class WebStandardStreamableHTTPServerTransport implements Transport {
  private sessionIdGenerator: (() => string) | undefined
  private _started = false
  private _hasHandledRequest = false
  private _streamMapping = new Map<StreamId, OpenStream>()
  private _requestToStreamMapping = new Map<RequestId, StreamId>()
  private _resumableStreams = new Set<StreamId>()
  private _requestResponseMap = new Map<RequestId, JSONRPCMessage>()
  private _initialized = false
  private _enableJsonResponse: boolean
  private _standaloneSseStreamId: string = standalone
  private _eventStore?: EventStore
  private _onsessioninitialized?: (sessionId: string) => void | Promise<void>
  private _onsessionclosed?: (sessionId: string) => void | Promise<void>
  private _allowedHosts?: string[]
  private _allowedOrigins?: string[]
  private _enableDnsRebindingProtection: boolean
  private _retryInterval?: number
  private _keepAliveMs: number
  private _maxRequestBodySize: number
  private _closed = false
  private _streamCount = 0
  private _modern?: Promise<ModernSide>
  private _modernSide?: ModernSide

  sessionId?: string
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void

  constructor(options: WebStandardStreamableHTTPServerTransportOptions = {}) {
    this.sessionIdGenerator = options.sessionIdGenerator
    this._enableJsonResponse = options.enableJsonResponse ?? false
    this._eventStore = options.eventStore
    this._onsessioninitialized = options.onsessioninitialized
    this._onsessionclosed = options.onsessionclosed
    this._allowedHosts = options.allowedHosts
    this._allowedOrigins = options.allowedOrigins
    this._enableDnsRebindingProtection = options.enableDnsRebindingProtection ?? false
    this._retryInterval = options.retryInterval
    this._keepAliveMs = options.keepAliveMs ?? DEFAULT_SSE_KEEP_ALIVE_MS
    this._maxRequestBodySize = resolveMaxRequestBodySize(options.maxRequestBodySize)
  }

  /** Connections begin with requests. */
  async start(): Promise<void> {
    if (this._started) throw new Error('Transport already started')
    this._started = true
  }

  /** Answers a request. */
  async handleRequest(req: Request, options?: HandleRequestOptions): Promise<Response> {
    const exchange = new WebExchange(req)
    await this.handleExchange(exchange, options)
    return exchange.response
  }

  /** Answers a request of any kind of server. */
  async handleExchange(exchange: HttpExchange, options?: HandleRequestOptions): Promise<void> {
    if (!this.sessionIdGenerator && this._hasHandledRequest) {
      // Ids of two clients would get mixed up.
      throw new Error(
        'Stateless transport cannot be reused across requests. Create a new transport per request.',
      )
    }
    this._hasHandledRequest = true
    try {
      this.assertOpen()
      this.assertHostAndOrigin(exchange)
      if (exchange.method === 'POST') await this.handlePost(exchange, options)
      else if (exchange.method === 'GET') await this.handleGet(exchange)
      else if (exchange.method === 'DELETE') await this.handleDelete(exchange)
      else {
        throw new Refusal(405, -32000, 'Method not allowed.', { allow: 'GET, POST, DELETE' })
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { status, code, message, headers, data } = error
      if (!this._closed) this.onerror?.(new Error(message))
      const body = {
        jsonrpc: '2.0',
        error: { code, message, ...(data !== undefined && { data }) },
        id: null,
      }
      exchange.reply(
        status,
        { 'content-type': 'application/json', ...headers },
        JSON.stringify(body),
      )
    }
  }

  /** It may be closed while a body is read, or while a callback of the program runs. */
  private assertOpen(): void {
    if (this._closed) throw new Refusal(404, -32001, 'Session not found')
  }

  private assertHostAndOrigin(exchange: HttpExchange): void {
    const host = exchange.header('host')
    const refused = refusedHost(host, exchange.header('origin'))
    if (refused) throw new Refusal(403, -32000, refused)
    if (!this._enableDnsRebindingProtection) return
    if (this._allowedHosts?.length && (!host || !this._allowedHosts.includes(host))) {
      throw new Refusal(403, -32000, `Invalid Host header: ${host}`)
    }
    const origin = exchange.header('origin')
    if (this._allowedOrigins?.length && origin && !this._allowedOrigins.includes(origin)) {
      throw new Refusal(403, -32000, `Invalid Origin header: ${origin}`)
    }
  }

  private async handleGet(exchange: HttpExchange): Promise<void> {
    if (!exchange.header('accept')?.includes('text/event-stream')) {
      throw new Refusal(406, -32000, 'Not Acceptable: Client must accept text/event-stream')
    }
    this.assertSession(exchange)
    this.assertProtocolVersion(exchange)
    const lastEventId = exchange.header('last-event-id')
    if (this._eventStore && lastEventId) {
      await this.replayEvents(exchange, this._eventStore, lastEventId)
      return
    }
    if (this._streamMapping.has(this._standaloneSseStreamId)) {
      throw new Refusal(409, -32000, 'Conflict: Only one SSE stream is allowed per session')
    }
    this.openEventStream(exchange, this._standaloneSseStreamId)
  }

  private async replayEvents(
    exchange: HttpExchange,
    store: EventStore,
    lastEventId: string,
  ): Promise<void> {
    let streamId: StreamId | undefined
    if (store.getStreamIdForEventId) {
      streamId = await store.getStreamIdForEventId(lastEventId)
      if (!streamId) throw new Refusal(400, -32000, 'Invalid event ID format')
      if (this._streamMapping.has(streamId)) {
        throw new Refusal(409, -32000, 'Conflict: Stream already has an active connection')
      }
    }
    // Opened with the first event: until then a failure can still be answered.
    let stream: OpenStream | undefined
    let replayedId: StreamId | undefined
    let isClosed = false
    const open = (): OpenStream => {
      stream ??= this.createEventStream(exchange, () => {
        isClosed = true
        if (replayedId !== undefined) this.forgetStream(replayedId, stream)
      })
      return stream
    }
    try {
      replayedId = await store.replayEventsAfter(lastEventId, {
        send: async (eventId, message) => {
          const { replayed } = open()
          replayed?.add(eventId)
          this.writeEvent(open(), message, eventId)
        },
      })
    } catch (error) {
      this.onerror?.(error as Error)
      if (stream) stream.events?.end()
      else throw new Refusal(500, -32000, 'Error replaying events')
      return
    }
    if (this._closed) {
      if (stream) this.endStream(stream)
      this.assertOpen()
    }
    const opened = open()
    if (isClosed) {
      clearInterval(opened.keepAlive)
      return
    }
    if (this.isCompleted(replayedId)) {
      // Everything there was to send has been sent.
      this.endStream(opened)
      this.forgetRequests(replayedId)
      return
    }
    this.endAndForget(replayedId)
    this._streamMapping.set(replayedId, opened)
    this._resumableStreams.add(replayedId)
  }

  /** Says whether all requests of a stream have their results, which were stored while nobody listened. */
  private isCompleted(streamId: StreamId): boolean {
    const ids = this.requestsOf(streamId)
    return ids.length > 0 && ids.every((id) => this._requestResponseMap.has(id))
  }

  private async handlePost(exchange: HttpExchange, options?: HandleRequestOptions): Promise<void> {
    try {
      await this.receiveMessages(exchange, options)
    } catch (error) {
      if (error instanceof Refusal) throw error
      throw new Refusal(400, -32700, 'Parse error', {}, String(error))
    }
  }

  private async receiveMessages(
    exchange: HttpExchange,
    options?: HandleRequestOptions,
  ): Promise<void> {
    const accept = exchange.header('accept')
    if (!accept?.includes('application/json') || !accept.includes('text/event-stream')) {
      throw new Refusal(
        406,
        -32000,
        'Not Acceptable: Client must accept both application/json and text/event-stream',
      )
    }
    if (!isJsonContentType(exchange.header('content-type'))) {
      throw new Refusal(
        415,
        -32000,
        'Unsupported Media Type: Content-Type must be application/json',
      )
    }
    const body = await this.readBody(exchange, options)
    this.assertOpen()
    if (supportsModern() && exchange.header('mcp-protocol-version') === modernVersion) {
      await this.answerModern(exchange, body, options)
      return
    }
    const messages = readMessages(body)
    const initialize = messages.find((message) => isInitializeRequest(message)) as
      | InitializeRequest
      | undefined
    if (initialize) {
      await this.beginSession(messages)
      this.assertOpen()
    } else {
      this.assertSession(exchange)
      this.assertProtocolVersion(exchange)
    }

    const { requestInfo } = exchange
    const extra = { authInfo: options?.authInfo, requestInfo }
    const requests = messages.filter((message): message is JSONRPCRequest =>
      isJSONRPCRequest(message),
    )
    if (requests.length === 0) {
      for (const message of messages) this.onmessage?.(message, extra)
      exchange.reply(202, {}, null)
      return
    }

    // Stored streams of all transports have to be told apart, others only those of this one.
    const streamId = this._eventStore ? crypto.randomUUID() : String(this._streamCount++)
    if (this._enableJsonResponse) {
      this._streamMapping.set(streamId, {
        replyJson: (text) =>
          exchange.reply(
            200,
            { 'content-type': 'application/json', ...this.sessionHeader() },
            text,
          ),
      })
      for (const { id } of requests) this._requestToStreamMapping.set(id, streamId)
      for (const message of messages) this.onmessage?.(message, extra)
      return
    }

    const version =
      initialize?.params.protocolVersion ??
      exchange.header('mcp-protocol-version') ??
      DEFAULT_NEGOTIATED_PROTOCOL_VERSION
    const canResume = this._eventStore !== undefined && version >= primingVersion
    const priming = canResume ? await this.makePrimingEvent(streamId) : undefined
    this.assertOpen()
    const stream = this.openEventStream(exchange, streamId)
    for (const { id } of requests) this._requestToStreamMapping.set(id, streamId)
    if (priming !== undefined) {
      stream.events?.write(priming)
      this._resumableStreams.add(streamId)
    }
    for (const message of messages) {
      if (!canResume || !isJSONRPCRequest(message)) {
        this.onmessage?.(message, extra)
        continue
      }
      this.onmessage?.(message, {
        ...extra,
        requestInfo,
        closeSSEStream: () => this.closeSSEStream(message.id),
        closeStandaloneSSEStream: () => this.closeStandaloneSSEStream(),
      })
    }
  }

  private async readBody(exchange: HttpExchange, options?: HandleRequestOptions): Promise<unknown> {
    if (options?.parsedBody !== undefined) return options.parsedBody
    const read = await exchange.readBody(this._maxRequestBodySize)
    if (read.tooLarge) {
      throw new Refusal(413, -32000, requestBodyTooLargeMessage(this._maxRequestBodySize))
    }
    try {
      return JSON.parse(read.text) as unknown
    } catch {
      throw new Refusal(400, -32700, 'Parse error: Invalid JSON')
    }
  }

  /** A request of the newest revision has no session. */
  private async answerModern(
    exchange: HttpExchange,
    body: unknown,
    options?: HandleRequestOptions,
  ): Promise<void> {
    this._modern ??= import('../modern/modern-side.ts').then(
      ({ ModernSide }) => new ModernSide((message, extra) => this.onmessage?.(message, extra)),
    )
    const modern = await this._modern
    this._modernSide = modern
    await modern.handle(exchange, body, options?.authInfo)
  }

  private async beginSession(messages: readonly JSONRPCMessage[]): Promise<void> {
    if (this._initialized && this.sessionId !== undefined) {
      throw new Refusal(400, -32600, 'Invalid Request: Server already initialized')
    }
    if (messages.length > 1) {
      throw new Refusal(400, -32600, 'Invalid Request: Only one initialization request is allowed')
    }
    this.sessionId = this.sessionIdGenerator?.()
    this._initialized = true
    if (this.sessionId && this._onsessioninitialized) {
      await this._onsessioninitialized(this.sessionId)
    }
  }

  private async handleDelete(exchange: HttpExchange): Promise<void> {
    this.assertSession(exchange)
    this.assertProtocolVersion(exchange)
    try {
      await this._onsessionclosed?.(this.sessionId as string)
    } finally {
      await this.close()
    }
    exchange.reply(200, {}, null)
  }

  private assertSession(exchange: HttpExchange): void {
    if (this.sessionIdGenerator === undefined) return
    if (!this._initialized) throw new Refusal(400, -32000, 'Bad Request: Server not initialized')
    const id = exchange.header('mcp-session-id')
    if (!id) throw new Refusal(400, -32000, 'Bad Request: Mcp-Session-Id header is required')
    if (id !== this.sessionId || this._closed) throw new Refusal(404, -32001, 'Session not found')
  }

  private assertProtocolVersion(exchange: HttpExchange): void {
    const version = exchange.header('mcp-protocol-version')
    if (version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return
    throw new Refusal(
      400,
      -32000,
      `Bad Request: Unsupported protocol version: ${version} (supported versions: ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')})`,
    )
  }

  private sessionHeader(): Record<string, string> {
    return this.sessionId === undefined ? {} : { 'mcp-session-id': this.sessionId }
  }

  private openEventStream(exchange: HttpExchange, streamId: StreamId): OpenStream {
    const stream = this.createEventStream(exchange, () => this.forgetStream(streamId, stream))
    this._streamMapping.set(streamId, stream)
    return stream
  }

  private createEventStream(exchange: HttpExchange, onClosed: () => void): OpenStream {
    const stream: OpenStream = this._eventStore ? { replayed: new Set() } : {}
    stream.events = exchange.openStream(
      {
        'content-type': 'text/event-stream',
        'cache-control': 'no-cache, no-transform',
        connection: 'keep-alive',
        'x-accel-buffering': 'no',
        ...this.sessionHeader(),
      },
      () => {
        clearInterval(stream.keepAlive)
        onClosed()
      },
    )
    stream.keepAlive = armSseKeepAlive(this._keepAliveMs, () => {
      if (!stream.events?.write(': keepalive\n\n')) clearInterval(stream.keepAlive)
    })
    return stream
  }

  private forgetStream(streamId: StreamId, stream: OpenStream | undefined): void {
    if (this._streamMapping.get(streamId) === stream) this._streamMapping.delete(streamId)
  }

  private endStream({ events, keepAlive }: OpenStream): void {
    clearInterval(keepAlive)
    try {
      events?.end()
    } catch {
      // The client has gone.
    }
  }

  /** Gives the client an id to come back with, before there is a message. */
  private async makePrimingEvent(streamId: StreamId): Promise<string> {
    const eventId = await this._eventStore?.storeEvent(streamId, {} as JSONRPCMessage)
    const retry = this._retryInterval === undefined ? '' : `retry: ${this._retryInterval}\n`
    return `id: ${eventId}\n${retry}data: \n\n`
  }

  private writeEvent(
    { events }: OpenStream,
    message: JSONRPCMessage,
    eventId: EventId | undefined,
  ): boolean {
    const id = eventId === undefined ? '' : `id: ${eventId}\n`
    try {
      return events?.write(`event: message\n${id}data: ${JSON.stringify(message)}\n\n`) ?? false
    } catch (error) {
      this.onerror?.(error as Error)
      return false
    }
  }

  async close(): Promise<void> {
    if (this._closed) return
    this._closed = true
    for (const stream of this._streamMapping.values()) this.endStream(stream)
    this._streamMapping.clear()
    this._requestResponseMap.clear()
    this._resumableStreams.clear()
    void this._modern?.then((modern) => modern.close())
    this.onclose?.()
  }

  /** Ends the stream of a request, so that the client comes back for the rest. */
  closeSSEStream(requestId: RequestId): void {
    const streamId = this._requestToStreamMapping.get(requestId)
    if (streamId !== undefined) this.endAndForget(streamId)
  }

  /** Ends the stream of the session, so that the client comes back. */
  closeStandaloneSSEStream(): void {
    this.endAndForget(this._standaloneSseStreamId)
  }

  private endAndForget(streamId: StreamId): void {
    const stream = this._streamMapping.get(streamId)
    if (!stream) return
    this._streamMapping.delete(streamId)
    this.endStream(stream)
  }

  async send(message: JSONRPCMessage, options?: { relatedRequestId?: RequestId }): Promise<void> {
    if (this._modernSide?.take(message, options?.relatedRequestId)) return
    const isResponse = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)
    const requestId = isResponse ? message.id : options?.relatedRequestId
    if (requestId === undefined) {
      if (isResponse) {
        throw new Error(
          'Cannot send a response on a standalone SSE stream unless resuming a previous client request',
        )
      }
      await this.sendStandalone(message)
      return
    }

    const streamId = this._requestToStreamMapping.get(requestId)
    if (!streamId) throw new Error(`No connection established for request ID: ${String(requestId)}`)
    if (!this._enableJsonResponse) {
      // Stored before it is sent, and also if nobody listens.
      const eventId = await this._eventStore?.storeEvent(streamId, message)
      if (this._closed) return
      const stream = this._streamMapping.get(streamId)
      if (stream && this.deliver(stream, message, eventId) && eventId !== undefined) {
        this._resumableStreams.add(streamId)
      }
    }
    if (!isResponse) return

    this._requestResponseMap.set(requestId, message)
    if (!this.isCompleted(streamId)) return
    const stream = this._streamMapping.get(streamId)
    if (!stream) {
      if (this._resumableStreams.has(streamId)) return
      this.forgetRequests(streamId)
      throw new Error(`No connection established for request ID: ${String(requestId)}`)
    }
    if (stream.replyJson) {
      const answers = this.requestsOf(streamId).map((id) => this._requestResponseMap.get(id))
      stream.replyJson(JSON.stringify(answers.length === 1 ? answers[0] : answers))
    }
    this._streamMapping.delete(streamId)
    this.endStream(stream)
    this.forgetRequests(streamId)
  }

  private async sendStandalone(message: JSONRPCMessage): Promise<void> {
    const eventId = await this._eventStore?.storeEvent(this._standaloneSseStreamId, message)
    const stream = this._streamMapping.get(this._standaloneSseStreamId)
    if (stream) this.deliver(stream, message, eventId)
  }

  /** Writes an event, unless a replay has just done that. */
  private deliver(
    stream: OpenStream,
    message: JSONRPCMessage,
    eventId: EventId | undefined,
  ): boolean {
    if (eventId !== undefined && stream.replayed?.has(eventId)) return true
    return this.writeEvent(stream, message, eventId)
  }

  private requestsOf(streamId: StreamId): RequestId[] {
    const ids: RequestId[] = []
    for (const [id, value] of this._requestToStreamMapping) if (value === streamId) ids.push(id)
    return ids
  }

  private forgetRequests(streamId: StreamId): void {
    for (const id of this.requestsOf(streamId)) {
      this._requestResponseMap.delete(id)
      this._requestToStreamMapping.delete(id)
    }
    this._resumableStreams.delete(streamId)
  }
}

function readMessages(body: unknown): JSONRPCMessage[] {
  const values: unknown[] = Array.isArray(body) ? body : [body]
  if (values.length > MAX_BATCH_SIZE) {
    throw new Refusal(
      400,
      -32600,
      `Invalid Request: Batch must not exceed ${MAX_BATCH_SIZE} messages`,
    )
  }
  return values.map((value) => {
    const parsed = safeParse(JSONRPCMessageSchema, value)
    if (!parsed.success) throw new Refusal(400, -32700, 'Parse error: Invalid JSON-RPC message')
    return parsed.data
  })
}
