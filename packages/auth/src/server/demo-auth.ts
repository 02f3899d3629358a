import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createAuthServer, type AuthServer } from './auth-server.ts'
import { serverMemoryStore } from './memory-store.ts'
import type { AuthServerOptions } from './options.ts'

/** An authorization server to try things with, and who can sign in at it. */
export interface DemoAuth extends AsyncDisposable {
  /** For `protect({ issuer })`. */
  readonly authServer: AuthServer
  readonly user: string
  readonly password: string
}

/**
 * Starts an authorization server on this machine for the server at `url`, with one person whose password is new each time.
 * Forgets everything when it ends.
 */
export async function demoAuth(options: {
  readonly url: string | URL
  /** @defaultValue 0, which picks a free one */
  readonly port?: number | undefined
  readonly scopes?: AuthServerOptions['scopes']
  readonly audit?: AuthServerOptions['audit']
}): Promise<DemoAuth> {
  const { url, port = 0, scopes, audit } = options
  const user = 'demo'
  const password = randomBytes(9).toString('base64url')
  const http = createServer((request, response) => authServer.handler(request, response))
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject)
    http.listen(port, '127.0.0.1', resolve)
  })
  const { port: actual } = http.address() as AddressInfo // listening on an address, not a pipe
  const authServer = await createAuthServer({
    issuer: `http://127.0.0.1:${actual}`,
    resources: [String(url)],
    name: 'Demo sign-in',
    store: serverMemoryStore(),
    users: {
      async verify(name, given) {
        const isRight = name === user && given === password
        return isRight ? { subject: 'demo-user', claims: { name: 'Demo User' } } : undefined
      },
    },
    scopes,
    audit,
  })

  return {
    authServer,
    user,
    password,
    async [Symbol.asyncDispose]() {
      await authServer[Symbol.asyncDispose]()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}
