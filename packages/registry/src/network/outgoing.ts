import { fetchChecked, fetchGuarded, type Lookup } from '@parley/auth/network'
import { classifyAddress, parseUrl } from '@parley/mcp/address'
import { readBounded } from '@parley/mcp/internal'
import { errorMessage } from '@parley/mcp/json'

/** One request to a place that a stranger named. */
export interface OutgoingRequest {
  /** @defaultValue 'GET' */
  readonly method?: 'GET' | 'HEAD' | undefined
  /** Headers to send. @defaultValue none */
  readonly headers?: { readonly [name: string]: string } | undefined
  /** @defaultValue 0 */
  readonly maxRedirects?: number | undefined
  /** @defaultValue 1 MiB */
  readonly maxBytes?: number | undefined
  /** @defaultValue 10_000 */
  readonly timeoutMs?: number | undefined
  /** Refuses hosts, also of redirects. @defaultValue all are fine */
  readonly mayAsk?: ((url: URL) => boolean) | undefined
}

/** What came back. */
export interface OutgoingResponse {
  /** The HTTP status. */
  readonly status: number
  /** The headers of the answer. */
  readonly headers: Headers
  /** The body as text. */
  readonly text: string
}

/** Asks another host for the registry. Rejects with `OutgoingError`. */
export type Outgoing = (url: string, request?: OutgoingRequest) => Promise<OutgoingResponse>

/** Nothing came, or nothing may be asked for. */
export class OutgoingError extends Error {
  /** Always `OutgoingError`. */
  override readonly name = 'OutgoingError'
  /** `refused`: our own rules. `unreachable`: worth another attempt. */
  readonly reason: 'refused' | 'unreachable'

  /** Says whether our own rules refuse it, or nobody answered. */
  constructor(reason: 'refused' | 'unreachable', message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** How `createOutgoing` reaches other hosts. */
export interface OutgoingOptions {
  /** Finds the addresses of a host. @defaultValue `dns.lookup` */
  readonly lookup?: Lookup | undefined
  /** Makes one request, and follows no redirect. @defaultValue a socket to the address that was checked */
  readonly fetch?: typeof fetchGuarded | undefined
}

/** Only https, only addresses of the public internet, the socket to the address that was checked. */
export function createOutgoing({ lookup, fetch = fetchGuarded }: OutgoingOptions = {}): Outgoing {
  return async (text, request = {}) => {
    const { method = 'GET', maxRedirects = 0, maxBytes = 1024 * 1024, timeoutMs = 10_000 } = request
    const first = parseUrl(text)
    if (first === undefined) throw refused(`${JSON.stringify(text.slice(0, 200))} is not a URL`)
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const init = { method, signal, headers: { 'user-agent': userAgent, ...request.headers } }
      const response = await fetchChecked(
        (to, one) => fetch(to, one, { isAllowed: isPublic, reject: notPublic, lookup }),
        first,
        init,
        {
          check: (url) => requireAllowed(url, request),
          maxRedirects,
          reject: (why) => refused(`${first.host} is not asked: ${why}`),
        },
      )
      const { status, headers } = response
      const tooLong = () => refused(`${first.host} answers with more than ${maxBytes} bytes`)
      const body = await readBounded(response, maxBytes, tooLong)
      return { status, headers, text: new TextDecoder().decode(body) }
    } catch (error) {
      if (error instanceof OutgoingError) throw error
      const why = signal.aborted ? `no answer within ${timeoutMs} ms` : reasonOf(error)
      throw new OutgoingError('unreachable', `${first.host} cannot be reached: ${why}`, {
        cause: error,
      })
    }
  }
}

const userAgent = 'Parley-Registry-Validator/1.0'

function requireAllowed(url: URL, { mayAsk = () => true }: OutgoingRequest): void {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (url.protocol !== 'https:') throw refused(`${url.host} is not asked: the URL is not https`)
  if (url.username !== '' || url.password !== '') {
    throw refused(`${url.host} is not asked: the URL contains a user name or password`)
  }
  const isNumeric = classifyAddress(host) !== undefined
  if (isNumeric && !isPublic(host)) throw notPublic(host)
  if (!mayAsk(url)) throw refused(`${url.host} is not asked: it is not one of the expected hosts`)
}

function isPublic(address: string): boolean {
  return classifyAddress(address) === 'public'
}

function notPublic(hostname: string): OutgoingError {
  return refused(`${hostname} is not asked: it has no address of the public internet`)
}

function refused(message: string): OutgoingError {
  return new OutgoingError('refused', message)
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return errorMessage(cause)
}
