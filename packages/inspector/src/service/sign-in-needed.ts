import { isMcpError } from '@parley/mcp'

import { isCommand } from './servers/entry-view.ts'
import type { ServerHold } from './servers/server-hold.ts'

/**
 * Whether signing in would help: the server answered 401, and no `Authorization` was given for it by hand, which would
 * be sent in place of a token.
 */
export function needsSignIn({ entry }: ServerHold, error: unknown): boolean {
  if (isCommand(entry) || !isMcpError(error, 'unauthorized')) return false
  return !Object.keys(entry.headers ?? {}).some((name) => name.toLowerCase() === 'authorization')
}
