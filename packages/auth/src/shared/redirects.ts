import { parseUrl } from './url-rules.ts'

/** How far redirects are followed. */
export interface RedirectRules {
  /** Throws if this URL must not be asked. Called for the first one and after each redirect. */
  readonly check: (url: URL) => void
  /** @defaultValue 3 */
  readonly maxRedirects?: number | undefined
  /** A redirect leads nowhere, or there are too many. */
  readonly reject: (why: string) => Error
}

/** Asks, and follows redirects one by one so that each address is checked before it is asked. */
export async function fetchChecked(
  fetchOnce: (url: string, init: RequestInit) => Promise<Response>,
  first: URL,
  init: RequestInit,
  { check, maxRedirects = 3, reject }: RedirectRules,
): Promise<Response> {
  let url = first
  let headers = new Headers(init.headers)
  for (let redirects = 0; ; redirects += 1) {
    check(url)
    const response = await fetchOnce(url.href, { ...init, headers, redirect: 'manual' })
    if (response.type === 'opaqueredirect') {
      // A browser does not say where it would go; it is asked to go, and then where it went.
      const followed = await fetchOnce(url.href, { ...init, headers, redirect: 'follow' })
      check(new URL(followed.url))
      return followed
    }
    const next = nextUrl(response, url)
    if (next === undefined) return response
    await response.body?.cancel()
    if (redirects === maxRedirects) throw reject(`more than ${maxRedirects} redirects`)
    if (next.origin !== url.origin) headers = withoutCredentials(headers)
    url = next
  }
}

function nextUrl(response: Response, url: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(response.status)) return undefined
  return parseUrl(response.headers.get('location') ?? undefined, url)
}

function withoutCredentials(headers: Headers): Headers {
  const others = [...headers].filter(([name]) => !/^(?:authorization|cookie|dpop)$/.test(name))
  return new Headers(others)
}
