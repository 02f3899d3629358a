import type { AuthInfo } from '@parley/mcp'

import { AuthError } from '../../shared/auth-error.ts'
import { subjectTokens } from '../subject-tokens.ts'
import { findProviderToken } from './provider-token.ts'
import { createTokenFetch, isInside } from './token-fetch.ts'
import { requestUpstreamToken, type UpstreamOptions } from './upstream-token.ts'

/**
 * A `fetch` to the API of a provider that the caller signed in with, by its id in `signInWith`. It adds the user's token, refreshed
 * when due, and sends it nowhere else. Requests fail with `grant_lost` where the user has to sign in again.
 */
export function upstream(
  auth: AuthInfo | undefined,
  provider: string,
  options?: Pick<UpstreamOptions, 'fetch'>,
): typeof fetch
/** A `fetch` to another service on this caller's behalf, with a token of its own. The inbound token is never forwarded. */
export function upstream(auth: AuthInfo, options: UpstreamOptions): typeof fetch
export function upstream(
  auth: AuthInfo | undefined,
  to: string | UpstreamOptions,
  more: Pick<UpstreamOptions, 'fetch'> = {},
): typeof fetch {
  if (typeof to === 'string') {
    return createTokenFetch((refused) => findProviderToken(auth, to, refused), more.fetch)
  }
  if (auth === undefined) throw new TypeError('upstream needs a caller')
  return exchangingFetch(auth, to)
}

/**
 * The token itself of a provider that the caller signed in with, for libraries that take one. It is the user's: keep it out of
 * results, logs and errors, and ask again for each call.
 */
export async function upstreamToken(auth: AuthInfo | undefined, provider: string): Promise<string> {
  return (await findProviderToken(auth, provider)).token
}

function exchangingFetch(auth: AuthInfo, options: UpstreamOptions): typeof fetch {
  const { resource, fetch: send = fetch } = options
  const inbound = subjectTokens.get(auth)

  return async (input, init) => {
    const request = new Request(input, init)
    requireInside(new URL(request.url), new URL(resource))
    if (inbound !== undefined) requireNoTrace(request, inbound)
    const token = await requestUpstreamToken(auth, inbound, options)
    const headers = new Headers(request.headers)
    headers.set('authorization', `Bearer ${token}`)
    // Not followed: whoever a redirect leads to was not meant to get this token.
    return send(new Request(request, { headers, redirect: 'manual' }))
  }
}

/**
 * A token for another service that stays the caller's (RFC 8693), got once while it is good. With `refused`, the token that
 * the service did not take, another one is asked for.
 */
export function exchangeToken(
  auth: AuthInfo,
  options: Omit<UpstreamOptions, 'grant'>,
  { refused }: { readonly refused?: string | undefined } = {},
): Promise<string> {
  const inbound = subjectTokens.get(auth)
  return requestUpstreamToken(auth, inbound, { ...options, grant: 'exchange' }, refused)
}

/** A token goes to whom it was issued for and nowhere else. */
function requireInside(url: URL, resource: URL): void {
  if (isInside(url, resource.href)) return
  throw new AuthError(
    'resource_mismatch',
    `${url.origin}${url.pathname} is outside of ${resource.href}`,
    {
      step: 'resource',
      resource: resource.href,
      hint: 'Create one upstream() for each service.',
    },
  )
}

function requireNoTrace(request: Request, inbound: string): void {
  const parts = [request.url, ...[...request.headers].map(([, value]) => value)]
  if (!parts.some((part) => part.includes(inbound))) return
  throw new AuthError('token_refused', "the caller's own token must not be passed on", {
    step: 'token',
    hint: 'Leave Authorization out; upstream() gets a token of its own.',
  })
}
