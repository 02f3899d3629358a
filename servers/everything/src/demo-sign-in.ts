import { oauthGuard } from '@parley/auth/resource'
import { createDemoAuth } from '@parley/auth/server'
import type { HttpGuard } from '@parley/mcp/http'

/** Protects the server at `url` by an authorization server of its own, and says who can sign in there. */
export async function requireSignIn(url: URL, log: (line: string) => void): Promise<HttpGuard> {
  const { authServer, user, password } = await createDemoAuth({ url })
  log(`sign in as ${user} with the password ${password}`)
  return oauthGuard({ issuer: authServer })
}
