import type { IncomingMessage } from 'node:http'

import type { HeldBytes } from '../../../rpc/byte-account.ts'
import type { RawMessage } from '../../../rpc/transport.ts'
import { noRoom } from '../admission/capacity.ts'
import { BodyChunks } from './body-chunks.ts'
import { BodyRefused, type BodyLimits } from './exchange.ts'

/** Reads a body within its limits, or takes what was read before us, by Express or Fastify. */
export function readNodeBody(
  request: IncomingMessage & { readonly body?: unknown },
  limits: BodyLimits,
  held: HeldBytes,
): Promise<RawMessage> {
  const { body } = request
  if (typeof body === 'string') return Promise.resolve(body)
  if (Buffer.isBuffer(body)) return Promise.resolve(body.toString())
  if (typeof body === 'object' && body !== null) return Promise.resolve(body)
  const length = request.headers['content-length']
  if (request.readableEnded) {
    const why = 'the body was read before it came here; pass it on as request.body'
    return length === '0' ? Promise.resolve('') : Promise.reject(new BodyRefused(400, why))
  }
  if (Number(length) > limits.maxBytes) {
    return Promise.reject(new BodyRefused(413, tooLarge(limits.maxBytes)))
  }
  return new Promise((resolve, reject) => new Collecting(request, limits, held, resolve, reject))
}

/** A body on its way. A class, because one is made for every request; what listens stays until the request is gone. */
class Collecting {
  private readonly request: IncomingMessage
  private readonly limits: BodyLimits
  private readonly resolve: (text: string) => void
  private readonly reject: (error: Error) => void
  private readonly held: HeldBytes
  private readonly timer: Disposable
  private readonly chunks = new BodyChunks()
  private isOver = false

  constructor(
    request: IncomingMessage,
    limits: BodyLimits,
    held: HeldBytes,
    resolve: (text: string) => void,
    reject: (error: Error) => void,
  ) {
    this.request = request
    this.limits = limits
    this.held = held
    this.resolve = resolve
    this.reject = reject
    this.timer = limits.timer.after(() =>
      this.stop(408, `the body did not arrive within ${limits.timeoutMs} ms (bodyMs)`),
    )
    request.on('data', (chunk: Buffer) => this.take(chunk))
    request.on('end', () => this.finish())
    request.on('close', () => this.stop(400, 'the body was cut off'))
    request.on('error', () => undefined) // told by close
  }

  private take(chunk: Buffer): void {
    if (this.isOver) return
    const refusal = this.held.reserve(chunk.length)
    if (refusal) return this.fail(noRoom(refusal))
    this.chunks.add(chunk)
    if (this.chunks.size > this.limits.maxBytes) this.stop(413, tooLarge(this.limits.maxBytes))
  }

  private finish(): void {
    if (!this.end()) return
    const { buffer, byteOffset, length } = this.chunks.take()
    this.resolve(Buffer.from(buffer, byteOffset, length).toString())
  }

  private stop(status: BodyRefused['status'], why: string): void {
    this.fail(new BodyRefused(status, why))
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

function tooLarge(maxBytes: number): string {
  return `the body is larger than ${maxBytes} bytes`
}
