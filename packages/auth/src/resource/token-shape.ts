import { isJsonObject } from '@parley/mcp/json'

import { type JsonObject } from '../shared/json.ts'

/** RFC 9068: an access token says that it is one. */
export const accessTokenTyp = 'at+jwt'

/** Why a token does not look like an access token, or undefined if it does. */
export function findShapeFault(
  typ: unknown,
  claims: JsonObject,
  acceptTyp: readonly string[],
): string | undefined {
  const name = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : 'jwt'
  const isAccepted = acceptTyp.some((accepted) => accepted.toLowerCase() === name)
  if (!isAccepted) return 'its typ is not that of an access token'
  if (name === accessTokenTyp) return undefined
  // What says nothing about itself is told from other tokens of the same issuer by what only those have.
  if (idTokenClaims.some((claim) => claim in claims)) return 'it is an ID token'
  if (isJsonObject(claims['events'])) return 'it is a logout token'
  return isOtherUse(claims) ? 'it is not an access token' : undefined
}

const idTokenClaims = ['at_hash', 'c_hash', 's_hash', 'nonce']

/** Claims by which some issuers say what a token is for. */
function isOtherUse({ token_use: use, typ }: JsonObject): boolean {
  const isOther = (value: unknown, ...access: readonly string[]) =>
    typeof value === 'string' && !access.includes(value.toLowerCase())
  return isOther(use, 'access', 'access_token') || isOther(typ, 'bearer', 'dpop', 'at+jwt')
}
