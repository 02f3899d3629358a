import type { AuthInfo } from '@parley/mcp'

/** The token behind a caller, for those in this package who may exchange it; handlers cannot reach it. */
export const subjectTokens = new WeakMap<AuthInfo, string>()
