import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Where apps must not reach: whatever arrives is written down. */
export interface Lair extends AsyncDisposable {
  readonly origin: string
  /** The paths that were asked for, in order. */
  readonly arrived: readonly string[]
  /** Forgets what arrived after the first so many. */
  forget(after: number): void
}

/** Listens on a port of loopback, for requests of any kind. */
export async function openLair(): Promise<Lair> {
  const arrived: string[] = []
  const server = createServer((request, response) => {
    arrived.push(request.url ?? '')
    response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'text/html' })
    response.end('<p>lair</p>')
  })
  server.on('upgrade', (request, socket) => {
    arrived.push(request.url ?? '')
    socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port

  return {
    origin: `http://127.0.0.1:${port}`,
    arrived,
    forget: (after) => void arrived.splice(after),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
