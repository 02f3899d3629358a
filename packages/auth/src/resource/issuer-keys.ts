import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose'

import { AuthError } from '../shared/auth-error.ts'
import { findUrlFault, isLoopbackHost, parseUrl } from '../shared/url-rules.ts'
import type { IssuerAccess } from './issuer-access.ts'

/** The keys an issuer signs with: fetched when needed, again for a key that is not among them, at most every 30 s. */
export function createIssuerKeys(
  access: IssuerAccess,
  jwksUri: string | undefined,
  onChange: () => void,
): () => Promise<JWTVerifyGetKey> {
  let known: JWTVerifyGetKey | undefined
  let before: string | undefined

  /** What was verified by keys that are gone must be verified anew. */
  async function fetchKeys(url: string, init: RequestInit): Promise<Response> {
    const { redirect: _, ...rest } = init
    const response = await access.fetch(url, rest) // redirects are checked there, one by one
    const text = await response.text()
    if (response.status === 200 && before !== undefined && before !== text) onChange()
    if (response.status === 200) before = text
    return new Response(text, { status: response.status })
  }

  return async () => {
    if (known !== undefined) return known
    const url = jwksUri === undefined ? await access.endpoint('jwks_uri') : configured(jwksUri)
    known = createRemoteJWKSet(url, { timeoutDuration: 10_000, [customFetch]: fetchKeys })
    return known
  }
}

function configured(text: string): URL {
  const url = parseUrl(text)
  const allowLoopback = url !== undefined && isLoopbackHost(url.hostname)
  const fault = url ? findUrlFault(url, { allowLoopback }) : 'it is no URL'
  if (url !== undefined && fault === undefined) return url
  throw new AuthError('address_refused', `jwksUri cannot be used: ${fault}`, { step: 'verify' })
}
