import { type Revision, supportedRevisions, type TransportKind } from '@parley/mcp'
import { type Client, connect, type ConnectOptions, type UrlEntry } from '@parley/mcp/client'
import { createMcpHandler } from '@parley/mcp/http'
import { type Health, serveHttp, type ServeHttpOptions } from '@parley/mcp/node'
import type { Server, Service } from '@parley/mcp/server'
import { vi } from 'vitest'

import { describeCells } from '../../../../test-support/cells.ts'
import { legacyRevisions } from '../../src/wire/revisions.ts'

/** A definition that is served, and whoever is connected to it. Disposing ends the clients, then the service. */
export interface Network extends AsyncDisposable {
  readonly service: Service & { health(): Health }
  connect(options?: ConnectOptions): Promise<Client>
}

export interface NetworkCase {
  readonly route: string
  readonly transport: TransportKind
  readonly revision: Revision
  /** Whether the service counts each client: where it remembers them, or holds a connection for them. */
  readonly hasSessions: boolean
  /** False: nobody can be asked, cancelled or told of changes. */
  readonly hasWayBack: boolean
  /** Whether the client begins with `initialize`. */
  readonly hasHandshake: boolean
  serve(server: Server): Promise<Network>
}

/** One way from a client to a server. */
interface Route {
  readonly route: string
  readonly transport: TransportKind
  /** @defaultValue true */
  readonly hasSessions?: boolean
  /** @defaultValue all */
  readonly revisions?: readonly Revision[]
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
    revisions: legacyRevisions, // the transport is older than requests that stand for themselves
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
  const service = await serveHttp(server, { port: 0, ownsProcess: false, ...options })
  return { service, target: { url: service.url.href } }
}

/** Takes no JSON, so that every answer is a stream. */
const fetchEvents: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers)
  headers.set('accept', 'text/event-stream')
  return fetch(input, { ...init, headers })
}

/** Which cases a test is about. */
interface Only {
  readonly wayBack?: boolean
  readonly revisions?: readonly Revision[]
}

/**
 * Runs the same tests with our client and our server over every network transport, in every revision it can speak: by day
 * each test in two of these cells, one of them in the newest revision where that is among them.
 */
export function describeNetwork(
  name: string,
  body: (network: NetworkCase) => void,
  only: Only = {},
): void {
  const cells = routes.flatMap((way) =>
    revisionsOf(way, only).map((revision) => ({ way, revision })),
  )
  describeCells(name, cells, ({ way, revision }) => body(createCase(way, revision)), {
    nameOf: ({ way, revision }) => `over ${way.route} in ${revision}`,
    axesOf: ({ way, revision }) => ({
      route: way.route,
      transport: way.transport,
      revision,
      handshake: String(legacyRevisions.includes(revision)),
    }),
    always: ({ revision }) => !legacyRevisions.includes(revision),
  })
}

function createCase(way: Route, revision: Revision): NetworkCase {
  const { route, transport, hasSessions = true, open } = way
  const hasHandshake = legacyRevisions.includes(revision)
  return {
    route,
    transport,
    revision,
    hasSessions: hasHandshake ? hasSessions : transport === 'websocket',
    hasWayBack: hasWayBack(way, revision),
    hasHandshake,
    async serve(server) {
      const { service, target, fetch } = await open(server)
      const clients: Client[] = []
      return {
        service,
        async connect(options) {
          const client = await connect(target, { protocolVersion: revision, fetch, ...options })
          clients.push(client)
          return client
        },
        async [Symbol.asyncDispose]() {
          await Promise.all(clients.map((client) => client.close()))
          await service[Symbol.asyncDispose]()
        },
      }
    },
  }
}

function revisionsOf(route: Route, { wayBack, revisions = supportedRevisions }: Only): Revision[] {
  return (route.revisions ?? supportedRevisions).filter(
    (revision) =>
      revisions.includes(revision) &&
      hasWayBack(route, revision) === (wayBack ?? hasWayBack(route, revision)),
  )
}

/** Without a handshake questions are part of the answer, and who closes it has cancelled. */
function hasWayBack({ hasSessions = true }: Route, revision: Revision): boolean {
  return hasSessions || !legacyRevisions.includes(revision)
}

/** Waits until the claim holds: what crosses a network arrives when it does. */
export function eventually(claim: () => void): Promise<void> {
  return vi.waitFor(claim, { interval: 2 })
}
