import type { AuthInfo } from '@parley/mcp'

import { AuthError } from '../../shared/auth-error.ts'
import { parseUrl } from '../../shared/url-rules.ts'
import { subjectTokens } from '../subject-tokens.ts'
import { findProviderToken, type ProviderToken } from './provider-token.ts'
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
    return createTokenFetch(
      (rejectedToken) => findProviderToken(auth, to, rejectedToken),
      more.fetch,
    )
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
  { rejected }: { readonly rejected?: string | undefined } = {},
): Promise<string> {
  const inbound = subjectTokens.get(auth)
  return requestUpstreamToken(auth, inbound, { ...options, grant: 'exchange' }, rejected)
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

/**
 * A `fetch` that adds a user's token, and sends it nowhere but to the API it is for. Redirects are not followed. A request that
 * is refused with 401 is sent once more with a fresh token, if there is one.
 */
export function createTokenFetch(
  find: (rejected?: string) => Promise<ProviderToken>,
  send: typeof fetch = fetch,
): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const first = await find()
    const again = request.clone()
    const response = await send(withToken(request, first))
    if (response.status !== 401) return response
    const second = await find(first.token).catch(() => undefined) // then the 401 says what there is to say
    if (second === undefined) return response
    await response.body?.cancel()
    return send(withToken(again, second))
  }
}

function withToken(request: Request, { token, api, headers: own }: ProviderToken): Request {
  const url = new URL(request.url)
  if (!api.some((candidate) => isInside(url, candidate))) {
    const { origin, pathname } = url
    throw new AuthError(
      'resource_mismatch',
      `${origin}${pathname} is outside of ${api.join(', ')}`,
      {
        step: 'resource',
        hint: 'Add the address to the option api of the provider if it may have the user’s token.',
      },
    )
  }
  const headers = new Headers(own)
  for (const [name, value] of request.headers) headers.set(name, value)
  headers.set('authorization', `Bearer ${token}`)
  // Not followed: whoever a redirect leads to was not meant to get this token.
  return new Request(request, { headers, redirect: 'manual' })
}

/** Whether an address is at or below another; `*.` stands for one or more labels of the host. */
function isInside(url: URL, base: string): boolean {
  const [, scheme, rest = ''] = /^(https?:\/\/)\*\.(.+)$/.exec(base) ?? []
  const at = parseUrl(scheme === undefined ? base : `${scheme}${rest}`)
  if (at === undefined || url.protocol !== at.protocol || url.port !== at.port) return false
  const isHost =
    scheme === undefined ? url.hostname === at.hostname : url.hostname.endsWith(`.${at.hostname}`)
  const path = at.pathname.replace(/\/$/, '')
  return isHost && (url.pathname === at.pathname || url.pathname.startsWith(`${path}/`))
}
