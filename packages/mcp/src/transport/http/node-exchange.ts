import type { IncomingMessage, ServerResponse } from 'node:http'

import type { RawMessage } from '../../rpc/transport.ts'
import { BodyRefused, type BodyLimits, type HttpExchange, type StreamOutput } from './exchange.ts'

/** An exchange on Node's own request and response: no web-standard objects are made for it. */
export function createNodeExchange(
  request: IncomingMessage & { readonly body?: unknown },
  response: ServerResponse,
): HttpExchange {
  return {
    method: request.method ?? 'GET',
    target: request.url ?? '/',
    header: (name) => {
      const value = request.headers[name]
      return Array.isArray(value) ? value.join(', ') : value
    },
    remoteAddress: request.socket.remoteAddress,
    readBody: (limits) => readBody(request, limits),

    respond(status, headers, body = '') {
      if (response.headersSent || response.destroyed) return
      // One write: the head waits for the body, whose length is known.
      response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
      response.end(body)
      // What is left of a body nobody will read must not be waited for.
      if (!request.complete && headers['connection'] === 'close') request.resume()
    },

    openStream(headers) {
      response.writeHead(200, headers)
      response.flushHeaders()
      return createOutput(response)
    },

    onGone(callback) {
      response.once('close', () => {
        if (!response.writableFinished) callback()
      })
    },
  }
}

function readBody(
  request: IncomingMessage & { readonly body?: unknown },
  limits: BodyLimits,
): Promise<RawMessage> {
  const { body } = request
  if (typeof body === 'string' || (typeof body === 'object' && body !== null)) {
    if (Buffer.isBuffer(body)) return Promise.resolve(body.toString())
    return Promise.resolve(body) // parsed before us, by Express or Fastify
  }
  const length = Number(request.headers['content-length'])
  if (length > limits.maxBytes) return Promise.reject(tooLarge(limits.maxBytes))
  return collect(request, limits)
}

function collect(request: IncomingMessage, { maxBytes, timeoutMs }: BodyLimits): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const timer = setTimeout(() => {
      stop(new BodyRefused(408, `the body did not arrive within ${timeoutMs} ms (bodyMs)`))
    }, timeoutMs)

    function stop(error: BodyRefused): void {
      finish()
      request.pause()
      reject(error)
    }
    function finish(): void {
      clearTimeout(timer)
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

function createOutput(response: ServerResponse): StreamOutput {
  let room: Promise<void> | undefined

  return {
    write(text) {
      if (response.destroyed || response.write(text) || room !== undefined) return
      room = new Promise<void>((resolve) => {
        function release(): void {
          room = undefined
          response.off('drain', release)
          response.off('close', release)
          resolve()
        }
        response.once('drain', release)
        response.once('close', release)
      })
    },
    get bufferedBytes() {
      return response.writableLength
    },
    get room() {
      return room
    },
    end: () => void response.end(),
    destroy: () => void response.destroy(),
  }
}

function tooLarge(maxBytes: number): BodyRefused {
  return new BodyRefused(413, `the body is larger than ${maxBytes} bytes`)
}
