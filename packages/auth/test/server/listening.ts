import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { AuthServer } from '../../src/server/auth-server.ts'
import type { AuthServerOptions } from '../../src/server/options.ts'
import { startAuthServer, type Harness } from './harness.ts'

/** The same server, on a port of this machine. */
export interface Listening extends Harness, AsyncDisposable {}

/** Starts an authorization server whose issuer is the address it listens on. */
export async function listenAuthServer(
  options: Partial<AuthServerOptions> = {},
): Promise<Listening> {
  let server: AuthServer | undefined
  const http = createServer((request, response) => server?.handler(request, response))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo // listening on an address, not a pipe
  const harness = await startAuthServer({ issuer: `http://127.0.0.1:${port}`, ...options })
  server = harness.server
  return {
    ...harness,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}
