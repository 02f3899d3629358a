import { randomBytes } from 'node:crypto'

import { createAuthServer, type AuthServer } from './auth-server.ts'
import type { AuthServerOptions } from './options.ts'
import { createMemoryAuthServerStore } from './stores/memory-store.ts'

/** An authorization server to try things with, and who can sign in at it. */
export interface DemoAuth {
  /** For `oauthGuard({ issuer })`, which then serves its pages too. */
  readonly authServer: AuthServer
  /** The name to sign in with. */
  readonly user: string
  /** The password to sign in with, made anew with each start. */
  readonly password: string
}

/**
 * An authorization server at the origin of the server at `url`, with one person whose password is new each time. Forgets
 * everything when the program ends. Only for this machine.
 */
export async function createDemoAuth(
  options: { readonly url: string | URL } & Pick<AuthServerOptions, 'scopes' | 'audit'>,
): Promise<DemoAuth> {
  const { url, scopes, audit } = options
  const { origin, href } = new URL(url)
  const user = 'demo'
  const password = randomBytes(9).toString('base64url')
  const authServer = await createAuthServer({
    issuer: origin,
    resources: [href],
    name: 'Demo sign-in',
    store: createMemoryAuthServerStore(),
    users: {
      async verify(name, typedPassword) {
        const isRight = name === user && typedPassword === password
        return isRight ? { subject: 'demo-user', claims: { name: 'Demo User' } } : undefined
      },
    },
    scopes,
    audit,
  })
  return { authServer, user, password }
}
