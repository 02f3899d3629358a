import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { AuthServer, AuthServerOptions } from '@parley/auth/server'

import type { MaybePromise } from '../../src/shared/maybe-promise.ts'
import { ada, secret, startAuthServer, type Harness } from './harness.ts'

/** The same server, on a port of this machine. */
export interface Listening extends Harness, AsyncDisposable {}

/** Starts an authorization server whose issuer is the address it listens on. */
export function listenAuthServer(options: Partial<AuthServerOptions> = {}): Promise<Listening> {
  return listen(() => options)
}

/** One where people sign in with accounts of another, which listens beside it. */
export async function listenThirdParty(clients: AuthServerOptions['clients']): Promise<Listening> {
  return listen(async (issuer) => {
    const callback = `${issuer}/sign-in-callback/example`
    const provider = await listen(
      () => ({
        users: ada,
        scopes: undefined,
        clients: [
          { clientId: 'us', clientSecret: secret, name: 'Our Server', redirectUris: [callback] },
        ],
      }),
      'localhost',
    ) // cookies know hosts, not ports
    return {
      clients,
      users: undefined,
      fetch,
      signInWith: [
        { issuer: provider.issuer, name: 'Example', clientId: 'us', clientSecret: secret },
      ],
      onEnd: () => provider[Symbol.asyncDispose](),
    }
  })
}

async function listen(
  describe: (
    issuer: string,
  ) => MaybePromise<Partial<AuthServerOptions> & { readonly onEnd?: () => PromiseLike<void> }>,
  host = '127.0.0.1',
): Promise<Listening> {
  let server: AuthServer | undefined
  const http = createServer((request, response) => server?.handler(request, response))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo // listening on an address, not a pipe
  const issuer = `http://${host}:${port}`
  const { onEnd, ...options } = await describe(issuer)
  const harness = await startAuthServer({ issuer, ...options })
  server = harness.server
  return {
    ...harness,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
      await onEnd?.()
    },
  }
}
