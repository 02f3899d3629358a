import type { IncomingMessage, ServerResponse } from 'node:http'
import process from 'node:process'

import { isOverUnreadLimit } from '../options.ts'
import type { RequestInfo } from '../types.ts'
import type { EventStream, HttpExchange } from './http-exchange.ts'
import { type RequestBody, collectBody } from './requestBody.ts'

const { nextTick } = process

/** An exchange over Node's request and response. What is written in one turn goes out in one piece. */
export class NodeExchange implements HttpExchange {
  readonly method: string
  readonly requestInfo: RequestInfo
  /** Resolves when everything is written, or the client has gone. */
  readonly finished: Promise<void>
  private readonly request: IncomingMessage
  private readonly response: ServerResponse
  private finish!: () => void

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.request = request
    this.response = response
    this.method = request.method ?? 'GET'
    this.requestInfo = new NodeRequestInfo(request)
    this.finished = new Promise((resolve) => (this.finish = resolve))
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  async readBody(maxBytes: number): Promise<RequestBody> {
    if (Number(this.request.headers['content-length']) > maxBytes) {
      this.discardBody()
      return { tooLarge: true }
    }
    return collectBody(this.request, maxBytes)
  }

  /** The rest of a body that is not read is dropped, up to a limit, and the connection closed after the answer. */
  private discardBody(): void {
    this.response.setHeader('connection', 'close')
    this.request.resume()
  }

  reply(status: number, headers: Record<string, string>, body: string | null): void {
    const { response } = this
    if (!response.headersSent) {
      // Set, not spread: a spread costs Node 20 more than all of the rest.
      if (body !== null) headers['content-length'] = String(Buffer.byteLength(body))
      response.writeHead(status, headers)
    }
    response.end(body ?? undefined)
    this.finish()
  }

  openStream(headers: Record<string, string>, onClosed: () => void): EventStream {
    const { response } = this
    let waiting = ''
    let state: 'open' | 'ended' | 'gone' = 'open'
    let isScheduled = false
    const flush = (): void => {
      isScheduled = false
      if (state === 'gone') return
      if (!response.headersSent) {
        // A stream that has ended already needs no chunks, which take two more writes.
        if (state === 'ended') headers['content-length'] = String(Buffer.byteLength(waiting))
        response.writeHead(200, headers)
      }
      if (state === 'ended') {
        response.end(waiting)
        this.finish()
      } else if (waiting !== '') response.write(waiting)
      else response.flushHeaders()
      waiting = ''
      // Its 'close' event says that the client has gone.
      if (isOverUnreadLimit(response.writableLength)) response.destroy()
    }
    const schedule = (): void => {
      if (isScheduled) return
      isScheduled = true
      nextTick(flush)
    }
    response.once('close', () => {
      if (state !== 'open') return
      state = 'gone'
      onClosed()
      this.finish()
    })
    schedule()
    return {
      write(text) {
        if (state !== 'open') return false
        waiting += text
        schedule()
        return true
      },
      end() {
        if (state !== 'open') return
        state = 'ended'
        schedule()
      },
    }
  }
}

const requestKey = Symbol('request')

/**
 * Headers and URL of a request for its handlers, put together when they are read.
 *
 * Both are members of the object itself, as in the official SDK. All objects share the accessors: those of an object literal cost more.
 */
class NodeRequestInfo implements RequestInfo {
  declare headers: RequestInfo['headers']
  declare url: RequestInfo['url']
  declare readonly [requestKey]: IncomingMessage

  constructor(request: IncomingMessage) {
    Object.defineProperty(this, 'headers', headersOfRequest)
    Object.defineProperty(this, 'url', urlOfRequest)
    this[requestKey] = request
  }
}

const headersOfRequest = readOnce('headers', joinHeaders)
const urlOfRequest = readOnce('url', urlOf)

/** Returns an accessor that becomes a value when it is read or set. */
function readOnce(
  name: 'headers' | 'url',
  read: (request: IncomingMessage) => unknown,
): PropertyDescriptor & ThisType<NodeRequestInfo> {
  const settle = (info: NodeRequestInfo, value: unknown) =>
    Object.defineProperty(info, name, { value, writable: true })
  return {
    get() {
      const value = read(this[requestKey])
      settle(this, value)
      return value
    },
    set(value: unknown) {
      settle(this, value)
    },
    enumerable: true,
    configurable: true,
  }
}

/** By name, as `Headers` has them. */
function joinHeaders({ headers }: IncomingMessage): RequestInfo['headers'] {
  return Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}

function urlOf(request: IncomingMessage): URL | undefined {
  const scheme = 'encrypted' in request.socket && request.socket.encrypted ? 'https' : 'http'
  // Express leaves the whole path here when it is mounted somewhere.
  const { originalUrl } = request as { originalUrl?: string }
  try {
    return new URL(
      originalUrl ?? request.url ?? '/',
      `${scheme}://${request.headers.host ?? 'localhost'}`,
    )
  } catch {
    return undefined
  }
}
