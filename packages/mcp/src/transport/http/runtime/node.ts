/**
 * `createNodeHandler()`: serves a definition for `IncomingMessage` and `ServerResponse`, alone or in a framework.
 *
 * Implements `HttpExchange` on Node's objects without going through `Request` and `Response`: reads bodies in chunks within their
 * limits, writes head and body at once. `serve-http.ts` opens the listener; `fetch.ts` is the same for other runtimes.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import type { RpcError } from '../../../rpc/errors/rpc-error.ts'
import { textOf, type PreparedResponse } from '../../../rpc/json/json-text.ts'
import type { MemoryShare } from '../../../rpc/memory-budget.ts'
import type { RawMessage } from '../../../rpc/transport.ts'
import { definitionOf, type Server } from '../../../server/server.ts'
import type { Service } from '../../../server/sessions/serve-connection.ts'
import { overLimit } from '../admission/capacity.ts'
import { rejectionBody } from '../admission/http-errors.ts'
import type { QuotaKey } from '../admitted-request.ts'
import { createHttpEndpoint } from '../endpoint.ts'
import type { ClientCertificate, Health, HttpOptions } from '../http-options.ts'
import {
  BodyChunks,
  bodyProblems,
  BodyRejected,
  type BodyLimits,
  type HttpExchange,
  type HttpHeaders,
  type StreamOutput,
  capacityBytes,
} from './exchange.ts'
import { createRunningService } from './listen-options.ts'
import { toWebRequest, writeResponse } from './node-web.ts'
import { certificateOf } from './server-tls.ts'
import { uncountedLength, type OutputRules, OutputGuard } from './waiting-output.ts'

/** A request of Node; frameworks may have read its body, or shortened its URL. */
export interface NodeRequest extends IncomingMessage {
  body?: unknown
  originalUrl?: string
}

/** An exchange on Node's own request and response: no web-standard objects are made for it. */
export function createNodeExchange(request: NodeRequest, response: ServerResponse): HttpExchange {
  return new NodeExchange(request, response)
}

/** A class, because one is made for every request and most use few of its methods. */
class NodeExchange implements HttpExchange {
  readonly method: string
  readonly target: string
  readonly originalTarget: string | undefined
  private readonly request: NodeRequest
  private readonly response: ServerResponse
  private rules: OutputRules | undefined
  private caller: QuotaKey = ''

  constructor(request: NodeRequest, response: ServerResponse) {
    this.method = request.method ?? 'GET'
    this.target = request.url ?? '/'
    this.originalTarget = request.originalUrl
    this.request = request
    this.response = response
  }

  get remoteAddress(): string | undefined {
    return this.request.socket.remoteAddress
  }

  certificate(): ClientCertificate | undefined {
    return certificateOf(this.request)
  }

  header(name: string): string | undefined {
    const { request } = this
    const value = name === 'authorization' ? credentialsOf(request) : request.headers[name]
    if (value === undefined && name === 'host') return authorityOf(request)
    return Array.isArray(value) ? value.join(', ') : value
  }

  headerNames(): Iterable<string> {
    return Object.keys(this.request.headers)
  }

  readBody(limits: BodyLimits, memory: MemoryShare): Promise<RawMessage> {
    return readNodeBody(this.request, limits, memory)
  }

  chargeOutput(rules: OutputRules, caller: QuotaKey): void {
    this.rules = rules
    this.caller = caller
  }

  respond(status: number, headers: HttpHeaders, body: string | PreparedResponse = ''): void {
    const { request, response } = this
    if (response.headersSent || response.destroyed) return
    const length = bytesOf(body)
    const waiting = length < uncountedLength ? undefined : this.watchOutput()
    const rejection = waiting?.begin(length)
    if (rejection) return this.rejectOutput(rejection)
    const full = status === 204 ? { ...headers } : { 'content-length': length, ...headers }
    if (!request.complete && !isShort(request)) {
      return respondAndClose(request, response, status, full, textOf(body))
    }
    // One write: the head waits for the body, whose length is known. For a text of ASCII, whose bytes are its characters,
    // Node need not set aside three times the memory.
    response.writeHead(status, full)
    if (typeof body === 'string') response.end(body, length === body.length ? 'latin1' : 'utf8')
    else endPrepared(response, body)
    waiting?.update()
  }

  openStream(headers: HttpHeaders): StreamOutput {
    const { response } = this
    response.writeHead(200, headers)
    response.flushHeaders()
    return createNodeOutput(response, () => this.watchOutput())
  }

  private watchOutput(): OutputGuard | undefined {
    return watchNodeOutput(this.response, this.rules, this.caller)
  }

  /** In place of an answer that nobody has room for. */
  private rejectOutput(error: RpcError<'overloaded'>): void {
    const { status, headers } = overLimit(error)
    this.respond(status, { ...headers, 'content-type': 'application/json' }, rejectionBody(error))
  }

  onClosed(callback: () => void): void {
    const { response } = this
    if (response.destroyed) return callback()
    // Not `once`, which wraps it: a response closes once.
    response.on('close', () => {
      if (!response.writableFinished) callback()
    })
  }

  toRequest(origin: string): Request | undefined {
    return toWebRequest(this.request, origin)
  }

  respondWith(answer: Response): Promise<void> {
    return writeResponse(this.response, answer)
  }
}

/** The header that HTTP/2 has in place of `Host`. */
function authorityOf({ headers }: NodeRequest): string | undefined {
  const authority = headers[':authority']
  return typeof authority === 'string' ? authority : undefined
}

function bytesOf(body: string | PreparedResponse): number {
  if (typeof body === 'string') return Buffer.byteLength(body)
  return Buffer.byteLength(body.before) + body.json.bytes.length + body.after.length
}

/** The pieces go to the system together, and the large one is not copied before that. */
function endPrepared(response: ServerResponse, { before, json, after }: PreparedResponse): void {
  response.cork()
  response.write(before)
  response.write(json.bytes)
  response.end(after)
  response.uncork()
}

/** Reading the rest of a short body costs less than a new connection. */
function isShort({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return false
  return Number(headers['content-length'] ?? 0) <= 64 * 1024
}

/**
 * Answers while the caller still sends what nobody will read. Closing at once would make its system throw away the
 * answer, so we listen a little longer; the answer has a length and is complete before that.
 */
function respondAndClose(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: Record<string, string | number>,
  body: string,
): void {
  response.writeHead(status, { connection: 'close', ...headers })
  response.write(body)
  request.resume()
  const timer = setTimeout(finish, lingerMs)
  function finish(): void {
    clearTimeout(timer)
    response.end()
    request.destroy()
  }
  request.once('end', finish)
  request.once('close', () => clearTimeout(timer))
}

const lingerMs = 500

/** `Authorization`. Node keeps the first of several, and who sends two must not have us choose. */
export function credentialsOf({ rawHeaders, headers }: IncomingMessage): string | undefined {
  const isCredential = (text: string, index: number) =>
    index % 2 === 0 && text.length === 13 && text.toLowerCase() === 'authorization'
  const last = rawHeaders.findLastIndex(isCredential)
  if (last === rawHeaders.findIndex(isCredential)) return headers.authorization
  return rawHeaders
    .filter((_, index) => isCredential(rawHeaders[index - 1] ?? '', index - 1))
    .join(', ')
}

/** Reads a body within its limits, or takes what was read before us, by Express or Fastify. */
function readNodeBody(
  request: NodeRequest,
  limits: BodyLimits,
  memory: MemoryShare,
): Promise<RawMessage> {
  const { body } = request
  if (typeof body === 'string') return Promise.resolve(body)
  if (Buffer.isBuffer(body)) return Promise.resolve(body.toString())
  if (typeof body === 'object' && body !== null) return Promise.resolve(body)
  const length = request.headers['content-length']
  if (request.readableEnded) {
    const why = 'the body was read before it came here; pass it on as request.body'
    return length === '0' ? Promise.resolve('') : Promise.reject(new BodyRejected(400, why))
  }
  if (Number(length) > limits.maxBytes) {
    return Promise.reject(new BodyRejected(413, bodyProblems.tooLarge(limits)))
  }
  return new Promise((resolve, reject) => new Collecting(request, limits, memory, resolve, reject))
}

/** A body on its way. A class, because one is made for every request; what listens stays until the request is gone. */
class Collecting {
  private readonly request: IncomingMessage
  private readonly limits: BodyLimits
  private readonly resolve: (text: string) => void
  private readonly reject: (error: Error) => void
  private readonly memory: MemoryShare
  private readonly timer: Disposable
  private readonly chunks = new BodyChunks()
  private isOver = false

  constructor(
    request: IncomingMessage,
    limits: BodyLimits,
    memory: MemoryShare,
    resolve: (text: string) => void,
    reject: (error: Error) => void,
  ) {
    this.request = request
    this.limits = limits
    this.memory = memory
    this.resolve = resolve
    this.reject = reject
    this.timer = limits.timer.after(() => this.stop(408, bodyProblems.tooSlow(limits)))
    request.on('data', (chunk: Buffer) => this.take(chunk))
    request.on('end', () => this.finish())
    request.on('close', () => this.stop(400, bodyProblems.cutOff))
    request.on('error', () => undefined) // told by close
  }

  private take(chunk: Buffer): void {
    if (this.isOver) return
    const rejection = this.memory.reserve(chunk.length)
    if (rejection) return this.fail(overLimit(rejection))
    this.chunks.add(chunk)
    if (this.chunks.size > this.limits.maxBytes) this.stop(413, bodyProblems.tooLarge(this.limits))
  }

  private finish(): void {
    if (!this.end()) return
    const { buffer, byteOffset, length } = this.chunks.take()
    this.resolve(Buffer.from(buffer, byteOffset, length).toString())
  }

  /** Every request closes, most of them after their end: no error is made for those. */
  private stop(status: BodyRejected['status'], why: string): void {
    if (!this.isOver) this.fail(new BodyRejected(status, why))
  }

  private fail(error: Error): void {
    if (!this.end()) return
    this.request.pause()
    this.reject(error)
  }

  /** False if it was over already. */
  private end(): boolean {
    if (this.isOver) return false
    this.isOver = true
    this.timer[Symbol.dispose]()
    return true
  }
}

/** Until all is taken, or the connection is gone. Undefined where nobody said whom to charge. */
function watchNodeOutput(
  response: ServerResponse,
  rules: OutputRules | undefined,
  caller: QuotaKey,
): OutputGuard | undefined {
  if (rules === undefined || response.destroyed) return undefined
  const { socket } = response
  const waiting = new OutputGuard(rules, caller, {
    unread: () => response.writableLength,
    // Only the system's queue shows how much of one large write was taken.
    progress: () => (socket?.bytesWritten ?? 0) - response.writableLength - queuedBySystem(socket),
    cut: () => void response.destroy(),
  })
  response.on('drain', () => waiting.update())
  response.on('close', () => waiting.close())
  return waiting
}

/** Bytes of a write that has begun; 0 if Node does not know. */
function queuedBySystem(socket: Socket | null): number {
  const { _handle: handle } = (socket ?? {}) as { _handle?: { writeQueueSize?: number } | null } // Node's own `net` reads it too
  return handle?.writeQueueSize ?? 0
}

/** The body of a streamed answer. */
function createNodeOutput(
  response: ServerResponse,
  startWatch: () => OutputGuard | undefined,
): StreamOutput {
  let drained: Promise<void> | undefined
  let waiting: OutputGuard | undefined

  return {
    write(text) {
      if (response.destroyed) return
      const isLong = text.length >= uncountedLength
      if (isLong) waiting ??= startWatch()
      if (isLong && waiting?.begin(text.length)) return void response.destroy()
      const isUsed = response.write(text)
      if (response.writableLength >= uncountedLength) waiting ??= startWatch()
      waiting?.update()
      if (isUsed) return
      if (drained !== undefined || response.writableLength < capacityBytes) return
      drained = new Promise<void>((resolve) => {
        function release(): void {
          drained = undefined
          response.off('drain', release)
          response.off('close', release)
          resolve()
        }
        response.once('drain', release)
        response.once('close', release)
      })
    },
    get bufferedBytes() {
      return response.writableLength
    },
    get drained() {
      return drained
    },
    end: () => void response.end(),
    destroy: () => void response.destroy(),
  }
}

/** A request listener of Node; also for Express and Fastify, which may have parsed `request.body`. */
export interface NodeHandler extends Service {
  /** Answers one request. */
  (request: NodeRequest, response: ServerResponse): void
  /** Figures for a health check. */
  health(): Health
}

/** For Express, Fastify and plain `http`: the fast path, without web-standard objects. */
export function createNodeHandler<App>(
  server: Server<App, unknown>,
  options: HttpOptions = {},
): NodeHandler {
  const endpoint = createHttpEndpoint(definitionOf(server), options)
  const handler = (request: NodeRequest, response: ServerResponse): void =>
    endpoint.handle(createNodeExchange(request, response))
  return Object.assign(handler, createRunningService(endpoint), { health: endpoint.health })
}
