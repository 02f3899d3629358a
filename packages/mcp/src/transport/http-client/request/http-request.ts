import { errorMessage } from '../../../rpc/errors/on-error.ts'

/** One HTTP request, complete with its headers. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly url: URL
  readonly headers: HttpHeaders
  readonly body?: string | undefined
  /** From now on bytes may have left. */
  readonly onSent?: (() => void) | undefined
}
export type HttpHeaders = { readonly [name: string]: string }

/** The head of an answer; its body is read once, or discarded. */
export interface HttpResponse {
  readonly status: number
  /** By its name in lower case. */
  header(name: string): string | undefined
  read(sink: BodySink): void
  /** Drops the body. Keeps the connection where that is cheap, and resolves when it can be used again. */
  discard(): Promise<void>
}

/** Where a body goes as it arrives. */
export interface BodySink {
  /** A returned promise means: nothing more until it resolves. */
  data(chunk: Uint8Array): Promise<void> | void
  /** Once; with an error if the body broke off. */
  end(error?: unknown): void
}

/** A request under way. */
export interface HttpExchange {
  /** Rejects with a `RequestFailure` if no answer came. */
  readonly answer: Promise<HttpResponse>
  /** Gives it up at any time; a body that is being read ends with an error. */
  abort(): void
}

/** Sends HTTP requests, by an agent of Node or by `fetch`. Does not follow redirects. */
export interface HttpRequester {
  start(call: HttpRequest): HttpExchange
  /**
   * Whether headers may repeat the trace context: not where a page would have to be allowed to send them, and not with a
   * `fetch` that may add them itself.
   */
  readonly repeatsTrace?: boolean
  /** Ends what is under way and lets go of idle connections. */
  close(): void
}

/** No answer came to an HTTP request. */
export class RequestFailure extends Error {
  override readonly name = 'RequestFailure'
  /** False if the request certainly never reached the server. */
  readonly sent: boolean
  /** The error code of the system, such as `ECONNREFUSED`. */
  readonly systemCode: string | undefined

  constructor(cause: unknown, { sent }: { readonly sent: boolean }) {
    super(errorMessage(cause), { cause })
    this.sent = sent
    this.systemCode = systemCodeOf(cause)
  }
}

/** The system's name for a failure, on the error or on what caused it. */
export function systemCodeOf(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth += 1) {
    if ('code' in at && typeof at.code === 'string') return at.code
  }
  return undefined
}
