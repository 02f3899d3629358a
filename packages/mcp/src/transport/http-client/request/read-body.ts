import type { Clock } from '../../../rpc/clock.ts'
import { McpError } from '../../../rpc/errors/mcp-error.ts'
import { tooLarge } from './failures.ts'
import { RequestFailure, type HttpResponse, type HttpExchange } from './http-request.ts'

export interface ReadBodyOptions {
  readonly peer: string
  readonly clock: Clock
  /** More is refused, or cut off if `isExcerpt`. */
  readonly maxBytes: number
  /** Silence in the middle of a body. */
  readonly stallMs: number
  /** The beginning is enough. */
  readonly isExcerpt?: boolean | undefined
}

/** A whole body as text. */
export function readBody(
  answer: HttpResponse,
  exchange: HttpExchange,
  { peer, clock, maxBytes, stallMs, isExcerpt = false }: ReadBodyOptions,
): Promise<string> {
  const announced = announcedBytes(answer)
  if (announced > maxBytes && !isExcerpt) {
    exchange.abort()
    return Promise.reject(tooLarge(peer, maxBytes, announced))
  }
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let bytes = 0
    let timer: Disposable | undefined
    let isOver = false
    const finish = (): void => {
      isOver = true
      timer?.[Symbol.dispose]()
      resolve(textOf(chunks, bytes))
    }
    const give = (error: unknown): void => {
      isOver = true
      timer?.[Symbol.dispose]()
      reject(error)
      exchange.abort()
    }
    const watch = (): void => {
      timer?.[Symbol.dispose]()
      timer = clock.setTimer(() => give(stalled(stallMs)), stallMs)
    }
    if (isExcerpt) watch() // perhaps nobody else does: a refused notification has no deadline
    answer.read({
      data(chunk) {
        if (isOver) return
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes > maxBytes) {
          if (!isExcerpt) return give(tooLarge(peer, maxBytes, undefined))
          finish()
          return exchange.abort()
        }
        if (bytes === announced) return // the end comes at once
        watch()
      },
      end(error) {
        if (error === undefined || isExcerpt) finish()
        else give(error instanceof McpError ? error : new RequestFailure(error, { sent: true }))
      },
    })
  })
}

/** The length of the body; 0 if it is compressed, because then it is not known. */
function announcedBytes(answer: HttpResponse): number {
  if (answer.header('content-encoding') !== undefined) return 0
  return Number(answer.header('content-length') ?? 0)
}

function stalled(ms: number): RequestFailure {
  return new RequestFailure(new Error(`the answer stopped for ${ms} ms`), { sent: true })
}

function textOf(chunks: readonly Uint8Array[], bytes: number): string {
  const [first] = chunks
  if (first === undefined) return ''
  if (chunks.length === 1) return decoder.decode(first)
  const whole = new Uint8Array(bytes)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return decoder.decode(whole)
}

const decoder = new TextDecoder()
