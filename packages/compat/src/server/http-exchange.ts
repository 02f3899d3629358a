/**
 * One HTTP request and its response, for the Streamable HTTP transport: over a web `Request` here, over Node's objects in
 * `node-exchange.ts`. The transport decides what to answer, an exchange only how to send it.
 */

import { isOverUnreadLimit } from '../options.ts'
import type { RequestInfo } from '../types.ts'
import { type RequestBody, readRequestBody } from './requestBody.ts'

/** An open event stream. */
export interface EventStream {
  /** Sends text; `false` if the client has gone. */
  write(text: string): boolean
  end(): void
}

export interface HttpExchange {
  readonly method: string
  readonly requestInfo: RequestInfo
  header(name: string): string | undefined
  readBody(maxBytes: number): Promise<RequestBody>
  /** Sends the whole response. The exchange may add to the headers, here and below. */
  reply(status: number, headers: Record<string, string>, body: string | null): void
  /** Starts an event stream. `onGone` is called if the client goes first. */
  openStream(headers: Record<string, string>, onClosed: () => void): EventStream
}

/** An exchange whose response is a web `Response`. */
export class WebExchange implements HttpExchange {
  readonly method: string
  readonly requestInfo: RequestInfo
  readonly response: Promise<Response>
  private readonly request: Request
  private resolve!: (response: Response) => void

  constructor(request: Request) {
    this.request = request
    this.method = request.method
    this.requestInfo = {
      headers: Object.fromEntries(request.headers.entries()),
      url: new URL(request.url),
    }
    this.response = new Promise((resolve) => (this.resolve = resolve))
  }

  header(name: string): string | undefined {
    return this.request.headers.get(name) ?? undefined
  }

  readBody(maxBytes: number): Promise<RequestBody> {
    return readRequestBody(this.request, maxBytes)
  }

  reply(status: number, headers: Record<string, string>, body: string | null): void {
    this.resolve(new Response(body, { status, headers }))
  }

  openStream(headers: Record<string, string>, onClosed: () => void): EventStream {
    const encoder = new TextEncoder()
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined
    const leave = (): void => {
      controller = undefined
      onClosed()
    }
    const body = new ReadableStream<Uint8Array>(
      {
        start: (head) => {
          controller = head
        },
        cancel: leave,
      },
      new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
    )
    this.resolve(new Response(body, { status: 200, headers }))
    return {
      write(text) {
        if (!controller) return false
        controller.enqueue(encoder.encode(text))
        // The desired size counts down from 0 by each byte in the queue.
        if (!isOverUnreadLimit(-(controller.desiredSize ?? 0))) return true
        controller.error(new Error('the client does not read'))
        leave()
        return false
      },
      end() {
        controller?.close()
        controller = undefined
      },
    }
  }
}
