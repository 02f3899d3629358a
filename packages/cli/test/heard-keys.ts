import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { onTestFinished } from 'vitest'

/** A server that refuses everybody and remembers what came as `x-key`: what a configuration file sent to it. */
export async function hearKeys(): Promise<{ received: (string | undefined)[]; origin: string }> {
  const received: (string | undefined)[] = []
  const server = createServer((request, response) => {
    received.push(request.headers['x-key']?.toString())
    response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo // it listens on a port
  return { received, origin: `http://127.0.0.1:${port}` }
}
