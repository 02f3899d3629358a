import type { AuthInfo } from '@parley/mcp'

import { AuthError } from '../shared/auth-error.ts'

/** The token behind a caller, for those in this package who may exchange it; handlers cannot reach it. */
export const subjectTokens = new WeakMap<AuthInfo, string>()

/**
 * The token that a caller was verified by, for who may see it: the issuer that it is from, or a resource that it was issued
 * for. Throws `token_refused` for anybody else, and for a caller without a token.
 */
export function callerToken(
  auth: AuthInfo,
  to: { readonly issuer: string } | { readonly resource: string },
): string {
  const token = subjectTokens.get(auth)
  if (token === undefined) throw rejected('this caller was not verified by a token')
  if ('issuer' in to) {
    if (auth.issuer === to.issuer) return token
    throw rejected(`the caller's token is from ${auth.issuer}, and is not sent to ${to.issuer}`)
  }
  if (auth.confirmation !== undefined) {
    throw rejected("the caller's token is bound to a key of its client, and is of no use to others")
  }
  if (auth.audience.includes(to.resource)) return token
  const meant = auth.audience.join(', ').slice(0, 300)
  throw rejected(`the caller's token is for ${meant}, and is not sent to ${to.resource}`)
}

function rejected(why: string): AuthError {
  return new AuthError('token_refused', why, { step: 'token' })
}
