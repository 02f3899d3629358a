import type { AuthInfo } from '@parley/mcp'

import { AuthError } from '../shared/auth-error.ts'
import { subjectTokens } from './subject-tokens.ts'
import { upstreamToken, type UpstreamOptions } from './upstream-token.ts'

/** A `fetch` to another service on this caller's behalf, with a token of its own. The inbound token is never forwarded. */
export function upstream(auth: AuthInfo, options: UpstreamOptions): typeof fetch {
  const { resource, fetch: send = fetch } = options
  const inbound = subjectTokens.get(auth)

  return async (input, init) => {
    const request = new Request(input, init)
    requireInside(new URL(request.url), new URL(resource))
    if (inbound !== undefined) requireNoTrace(request, inbound)
    const token = await upstreamToken(auth, inbound, options)
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
  return upstreamToken(auth, subjectTokens.get(auth), { ...options, grant: 'exchange' }, refused)
}

/** A token goes to whom it was issued for and nowhere else. */
function requireInside(url: URL, resource: URL): void {
  const path = resource.pathname.replace(/\/$/, '')
  const isInside = url.pathname === resource.pathname || url.pathname.startsWith(`${path}/`)
  if (url.origin === resource.origin && isInside) return
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
