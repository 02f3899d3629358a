/**
 * One HTTP request and its response, whatever runtime brought it: the seam between runtimes and the rest of `transport/http`.
 *
 * `node.ts` and `fetch.ts` implement it. Reading a body within limits, writing a response or a stream, and the end of the connection
 * are here; what a request means is not. `HttpHeaders` are lower-case.
 */
import type { SharedTimer } from '../../../rpc/clock.ts'
import type { PreparedResponse } from '../../../rpc/json/json-text.ts'
import type { MemoryShare } from '../../../rpc/memory-budget.ts'
import type { RawMessage } from '../../../rpc/transport.ts'
import type { Caller } from '../../../server/calls/caller.ts'
import { paramMismatch } from '../../../wire/param-headers.ts'
import type { QuotaKey } from '../admitted-request.ts'
import type { ClientCertificate } from '../http-options.ts'
import type { OutputRules } from './waiting-output.ts'

/** One HTTP request and its answer, whatever runtime it came by. */
export interface HttpExchange {
  readonly method: string
  /** Path and query, as in the request line. */
  readonly target: string
  /** Set by a framework that mounts us below a path and takes that path off `target`. */
  readonly originalTarget?: string | undefined
  /** By its lower-case name. */
  header(name: string): string | undefined
  /** The lower-case names of all headers. */
  headerNames(): Iterable<string>
  /** The certificate that the client presented over TLS. Absent if the runtime does not expose it. */
  certificate?(): ClientCertificate | undefined
  /** Absent where the runtime does not say. */
  readonly remoteAddress?: string | undefined
  /**
   * The whole body as text, or as a value if something before us parsed it. Rejects with `BodyRejected`. A promise and no
   * callback, because what waits for it goes on in the `AsyncLocalStorage` of whoever brought the exchange.
   */
  readBody(limits: BodyLimits, memory: MemoryShare): Promise<RawMessage>
  /** Sets the caller to charge for unread output of the response; called before there is any. */
  chargeOutput(rules: OutputRules, caller: QuotaKey): void
  /** The whole answer; called once, and not after `openStream`. */
  respond(status: number, headers: HttpHeaders, body?: string | PreparedResponse): void
  /** Starts an answer that is sent piece by piece. */
  openStream(headers: HttpHeaders): StreamOutput
  /** Calls back if the caller goes away before the answer is complete; at once if it has. */
  onClosed(callback: () => void): void
  /** Keeps the runtime running after the answer. Absent where it runs anyway. */
  readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined
  /** The same request as a web-standard one at that origin; undefined if its target is no path. */
  toRequest(origin: string): Request | undefined
  /** The whole answer, as somebody else made it. */
  respondWith(response: Response): Promise<void>
}

/** A web-standard handler for paths of one's own; undefined for a path that is none of them. */
export type Routes = (request: Request) => Response | undefined | Promise<Response | undefined>

/** The part of a request that handlers may see. */
export function httpOf(exchange: HttpExchange): NonNullable<Caller['http']> {
  const header = (name: string): string | undefined => exchange.header(name.toLowerCase())
  return {
    url: exchange.originalTarget ?? exchange.target,
    header,
    mismatch: (annotations, args) => paramMismatch(annotations, args, header),
    paramHeaders: () => paramHeadersIn(exchange),
    waitUntil: exchange.waitUntil,
  }
}

/** Headers as they were received. */
function paramHeadersIn(exchange: HttpExchange): HttpHeaders | undefined {
  let found: { [name: string]: string } | undefined
  for (const name of exchange.headerNames()) {
    const value = name.startsWith(paramPrefix) ? exchange.header(name) : undefined
    if (value !== undefined) (found ??= {})[name] = value
  }
  return found
}

const paramPrefix = 'mcp-param-'

/**
 * As the client asked for it: a framework that mounts us may have shortened `target`. Not by `new URL`, which throws at
 * what some send as a path.
 */
export function pathOf({
  target,
  originalTarget = target,
}: Pick<HttpExchange, 'target' | 'originalTarget'>): string {
  const query = originalTarget.indexOf('?')
  const path = query === -1 ? originalTarget : originalTarget.slice(0, query)
  // Whole URLs are for proxies, but a server must take them: RFC 9112, section 3.2.2.
  return path.startsWith('http') ? path.replace(/^https?:\/\/[^/]*/, '') || '/' : path
}

export interface HttpHeaders {
  readonly [name: string]: string
}

export interface BodyLimits {
  readonly maxBytes: number
  readonly timeoutMs: number
  /** Tells when that time is over. */
  readonly timer: SharedTimer
}

/** A body that was not read to its end, and the status that says why. */
export class BodyRejected extends Error {
  override readonly name = 'BodyRefused'
  readonly status: 400 | 408 | 413

  constructor(status: 400 | 408 | 413, message: string) {
    super(message)
    this.status = status
  }
}

/** The error for a body that cannot be read. */
export const bodyProblems = {
  cutOff: 'the body was cut off',
  tooLarge: ({ maxBytes }: BodyLimits) => `the body is larger than ${maxBytes} bytes`,
  tooSlow: ({ timeoutMs }: BodyLimits) => `the body did not arrive within ${timeoutMs} ms (bodyMs)`,
} as const

/** The body of an answer under way. */
export interface StreamOutput {
  /** Set where the reader may read only while it is authorized: calls back when it no longer is. */
  watchReader?: ((onEnded: () => void) => Disposable) | undefined
  write(text: string): void
  /** Written but not taken by the network yet. */
  readonly bufferedBytes: number
  /** Set while there is much more than the network takes; resolves when it has caught up. */
  readonly drained: Promise<void> | undefined
  end(): void
  /** Cuts the connection at once. */
  destroy(): void
}

/** Bytes that may wait for the network before a writer has to wait. A short burst does not mean that the client reads slowly. */
export const capacityBytes = 256 * 1024

/** Small pieces that are joined to one, which costs less memory. */
const maxPieces = 256
const smallBytes = 4_096

/** A body as far as it has arrived. A stranger may send it byte by byte, each in an object of its own. */
export class BodyChunks {
  size = 0
  private chunks: Uint8Array[] = []
  private small = 0

  add(chunk: Uint8Array): void {
    this.size += chunk.length
    this.chunks.push(chunk)
    this.small = chunk.length < smallBytes ? this.small + 1 : 0
    if (this.small < maxPieces) return
    const pieces = this.chunks.splice(-this.small)
    this.chunks.push(join(pieces))
    this.small = 0
  }

  /** All of it. */
  take(): Uint8Array {
    const [only] = this.chunks
    const isOne = this.chunks.length === 1 && only !== undefined
    const bytes = isOne ? only : join(this.chunks)
    this.chunks = []
    return bytes
  }
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}
