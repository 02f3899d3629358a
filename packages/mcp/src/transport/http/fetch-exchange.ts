import { textOf } from '../../rpc/prepared-json.ts'
import { roomBytes, type HttpExchange, type StreamOutput } from './exchange.ts'
import { readFetchBody } from './fetch-body.ts'

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
  let opened: StreamOutput | undefined
  request.signal.addEventListener('abort', onAbort, { once: true })

  function onAbort(): void {
    leave()
    opened?.destroy()
  }

  function leave(): void {
    if (isComplete) return
    isComplete = true
    for (const callback of gone) callback()
    settle(new Response(null, { status: 499 })) // nobody reads it; whoever waits for one must not wait for ever
  }

  const exchange: HttpExchange = {
    method: request.method,
    target: `${url.pathname}${url.search}`,
    header: (name) => request.headers.get(name) ?? (name === 'host' ? url.host : undefined),
    readBody: (limits) => readFetchBody(request, parsedBody, limits),
    respond(status, headers, body = '') {
      isComplete = true
      settle(new Response(body === '' ? null : textOf(body), { status, headers }))
    },
    openStream(headers) {
      const { stream, output } = createOutput(() => (isComplete = true), leave)
      opened = output
      settle(new Response(stream, { status: 200, headers }))
      return output
    },
    onGone(callback) {
      if (request.signal.aborted) callback()
      else gone.push(callback)
    },
    toRequest(origin) {
      const { method, headers, body } = request.body === null ? request : request.clone()
      const init = { method, headers, ...(body && { body, duplex: 'half' as const }) }
      return new Request(`${origin}${url.pathname}${url.search}`, init)
    },
    async respondWith(answer) {
      isComplete = true
      settle(answer)
    },
  }
  return { exchange, response }
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
    { highWaterMark: roomBytes, size: (chunk) => chunk?.byteLength ?? 0 },
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
        return roomBytes - (controller?.desiredSize ?? roomBytes)
      },
      get room() {
        return room?.promise
      },
      end: () => close(() => controller?.close()),
      destroy: () => close(() => controller?.error(new Error('the stream was cut off'))),
    },
  }
}
