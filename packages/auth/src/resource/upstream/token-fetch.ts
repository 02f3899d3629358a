import { AuthError } from '../../shared/auth-error.ts'
import { parseUrl } from '../../shared/url-rules.ts'
import type { ProviderToken } from './provider-token.ts'

/**
 * A `fetch` that adds a user's token, and sends it nowhere but to the API it is for. Redirects are not followed. A request that
 * is refused with 401 is sent once more with a fresh token, if there is one.
 */
export function createTokenFetch(
  find: (refused?: string) => Promise<ProviderToken>,
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
  if (!api.some((one) => isInside(url, one))) {
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
export function isInside(url: URL, base: string): boolean {
  const [, scheme, rest = ''] = /^(https?:\/\/)\*\.(.+)$/.exec(base) ?? []
  const at = parseUrl(scheme === undefined ? base : `${scheme}${rest}`)
  if (at === undefined || url.protocol !== at.protocol || url.port !== at.port) return false
  const isHost =
    scheme === undefined ? url.hostname === at.hostname : url.hostname.endsWith(`.${at.hostname}`)
  const path = at.pathname.replace(/\/$/, '')
  return isHost && (url.pathname === at.pathname || url.pathname.startsWith(`${path}/`))
}
