/** Which origins a page may reach: declared by its server, checked here, enforced by the host. */

/** Origins by purpose, as a server declares them. What is left out is not allowed. */
export interface AppCsp {
  /** For `fetch`, `XMLHttpRequest`, `WebSocket`, `EventSource`. */
  readonly connectDomains?: readonly string[]
  /** For pictures, scripts, styles, fonts, sound and film. */
  readonly resourceDomains?: readonly string[]
  /** For frames inside the page. */
  readonly frameDomains?: readonly string[]
  /** For `<base>`. */
  readonly baseUriDomains?: readonly string[]
}

/** The parts of a declaration that can be allowed, and those that cannot. */
export interface ReadAppCsp {
  /** Origins only, each written as browsers write it. */
  readonly allowed: Required<AppCsp>
  /** The others, with the reason for each. */
  readonly rejected: readonly RejectedDomain[]
}

/** A declared origin that is not allowed, and why. */
export interface RejectedDomain {
  /** Which list of the declaration it was in. */
  readonly list: keyof AppCsp
  /** The origin, as it was written. */
  readonly domain: string
  /** The reason, for people. */
  readonly why: string
}

const lists = ['connectDomains', 'resourceDomains', 'frameDomains', 'baseUriDomains'] as const
const maxDomains = 50

/**
 * Reads a declaration from anybody. What is not a plain origin is refused, so that nothing in it can change the policy;
 * so is everything in `own`, the origins of the host itself.
 */
export function readAppCsp(declared: unknown, own: readonly string[] = []): ReadAppCsp {
  const rejected: RejectedDomain[] = []
  const csp = (typeof declared === 'object' && declared !== null ? declared : {}) as {
    readonly [name: string]: unknown
  } // an object, whose members are looked at here
  const read = (list: keyof AppCsp): readonly string[] => {
    const domains: unknown = csp[list] ?? []
    if (!Array.isArray(domains)) {
      rejected.push({ list, domain: shown(domains), why: 'it is not a list' })
      return []
    }
    const allowed = new Set<string>()
    for (const domain of domains as readonly unknown[]) {
      const why =
        allowed.size >= maxDomains ? `there are more than ${maxDomains}` : problemOf(domain, own)
      if (why === undefined) allowed.add(String(domain).toLowerCase())
      else if (rejected.length < maxDomains) rejected.push({ list, domain: shown(domain), why })
    }
    return [...allowed]
  }
  const [connectDomains, resourceDomains, frameDomains, baseUriDomains] = lists.map(read) as [
    readonly string[],
    readonly string[],
    readonly string[],
    readonly string[],
  ] // one for each of the four
  return {
    allowed: { connectDomains, resourceDomains, frameDomains, baseUriDomains },
    rejected,
  }
}

/** The `Content-Security-Policy` of a page: nothing but what was allowed. */
export function appContentPolicy(allowed: Required<AppCsp>): string {
  const { connectDomains, resourceDomains, frameDomains, baseUriDomains } = allowed
  const sources = (always: string, domains: readonly string[]): string =>
    [always, ...domains].filter((domain) => domain !== '').join(' ') || "'none'"
  return [
    "default-src 'none'",
    `script-src ${sources("'unsafe-inline'", resourceDomains)}`,
    `style-src ${sources("'unsafe-inline'", resourceDomains)}`,
    `img-src ${sources('data: blob:', resourceDomains)}`,
    `media-src ${sources('data: blob:', resourceDomains)}`,
    `font-src ${sources('data:', resourceDomains)}`,
    `connect-src ${sources('', connectDomains)}`,
    `frame-src ${sources('', frameDomains)}`,
    `base-uri ${sources('', baseUriDomains)}`,
    "worker-src 'none'",
    "object-src 'none'",
    "form-action 'none'",
    // No other directive speaks of peer connections. Browsers that do not know it ignore it.
    "webrtc 'block'",
  ].join('; ')
}

const origin =
  /^(https|http|wss|ws):\/\/(\*\.)?((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)(:\d{1,5})?$/i

/** Why a declared origin is not allowed; undefined for one that is. */
function problemOf(domain: unknown, own: readonly string[]): string | undefined {
  if (typeof domain !== 'string') return 'it is not text'
  const match = domain.length > 300 ? null : origin.exec(domain)
  if (match === null)
    return 'it is not an origin: write https://example.com or https://*.example.com'
  const [, scheme = '', wildcard, host = ''] = match
  if (wildcard !== undefined && !host.includes('.')) {
    return 'it covers a whole top-level domain'
  }
  const isPlain = scheme.toLowerCase() === 'http' || scheme.toLowerCase() === 'ws'
  if (isPlain && !isLoopback(host)) return 'it is not encrypted: use https or wss'
  if (own.includes(asHttp(domain.toLowerCase()))) return 'it is the host itself'
  return undefined
}

function asHttp(domain: string): string {
  return domain.replace(/^ws/, 'http')
}

function isLoopback(host: string): boolean {
  return /^(?:localhost|127\.0\.0\.1)$/i.test(host)
}

function shown(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? typeof value)).slice(0, 200)
}
