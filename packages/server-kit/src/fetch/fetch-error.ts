/** The rule of the fetcher that a request ran into. */
export type FetchRule =
  | 'scheme'
  | 'credentials'
  | 'allowHosts'
  | 'denyHosts'
  | 'allowPrivate'
  | 'maxRedirects'
  | 'maxBytes'
  | 'timeoutMs'
  | 'unreachable'

/** Nothing came, or nothing may: says what was seen, by which rule it is refused, and how that is changed. */
export class FetchError extends Error {
  /** Always `FetchError`. */
  override readonly name = 'FetchError'
  /** Which rule; the option of `createGuardedFetch` has the same name if there is one. */
  readonly rule: FetchRule
  /** What was seen, in words that go on with the name of the URL. */
  readonly reason: string
  /** What to change to get it, if anything can be changed. */
  readonly hint: string | undefined
  /** What was asked for, without user name and password. */
  readonly url: string

  /** The message is made from the URL and the reason. */
  constructor(rule: FetchRule, url: URL, reason: string, options?: ErrorOptions) {
    const shown = showUrl(url)
    super(`${shown} is not fetched: ${reason}`, options)
    this.reason = reason
    this.rule = rule
    this.hint = hints[rule]
    this.url = shown
  }
}

const hints: { readonly [Rule in FetchRule]: string | undefined } = {
  scheme: undefined,
  credentials: 'Leave user name and password out of the URL.',
  allowHosts: 'The option allowHosts lists the allowed hosts.',
  denyHosts: 'The option denyHosts lists the denied hosts.',
  allowPrivate: 'The option allowPrivate allows addresses that are not public.',
  maxRedirects: 'The option maxRedirects sets how many redirects are followed.',
  maxBytes: 'The option maxBytes sets how much is read.',
  timeoutMs: 'The option timeoutMs sets how long to wait.',
  unreachable: undefined,
}

/** Narrows to an error of the fetcher. */
export function isFetchError(value: unknown): value is FetchError {
  return value instanceof FetchError
}

const maxShown = 500

function showUrl(url: URL): string {
  const bare = new URL(url)
  bare.username = ''
  bare.password = ''
  return bare.href.length > maxShown ? `${bare.href.slice(0, maxShown)}…` : bare.href
}
