import type { RawMessage } from '../../rpc/transport.ts'
import { BodyRefused, type BodyLimits, type HttpExchange, type StreamOutput } from './exchange.ts'

/** An exchange on web-standard objects, and the response it will have. */
export function createFetchExchange(
  request: Request,
  parsedBody: unknown,
): { readonly exchange: HttpExchange; readonly response: Promise<Response> } {
  let settle: (response: Response) => void
  const response = new Promise<Response>((resolve) => (settle = resolve))
  const url = new URL(request.url)
  const gone: (() => void)[] = []
  let isComplete = false
  request.signal.addEventListener('abort', leave, { once: true })

  function leave(): void {
    if (isComplete) return
    isComplete = true
    for (const callback of gone) callback()
  }

  const exchange: HttpExchange = {
    method: request.method,
    target: `${url.pathname}${url.search}`,
    header: (name) => request.headers.get(name) ?? (name === 'host' ? url.host : undefined),
    readBody: (limits) => readBody(request, parsedBody, limits),
    respond(status, headers, body) {
      isComplete = true
      settle(new Response(body === undefined || body === '' ? null : body, { status, headers }))
    },
    openStream(headers) {
      const { stream, output } = createOutput(() => (isComplete = true), leave)
      settle(new Response(stream, { status: 200, headers }))
      return output
    },
    onGone: (callback) => void gone.push(callback),
  }
  return { exchange, response }
}

async function readBody(
  request: Request,
  parsedBody: unknown,
  { maxBytes, timeoutMs }: BodyLimits,
): Promise<RawMessage> {
  if (typeof parsedBody === 'string') return parsedBody
  if (typeof parsedBody === 'object' && parsedBody !== null) return parsedBody
  if (Number(request.headers.get('content-length')) > maxBytes) throw tooLarge(maxBytes)
  if (request.body === null) return ''
  const reader = request.body.getReader()
  const timer = setTimeout(() => {
    void reader.cancel(new BodyRefused(408, 'too slow')).catch(() => undefined)
  }, timeoutMs)
  const endsAt = Date.now() + timeoutMs
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done && Date.now() >= endsAt) {
        throw new BodyRefused(408, `the body did not arrive within ${timeoutMs} ms (bodyMs)`)
      }
      if (done) return text + decoder.decode()
      size += value.byteLength
      if (size > maxBytes) {
        void reader.cancel().catch(() => undefined)
        throw tooLarge(maxBytes)
      }
      text += decoder.decode(value, { stream: true })
    }
  } catch (error) {
    throw error instanceof BodyRefused ? error : new BodyRefused(400, 'the body was cut off')
  } finally {
    clearTimeout(timer)
  }
}

function createOutput(
  onEnd: () => void,
  onCancel: () => void,
): { readonly stream: ReadableStream<Uint8Array>; readonly output: StreamOutput } {
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let isOpen = true
  let room: { readonly promise: Promise<void>; release(): void } | undefined

  const stream = new ReadableStream<Uint8Array>(
    {
      start: (own) => void (controller = own),
      pull: () => release(),
      cancel() {
        isOpen = false
        release()
        onCancel()
      },
    },
    { highWaterMark: highWaterMark, size: (chunk) => chunk?.byteLength ?? 0 },
  )

  function release(): void {
    room?.release()
    room = undefined
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
        controller.enqueue(encoder.encode(text))
        if ((controller.desiredSize ?? 1) > 0 || room !== undefined) return
        let free: () => void = () => undefined
        const promise = new Promise<void>((resolve) => (free = resolve))
        room = { promise, release: free }
      },
      get bufferedBytes() {
        return highWaterMark - (controller?.desiredSize ?? highWaterMark)
      },
      get room() {
        return room?.promise
      },
      end: () => close(() => controller?.close()),
      destroy: () => close(() => controller?.error(new Error('the reader was too slow'))),
    },
  }
}

const highWaterMark = 64 * 1024

function tooLarge(maxBytes: number): BodyRefused {
  return new BodyRefused(413, `the body is larger than ${maxBytes} bytes`)
}
