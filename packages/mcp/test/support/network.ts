import { describe, vi } from 'vitest'

import type { Client } from '../../src/client/client.ts'
import type { ConnectOptions } from '../../src/client/options.ts'
import type { UrlEntry } from '../../src/client/server-entry.ts'
import type { TransportKind } from '../../src/rpc/transport.ts'
import type { Revision } from '../../src/schema/revision.ts'
import type { Service } from '../../src/server/serve.ts'
import type { Server } from '../../src/server/server.ts'
import { connect } from '../../src/transport/connect.ts'
import { createMcpHandler } from '../../src/transport/http/fetch-handler.ts'
import type { Health } from '../../src/transport/http/http-options.ts'
import { serveHttp, type ServeHttpOptions } from '../../src/transport/http/serve-http.ts'
import { spokenRevisions } from '../../src/wire/revisions.ts'

/** A definition that is served, and whoever is connected to it. Disposing ends the clients, then the service. */
export interface Network extends AsyncDisposable {
  readonly service: Service & { health(): Health }
  connect(options?: ConnectOptions): Promise<Client>
}

export interface NetworkCase {
  readonly route: string
  readonly transport: TransportKind
  readonly revision: Revision
  /** False: nobody can be asked, cancelled or told of changes. */
  readonly hasSessions: boolean
  serve(server: Server): Promise<Network>
}

/** One way from a client to a server. */
interface Route {
  readonly route: string
  readonly transport: TransportKind
  readonly hasSessions?: false
  open(server: Server): Promise<{
    readonly service: Network['service']
    readonly target: UrlEntry
    readonly fetch?: typeof fetch
  }>
}

const routes: readonly Route[] = [
  {
    route: 'http',
    transport: 'http',
    open: async (server) => listen(server),
  },
  {
    route: 'http, events only',
    transport: 'http',
    open: async (server) => ({ ...(await listen(server)), fetch: fetchEvents }),
  },
  {
    route: 'http without sessions',
    transport: 'http',
    hasSessions: false,
    open: async (server) => listen(server, { sessions: 'off' }),
  },
  {
    route: 'fetch',
    transport: 'http',
    async open(server) {
      const service = createMcpHandler(server)
      const target = { url: 'http://localhost/mcp' }
      return { service, target, fetch: (...args) => service.fetch(new Request(...args)) }
    },
  },
  {
    route: 'sse',
    transport: 'sse',
    async open(server) {
      const { service, target } = await listen(server, { legacySse: true })
      return { service, target: { type: 'sse', url: `${target.url}/sse` } }
    },
  },
  {
    route: 'websocket',
    transport: 'websocket',
    async open(server) {
      const { service, target } = await listen(server, { websocket: true })
      return { service, target: { url: target.url.replace('http:', 'ws:') } }
    },
  },
]

async function listen(server: Server, options: ServeHttpOptions = {}) {
  const service = await serveHttp(server, { port: 0, ownProcess: false, ...options })
  return { service, target: { url: service.url.href } }
}

/** Takes no JSON, so that every answer is a stream. */
const fetchEvents: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers)
  headers.set('accept', 'text/event-stream')
  return fetch(input, { ...init, headers })
}

/** Runs the same tests with our client and our server over every network transport, in every revision we speak. */
export function describeNetwork(
  name: string,
  body: (network: NetworkCase) => void,
  only: { readonly sessions?: boolean; readonly revisions?: readonly Revision[] } = {},
): void {
  const kept = routes.filter(
    ({ hasSessions = true }) => hasSessions === (only.sessions ?? hasSessions),
  )
  describe.each(kept)(`${name} over $route`, ({ route, transport, hasSessions = true, open }) => {
    describe.each(only.revisions ?? spokenRevisions)('in %s', (revision) => {
      body({
        route,
        transport,
        revision,
        hasSessions,
        async serve(server) {
          const { service, target, fetch } = await open(server)
          const clients: Client[] = []
          return {
            service,
            async connect(options) {
              const client = await connect(target, { era: revision, fetch, ...options })
              clients.push(client)
              return client
            },
            async [Symbol.asyncDispose]() {
              await Promise.all(clients.map((client) => client.close()))
              await service[Symbol.asyncDispose]()
            },
          }
        },
      })
    })
  })
}

/** Waits until the claim holds: what crosses a network arrives when it does. */
export function eventually(claim: () => void): Promise<void> {
  return vi.waitFor(claim, { interval: 2, timeout: 10_000 })
}
