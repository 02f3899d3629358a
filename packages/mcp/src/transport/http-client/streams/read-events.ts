import { createParser } from 'eventsource-parser'

import { tooLarge } from '../request/failures.ts'
import type { HttpResponse, HttpExchange } from '../request/http-request.ts'
import type { IdleWatch } from './silence.ts'

/** One server-sent event, complete. */
export interface ServerEvent {
  readonly name: string
  readonly data: string
  /** By which the stream can be taken up again; undefined for none, or one that fits no header. */
  readonly id: string | undefined
}

export interface ReadEventsOptions {
  readonly peer: string
  readonly maxBytes: number
  /** A returned promise means: nothing more until it resolves. */
  readonly onEvent: (event: ServerEvent) => Promise<void> | void
  /** How long to wait before opening the stream again, as the server wishes. */
  readonly onRetry: (ms: number) => void
  /** For a stream without a deadline of its own. */
  readonly silence?: IdleWatch | undefined
}

/** Reads a stream to its end. Rejects if it breaks or sends too much; an incomplete event is dropped. */
export function readEvents(
  answer: HttpResponse,
  exchange: HttpExchange,
  { peer, maxBytes, onEvent, onRetry, silence }: ReadEventsOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const decoder = new TextDecoder()
    let drained: Promise<void> | undefined
    let failure: unknown
    const parser = createParser({
      maxBufferSize: maxBytes,
      onEvent({ id, event = 'message', data }) {
        if (failure !== undefined) return
        const isUsable = id !== undefined && /^[\x20-\x7e]{1,1024}$/.test(id)
        drained = onEvent({ name: event, data, id: isUsable ? id : undefined }) ?? drained
      },
      onComment: () => silence?.comment(),
      onRetry,
      onError({ type }) {
        // Unknown fields are to be ignored.
        if (type === 'max-buffer-size-exceeded') failure = tooLarge(peer, maxBytes, undefined)
      },
    })
    answer.read({
      data(chunk) {
        if (failure !== undefined) return undefined
        silence?.received()
        parser.feed(decoder.decode(chunk, { stream: true }))
        if (failure !== undefined) {
          exchange.abort()
          return undefined
        }
        const waiting = drained
        drained = undefined
        if (waiting) silence?.hold(waiting)
        return waiting
      },
      end(error) {
        silence?.end()
        if (failure !== undefined) reject(failure)
        else if (error === undefined) resolve()
        else reject(error)
      },
    })
  })
}
