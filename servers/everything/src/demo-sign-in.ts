import { protect } from '@parley/auth/resource'
import { demoAuth } from '@parley/auth/server'
import type { ServeHttpOptions } from '@parley/mcp/node'

/** Protects the server at `url` by an authorization server of its own, and prints who can sign in there. */
export async function requireSignIn(url: URL): Promise<Pick<ServeHttpOptions, 'url' | 'auth'>> {
  const { authServer, user, password } = await demoAuth({ url })
  console.error(`sign in as ${user} with the password ${password}`)
  return { url, auth: protect({ issuer: authServer }) }
}
