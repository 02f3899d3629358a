/**
 * `createMcpHandler()`: serves a definition for `fetch` requests: Workers, Deno, Bun, Hono and other frameworks.
 *
 * Implements `HttpExchange` for `Request` and `Response`: reads the body as a stream within its limits, and writes event streams with
 * back-pressure. Node's own HTTP server has a faster implementation in `node.ts`.
 */
import { textOf } from '../../../rpc/json/json-text.ts'
import type { MemoryShare } from '../../../rpc/memory-budget.ts'
import type { RawMessage } from '../../../rpc/transport.ts'
import { definitionOf, type Server } from '../../../server/server.ts'
import type { Service } from '../../../server/sessions/serve-connection.ts'
import { overLimit } from '../admission/capacity.ts'
import { rejectionBody, HttpError } from '../admission/http-errors.ts'
import { createHttpEndpoint } from '../endpoint.ts'
import type { Health, HttpOptions } from '../http-options.ts'
import {
  capacityBytes,
  type HttpExchange,
  type HttpHeaders,
  type StreamOutput,
  BodyChunks,
  bodyProblems,
  BodyRejected,
  type BodyLimits,
} from './exchange.ts'
import { createRunningService } from './listen-options.ts'
import { uncountedLength, OutputGuard, type Outgoing } from './waiting-output.ts'

/** Facts about a request that `Request` does not have. The context that Workers give to a handler has `waitUntil`, and fits. */
export interface FetchOptions {
  /** When something before us has read the body already. */
  readonly parsedBody?: unknown
  /** For runtimes that stop when all is answered, such as Workers: keeps them running until a task has ended. */
  waitUntil?(work: Promise<unknown>): void
}

/** An exchange on web-standard objects, and the response it will have. */
function createFetchExchange(
  request: Request,
  options: FetchOptions,
): { readonly exchange: HttpExchange; readonly response: Promise<Response> } {
  const { parsedBody } = options
  let respond: (response: Response) => void
  const response = new Promise<Response>((resolve) => (respond = resolve))
  const url = new URL(request.url)
  const closeListeners: (() => void)[] = []
  let isComplete = false
  let opened: StreamOutput | undefined
  let startWatch: StartWatch | undefined
  request.signal.addEventListener('abort', onAbort, { once: true })

  /** A client that disconnected reads nothing more. An error would be printed by servers that read for it, such as Hono's. */
  function onAbort(): void {
    leave()
    opened?.end()
  }

  function leave(): void {
    if (isComplete) return
    isComplete = true
    for (const callback of closeListeners) callback()
    respond(new Response(null, { status: 499 })) // nobody reads it; whoever waits for one must not wait for ever
  }

  const exchange: HttpExchange = {
    method: request.method,
    target: `${url.pathname}${url.search}`,
    header: (name) => request.headers.get(name) ?? (name === 'host' ? url.host : undefined),
    headerNames: () => request.headers.keys(),
    readBody: (limits, memory) => readFetchBody(request, parsedBody, limits, memory),
    chargeOutput(rules, caller) {
      startWatch = (outgoing) => new OutputGuard(rules, caller, outgoing)
    },
    respond(status, headers, body = '') {
      isComplete = true
      const text = textOf(body)
      const { length } = text
      const isLong = length >= uncountedLength && startWatch !== undefined
      if (!isLong) return respond(new Response(text === '' ? null : text, { status, headers }))
      respond(respondLong(text, { status, headers }, startWatch))
    },
    openStream(headers) {
      const { stream, output } = createOutput(() => (isComplete = true), leave, startWatch)
      opened = output
      respond(new Response(stream, { status: 200, headers }))
      return output
    },
    onClosed(callback) {
      if (request.signal.aborted) callback()
      else closeListeners.push(callback)
    },
    waitUntil: options.waitUntil && ((work) => options.waitUntil?.(work)),
    toRequest(origin) {
      const { method, headers, body } = request.body === null ? request : request.clone()
      const init = { method, headers, ...(body && { body, duplex: 'half' as const }) }
      return new Request(`${origin}${url.pathname}${url.search}`, init)
    },
    async respondWith(answer) {
      isComplete = true
      respond(answer)
    },
  }
  return { exchange, response }
}

type StartWatch = (outgoing: Outgoing) => OutputGuard

/** Piece by piece, as only so it is known what has been read. */
function respondLong(
  text: string,
  { status, headers }: { readonly status: number; readonly headers: HttpHeaders },
  startWatch: StartWatch | undefined,
): Response {
  let bytes = new Uint8Array()
  let at = 0
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const waiting = startWatch?.({
    unread: () => bytes.length - at,
    progress: () => at,
    cut: () => controller?.error(new Error('the answer was not read in time')),
  })
  const rejection = waiting?.begin(text.length)
  if (rejection) {
    const { status: rejectedStatus, headers: more } = overLimit(rejection)
    const json = { ...headers, ...more, 'content-type': 'application/json' }
    return new Response(rejectionBody(rejection), { status: rejectedStatus, headers: json })
  }
  bytes = new TextEncoder().encode(text)
  const stream = new ReadableStream<Uint8Array>(
    {
      start(own) {
        controller = own
        waiting?.update()
      },
      pull(own) {
        const from = at
        at += uncountedLength
        own.enqueue(bytes.subarray(from, at))
        if (at < bytes.length) return waiting?.update()
        waiting?.close()
        own.close()
      },
      cancel: () => waiting?.close(),
    },
    { highWaterMark: 0 },
  )
  const sized = { ...headers, 'content-length': String(bytes.length) }
  return new Response(stream, { status, headers: sized })
}

function createOutput(
  onEnd: () => void,
  onCancel: () => void,
  startWatch: StartWatch | undefined,
): { readonly stream: ReadableStream<Uint8Array>; readonly output: StreamOutput } {
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let isOpen = true
  let isEnding = false
  let pulls = 0
  let waiting: OutputGuard | undefined
  let drained: { readonly promise: Promise<void>; release(): void } | undefined

  function unread(): number {
    return capacityBytes - (controller?.desiredSize ?? capacityBytes)
  }

  const progress = (): number => pulls

  function watch(): void {
    if (waiting === undefined && unread() < uncountedLength) return
    waiting ??= startWatch?.({ unread, progress, cut })
    waiting?.update()
  }

  function cut(): void {
    const fail = (): void => controller?.error(new Error('the stream was cut off'))
    if (isEnding) fail()
    else close(fail)
    isEnding = false
  }

  /** The rest of the body has been read. */
  function finish(): void {
    waiting?.close()
    controller?.close()
  }

  const stream = new ReadableStream<Uint8Array>(
    {
      start: (own) => void (controller = own),
      pull() {
        pulls += 1
        release()
        waiting?.update()
        if (isEnding && unread() === 0) finish()
      },
      cancel() {
        isOpen = false
        waiting?.close()
        release()
        onCancel()
      },
    },
    { highWaterMark: capacityBytes, size: (chunk) => chunk?.byteLength ?? 0 },
  )

  function release(): void {
    drained?.release()
    drained = undefined
  }

  function close(end: () => void): void {
    if (!isOpen) return
    isOpen = false
    onEnd()
    end()
    release()
  }

  return {
    stream,
    output: {
      write(text) {
        if (!isOpen || controller === undefined) return
        if (text.length >= uncountedLength) waiting ??= startWatch?.({ unread, progress, cut })
        if (waiting?.begin(text.length)) return cut()
        controller.enqueue(encoder.encode(text))
        watch()
        if ((controller.desiredSize ?? 1) > 0 || drained !== undefined) return
        let free: () => void = () => undefined
        const promise = new Promise<void>((resolve) => (free = resolve))
        drained = { promise, release: free }
      },
      get bufferedBytes() {
        return unread()
      },
      get drained() {
        return drained?.promise
      },
      end: () =>
        close(() => {
          // Nobody tells when the rest of a closed stream has been read.
          if (waiting === undefined || unread() === 0) finish()
          else isEnding = true
        }),
      destroy() {
        waiting?.close()
        cut()
      },
    },
  }
}

/** Reads a body within its limits, or takes what was read before us. */
async function readFetchBody(
  request: Request,
  parsedBody: unknown,
  limits: BodyLimits,
  memory: MemoryShare,
): Promise<RawMessage> {
  if (typeof parsedBody === 'string') return parsedBody
  if (typeof parsedBody === 'object' && parsedBody !== null) return parsedBody
  if (Number(request.headers.get('content-length')) > limits.maxBytes) throw tooLarge(limits)
  if (request.body === null || request.bodyUsed) return ''
  const reader = request.body.getReader()
  let timer: Disposable | undefined
  const tooSlow = new Promise<never>((_, reject) => {
    timer = limits.timer.after(() => reject(new BodyRejected(408, bodyProblems.tooSlow(limits))))
  })
  try {
    return await Promise.race([collect(reader, limits, memory), tooSlow])
  } catch (error) {
    const isOurs = error instanceof BodyRejected || error instanceof HttpError
    throw isOurs ? error : new BodyRejected(400, bodyProblems.cutOff)
  } finally {
    timer?.[Symbol.dispose]()
  }
}

/** Stops at the limit and leaves the rest to the runtime: to cancel it may take the connection away from the answer. */
async function collect(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  limits: BodyLimits,
  memory: MemoryShare,
): Promise<string> {
  const chunks = new BodyChunks()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return new TextDecoder().decode(chunks.take())
    const rejection = memory.reserve(value.byteLength)
    if (rejection) throw overLimit(rejection)
    chunks.add(value)
    if (chunks.size > limits.maxBytes) throw tooLarge(limits)
  }
}

function tooLarge(limits: BodyLimits): BodyRejected {
  return new BodyRejected(413, bodyProblems.tooLarge(limits))
}

/** An endpoint for whatever gives requests and takes responses. */
export interface McpHandler extends Service {
  /** Answers one request. Pass `waitUntil` where the runtime ends work after the response. */
  fetch(request: Request, options?: FetchOptions): Promise<Response>
  /** Figures for a health check. */
  health(): Health
}

/** One endpoint as a web-standard handler; mount its `fetch` wherever requests arrive. */
export function createMcpHandler<App>(
  server: Server<App, unknown>,
  options: HttpOptions = {},
): McpHandler {
  const endpoint = createHttpEndpoint(definitionOf(server), options)
  return {
    ...createRunningService(endpoint),
    health: endpoint.health,
    async fetch(request, about = {}) {
      const { exchange, response } = createFetchExchange(request, about)
      endpoint.handle(exchange)
      return response
    },
  }
}
