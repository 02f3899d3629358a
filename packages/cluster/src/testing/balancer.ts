/**
 * A load balancer on loopback for tests and demonstrations of clusters: every request goes to the next server, whatever session it
 * belongs to, and a server that is not ready gets none. It repeats only requests that have certainly not arrived.
 */

import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createBackends, type Backend } from './backends.ts'

/** Where it listens, and how soon it notices what happens to a server. */
export interface BalancerOptions {
  /** @defaultValue 0, a free one */
  readonly port?: number | undefined
  /** How often each server is asked whether it is ready. One that does not answer within a second is gone. @defaultValue 200 */
  readonly readyEveryMs?: number | undefined
}

/** Counts of a balancer's work so far. */
export interface BalancerCounts {
  /** Requests that were passed on. */
  readonly passed: number
  /** Requests that were given to another server because the first could not be connected to. */
  readonly retried: number
  /** Requests that no server was left for, answered with 503. */
  readonly refused: number
  /** Requests that had been sent when their server went away: answered with 502, or cut off. */
  readonly broken: number
}

/** A balancer on loopback, for tests and demonstrations. */
export interface Balancer extends AsyncDisposable {
  /** Its origin, as `http://127.0.0.1:8080`. */
  readonly url: string
  /** The counts so far. */
  readonly counts: BalancerCounts
  /** From now on this server gets its share. `url` is its origin, or an address below it. */
  add(url: string): void
  /** It gets no new requests. Those it has go on. */
  remove(url: string): void
  /** Cuts all connections of one server, or of all, as a broken network would. */
  cut(url?: string): void
  /** Requests to one server, or to all, wait for this long before they are sent. */
  delay(ms: number, url?: string): void
  /** The servers that get requests now. */
  ready(): readonly string[]
}

/**
 * Gives every request to the next server, whatever session it belongs to. A server gets none while it refuses connections or
 * `/readyz` says no, unless all of them say no. A request that could not be connected is given to another; one that may have
 * arrived never is.
 */
export async function startBalancer(options: BalancerOptions = {}): Promise<Balancer> {
  const { port = 0, readyEveryMs = 200 } = options
  const backends = createBackends(readyEveryMs)
  const counts = { passed: 0, retried: 0, refused: 0, broken: 0 }
  const server = createServer({ keepAliveTimeout: 75_000 }, (incoming, outgoing) => {
    outgoing.on('error', () => undefined) // the client is gone
    incoming.on('error', () => undefined)
    passOn(incoming, outgoing, new Set())
  })

  function passOn(incoming: IncomingMessage, outgoing: ServerResponse, tried: Set<Backend>): void {
    const backend = backends.next(tried)
    if (backend === undefined) {
      counts.refused += 1
      return answer(outgoing, 503, 'no server is ready')
    }
    tried.add(backend)
    setTimeout(() => send(backend, incoming, outgoing, tried), backend.delayMs)
  }

  function send(
    backend: Backend,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    tried: Set<Backend>,
  ): void {
    if (outgoing.destroyed) return
    const { method, url, rawHeaders } = incoming
    const { hostname, port: backendPort } = backend.origin
    let isConnected = false
    // A connection for each request: on one that is kept, nobody can tell whether a request arrived before it was closed.
    const passed = request({
      hostname,
      port: backendPort,
      method,
      path: url,
      headers: endToEnd(rawHeaders),
      agent: false,
    })
    backend.open.add(passed)
    passed.once('close', () => backend.open.delete(passed))
    passed.once('socket', (socket) => {
      socket.setNoDelay(true)
      socket.once('connect', () => {
        isConnected = true
        counts.passed += 1
        incoming.pipe(passed)
      })
    })
    passed.once('response', (response) => relay(response, outgoing))
    passed.on('error', () => {
      if (outgoing.destroyed) return // by the client
      if (isConnected) {
        counts.broken += 1
        return outgoing.headersSent
          ? void outgoing.destroy()
          : answer(outgoing, 502, 'the server went away')
      }
      backend.state = 'gone'
      counts.retried += 1
      passOn(incoming, outgoing, tried)
    })
    outgoing.once('close', () => passed.destroy())
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const { port: actual } = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${actual}`,
    counts,
    add: backends.add,
    remove: backends.remove,
    cut(url) {
      for (const backend of backends.find(url)) {
        for (const passed of backend.open) passed.destroy(new Error('cut'))
      }
    },
    delay(ms, url) {
      for (const backend of backends.find(url)) backend.delayMs = ms
    },
    ready: backends.ready,
    async [Symbol.asyncDispose]() {
      backends[Symbol.dispose]()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Bytes as they come. An answer that breaks off is broken off, so that nobody takes a part for the whole. */
function relay(response: IncomingMessage, outgoing: ServerResponse): void {
  outgoing.writeHead(response.statusCode ?? 502, endToEnd(response.rawHeaders))
  outgoing.flushHeaders()
  response.on('error', () => undefined) // it broke off
  response.pipe(outgoing)
  response.once('close', () => {
    if (!response.complete) outgoing.destroy()
  })
}

function answer(outgoing: ServerResponse, status: number, text: string): void {
  const headers = { 'content-type': 'text/plain', 'retry-after': '1' }
  if (!outgoing.destroyed) outgoing.writeHead(status, headers).end(text)
}

const perConnection = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade'])

/** Headers without those that are about one connection, in the order and spelling they came in. */
function endToEnd(rawHeaders: readonly string[]): string[] {
  const endToEndHeaders: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2)
    if (!perConnection.has(name.toLowerCase())) endToEndHeaders.push(name, value)
  }
  return endToEndHeaders
}
