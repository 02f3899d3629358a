import type { AuthInfo } from '@parley/mcp'
import type { HttpGuard } from '@parley/mcp/http'
import { testAuth } from '@parley/mcp/testing'

/** Knows callers by a bearer token that is their name; `name+scope` also has a scope. */
export const nameGuard: HttpGuard = {
  async authenticate({ header }) {
    const [subject, ...scopes] = header('authorization')?.replace('Bearer ', '').split('+') ?? []
    if (subject === undefined) {
      const headers = { 'www-authenticate': 'Bearer' }
      return { kind: 'deny', status: 401, headers, message: 'who are you?' }
    }
    const auth: AuthInfo = testAuth({ subject, scopes })
    return { kind: 'allow', auth }
  },
}
/** The header of a caller with that name. */
export const as = (name: string) => ({ authorization: `Bearer ${name}` })
