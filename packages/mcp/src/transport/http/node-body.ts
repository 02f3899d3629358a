import type { IncomingMessage } from 'node:http'

import type { RawMessage } from '../../rpc/transport.ts'
import { BodyRefused, type BodyLimits } from './exchange.ts'

/** Reads a body within its limits, or takes what was read before us, by Express or Fastify. */
export function readNodeBody(
  request: IncomingMessage & { readonly body?: unknown },
  limits: BodyLimits,
  onBody: (body: RawMessage) => void,
  onRefused: (refusal: BodyRefused) => void,
): void {
  const { body } = request
  if (typeof body === 'string') return onBody(body)
  if (Buffer.isBuffer(body)) return onBody(body.toString())
  if (typeof body === 'object' && body !== null) return onBody(body)
  if (request.readableEnded) return onBody('') // read before us, and not kept
  if (Number(request.headers['content-length']) > limits.maxBytes) {
    return onRefused(new BodyRefused(413, tooLarge(limits.maxBytes)))
  }
  new Collecting(request, limits, onBody, onRefused).begin()
}

/** A body on its way. A class, because one is made for every request; what listens stays until the request is gone. */
class Collecting {
  private readonly request: IncomingMessage
  private readonly limits: BodyLimits
  private readonly onBody: (body: RawMessage) => void
  private readonly onRefused: (refusal: BodyRefused) => void
  private timer: Disposable | undefined
  private readonly chunks: Buffer[] = []
  private size = 0
  private isOver = false

  constructor(
    request: IncomingMessage,
    limits: BodyLimits,
    onBody: (body: RawMessage) => void,
    onRefused: (refusal: BodyRefused) => void,
  ) {
    this.request = request
    this.limits = limits
    this.onBody = onBody
    this.onRefused = onRefused
  }

  begin(): void {
    const { request, limits } = this
    this.timer = limits.lateness.after(() =>
      this.stop(408, `the body did not arrive within ${limits.timeoutMs} ms (bodyMs)`),
    )
    request.on('data', (chunk: Buffer) => this.take(chunk))
    request.on('end', () => this.finish())
    request.on('close', () => this.stop(400, 'the body was cut off'))
    request.on('error', () => undefined) // told by close
  }

  private take(chunk: Buffer): void {
    if (this.isOver) return
    this.size += chunk.length
    if (this.size > this.limits.maxBytes) this.stop(413, tooLarge(this.limits.maxBytes))
    else this.chunks.push(chunk)
  }

  private finish(): void {
    if (!this.end()) return
    const [only] = this.chunks
    const isOne = this.chunks.length === 1 && only !== undefined
    const bytes = isOne ? only : Buffer.concat(this.chunks, this.size)
    this.onBody(bytes.toString())
  }

  private stop(status: BodyRefused['status'], why: string): void {
    if (!this.end()) return
    this.request.pause()
    this.onRefused(new BodyRefused(status, why))
  }

  /** False if it was over already. */
  private end(): boolean {
    if (this.isOver) return false
    this.isOver = true
    this.timer?.[Symbol.dispose]()
    return true
  }
}

function tooLarge(maxBytes: number): string {
  return `the body is larger than ${maxBytes} bytes`
}
