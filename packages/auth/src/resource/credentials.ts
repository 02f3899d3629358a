import type { GuardRequest } from '@parley/mcp/http'

/** What a request offers as its token. */
export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed'; readonly why: string }
  | { readonly kind: 'token'; readonly scheme: 'bearer' | 'dpop'; readonly token: string }

const maxLength = 16_384

/** Reads `Authorization` alone: a token in the query is never looked at, and two are one too many. */
export function readCredentials({ target, header }: GuardRequest): Credentials {
  const text = header('authorization')
  if (text === undefined) return { kind: 'none' }
  const space = text.indexOf(' ')
  const scheme = (space < 0 ? text : text.slice(0, space)).toLowerCase()
  if (scheme !== 'bearer' && scheme !== 'dpop') return { kind: 'none' }
  if (/[?&]access_token=/.test(target)) return malformed('two tokens in one request')
  const token = space < 0 ? '' : text.slice(space + 1).trim()
  if (token.length > maxLength) return malformed('the token is too long')
  // RFC 6750 section 2.1; a second header would have come in here behind a comma.
  if (!/^[A-Za-z0-9\-._~+/]+=*$/.test(token))
    return malformed('the Authorization header must hold exactly one token')
  return { kind: 'token', scheme, token }
}

function malformed(why: string): Credentials {
  return { kind: 'malformed', why }
}
