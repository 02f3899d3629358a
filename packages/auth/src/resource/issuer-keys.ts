import { isLoopbackHost } from '@parley/mcp/address'
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose'

import { AuthError } from '../shared/auth-error.ts'
import { findUrlProblem, parseUrl } from '../shared/url-rules.ts'
import type { IssuerAccess } from './issuer-access.ts'

/** After a failure nobody asks again for so long, however many requests wait for it. */
const cooldownMs = 5_000

/** The keys an issuer signs with: fetched when needed, again for a key that is not among them, at most every 30 s. */
export function createIssuerKeys(
  access: IssuerAccess,
  jwksUri: string | undefined,
  onChange: () => void,
): () => Promise<JWTVerifyGetKey> {
  let cached: { readonly url: string; readonly keys: JWTVerifyGetKey } | undefined
  let before: string | undefined
  let failure: { readonly at: number; readonly error: unknown } | undefined

  async function fetchKeys(url: string, init: RequestInit): Promise<Response> {
    if (failure && Date.now() - failure.at < cooldownMs) throw failure.error
    try {
      const { redirect: _, ...rest } = init
      const response = await access.fetch(url, rest) // redirects are checked there, one by one
      if (response.status !== 200) throw noKeys(url, response.status)
      const text = await response.text()
      // Tokens that were verified by removed keys must be verified again.
      if (before !== undefined && before !== text) onChange()
      before = text
      return new Response(text)
    } catch (error) {
      failure = { at: Date.now(), error }
      throw error
    }
  }

  /** Issuers move their keys; while their metadata cannot be read the old place will do. */
  async function findPlace(): Promise<URL> {
    if (jwksUri !== undefined) return configured(jwksUri)
    try {
      return await access.endpoint('jwks_uri')
    } catch (error) {
      if (cached === undefined) throw error
      return new URL(cached.url)
    }
  }

  return async () => {
    const url = await findPlace()
    if (cached?.url === url.href) return cached.keys
    const keys = createRemoteJWKSet(url, { timeoutDuration: 10_000, [customFetch]: fetchKeys })
    cached = { url: url.href, keys }
    return keys
  }
}

function configured(text: string): URL {
  const url = parseUrl(text)
  const allowLoopback = url !== undefined && isLoopbackHost(url.hostname)
  const problem = url ? findUrlProblem(url, { allowLoopback }) : 'it is not a valid URL'
  if (url !== undefined && problem === undefined) return url
  throw new AuthError('address_refused', `jwksUri cannot be used: ${problem}`, { step: 'verify' })
}

function noKeys(url: string, status: number): AuthError {
  return new AuthError(
    'unreachable',
    `cannot load the keys from ${new URL(url).host}: status ${status}`,
    {
      step: 'verify',
    },
  )
}
