import type { IncomingMessage } from 'node:http'

import type { RawMessage } from '../../rpc/transport.ts'
import { BodyRefused, type BodyLimits } from './exchange.ts'

/** Reads a body within its limits, or takes what was read before us, by Express or Fastify. */
export function readNodeBody(
  request: IncomingMessage & { readonly body?: unknown },
  limits: BodyLimits,
): Promise<RawMessage> {
  const { body } = request
  if (typeof body === 'string') return Promise.resolve(body)
  if (Buffer.isBuffer(body)) return Promise.resolve(body.toString())
  if (typeof body === 'object' && body !== null) return Promise.resolve(body)
  if (request.readableEnded) return Promise.resolve('') // read before us, and not kept
  if (Number(request.headers['content-length']) > limits.maxBytes) {
    return Promise.reject(tooLarge(limits.maxBytes))
  }
  return collect(request, limits)
}

function collect(
  request: IncomingMessage,
  { maxBytes, timeoutMs, lateness }: BodyLimits,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const timer = lateness.after(() => {
      stop(new BodyRefused(408, `the body did not arrive within ${timeoutMs} ms (bodyMs)`))
    })

    function stop(error: BodyRefused): void {
      finish()
      request.pause()
      reject(error)
    }
    function finish(): void {
      timer[Symbol.dispose]()
      request.off('data', onData)
      request.off('end', onEnd)
      request.off('close', onClose)
    }
    function onData(chunk: Buffer): void {
      size += chunk.length
      if (size > maxBytes) return stop(tooLarge(maxBytes))
      chunks.push(chunk)
    }
    function onEnd(): void {
      finish()
      const [only] = chunks
      const bytes = chunks.length === 1 && only ? only : Buffer.concat(chunks, size)
      resolve(bytes.toString())
    }
    function onClose(): void {
      stop(new BodyRefused(400, 'the body was cut off'))
    }
    request.on('data', onData)
    request.on('end', onEnd)
    request.on('close', onClose)
    request.on('error', () => undefined) // told by close
  })
}

function tooLarge(maxBytes: number): BodyRefused {
  return new BodyRefused(413, `the body is larger than ${maxBytes} bytes`)
}
