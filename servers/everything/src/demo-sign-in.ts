import { protect } from '@parley/auth/resource'
import { demoAuth } from '@parley/auth/server'
import type { Guard } from '@parley/mcp/http'

/** Protects the server at `url` by an authorization server of its own, and says who can sign in there. */
export async function requireSignIn(url: URL, log: (line: string) => void): Promise<Guard> {
  const { authServer, user, password } = await demoAuth({ url })
  log(`sign in as ${user} with the password ${password}`)
  return protect({ issuer: authServer })
}
