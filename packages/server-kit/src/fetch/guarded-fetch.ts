import { fetchChecked, fetchGuarded, type Lookup } from '@parley/auth/network'
import { parseUrl } from '@parley/mcp/address'
import { anySignal } from '@parley/mcp/signals'

import { createDestinationRules, type DestinationOptions } from './destination.ts'
import { FetchError } from './fetch-error.ts'
import { limitBody, type Fetched, type FetchProgress } from './fetched.ts'
import { createProxyFetch } from './proxy.ts'

/** What may be asked, and how much of it is taken. */
export interface GuardedFetchOptions extends DestinationOptions {
  /** Of a body, unpacked. @defaultValue 10 MiB */
  readonly maxBytes?: number | undefined
  /** From the first request to the last byte. @defaultValue 30_000 */
  readonly timeoutMs?: number | undefined
  /** @defaultValue 5 */
  readonly maxRedirects?: number | undefined
  /**
   * Asks by way of this proxy. It resolves names by itself, so only names and addresses written in a URL are checked
   * here; where names lead is for the proxy to judge.
   * @defaultValue none, whatever the environment says
   */
  readonly proxyUrl?: string | undefined
  /** Says which addresses a name has. @defaultValue `lookup` of `node:dns` */
  readonly lookup?: Lookup | undefined
}

/** One request. */
export interface GuardedRequest {
  /** @defaultValue 'GET' */
  readonly method?: 'GET' | 'HEAD' | undefined
  /** `cookie` is never sent. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Stops the request. */
  readonly signal?: AbortSignal | undefined
  /** Hears how many bytes have come. */
  readonly onProgress?: ((progress: FetchProgress) => void) | undefined
}

/** Asks for a URL that a stranger chose. */
export type GuardedFetch = (url: string | URL, request?: GuardedRequest) => Promise<Fetched>

/**
 * Fetch for URLs that a model or a page chose: scheme, host, every address, every redirect, size and time are checked,
 * and the socket goes to the address that was checked. Failures are `FetchError`s.
 */
export function createGuardedFetch(options: GuardedFetchOptions = {}): GuardedFetch {
  const { maxBytes = 10 * 1024 * 1024, timeoutMs = 30_000, maxRedirects = 5 } = options
  const { check, isAllowed, refuse } = createDestinationRules(options)
  const viaProxy = options.proxyUrl === undefined ? undefined : createProxyFetch(options.proxyUrl)

  async function fetchOnce(to: string, init: RequestInit): Promise<Response> {
    if (viaProxy !== undefined) return viaProxy(to, init)
    return fetchGuarded(to, init, {
      isAllowed,
      reject: (_, address) => refuse(new URL(to), address),
      lookup: options.lookup,
    })
  }

  return async (input, request = {}) => {
    const first = readUrl(input)
    const { method = 'GET', signal: callerSignal, onProgress } = request
    const late = AbortSignal.timeout(timeoutMs)
    const signal = anySignal(late, callerSignal)
    let url = first

    function explain(error: unknown): unknown {
      if (error instanceof FetchError) return error
      if (callerSignal?.aborted) return callerSignal.reason
      if (late.aborted) {
        return new FetchError('timeoutMs', url, `it takes longer than ${timeoutMs} ms`)
      }
      return new FetchError('unreachable', url, reasonOf(error), { cause: error })
    }

    try {
      const init = { method, signal, headers: withoutCookies(request.headers) }
      const response = await fetchChecked(fetchOnce, first, init, {
        check(next) {
          url = next
          check(next)
        },
        maxRedirects,
        reject: (why) => new FetchError('maxRedirects', first, why),
      })
      return await limitBody(response, url, { maxBytes, onProgress, explain })
    } catch (error) {
      throw explain(error)
    }
  }
}

function readUrl(input: string | URL): URL {
  if (input instanceof URL) return input
  const url = parseUrl(input)
  if (url === undefined) throw new TypeError(`${JSON.stringify(input.slice(0, 200))} is not a URL`)
  return url
}

function withoutCookies(headers: GuardedRequest['headers']): Headers {
  const remaining = new Headers(headers)
  remaining.delete('cookie')
  return remaining
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  if (!('code' in cause) || typeof cause.code !== 'string') return cause.message
  return knownReasons[cause.code] ?? (cause.message || cause.code)
}

const knownReasons: { readonly [code: string]: string | undefined } = {
  ENOTFOUND: 'the host name does not exist',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the host closed the connection',
  HPE_HEADER_OVERFLOW: 'its headers are too long',
  UND_ERR_HEADERS_OVERFLOW: 'its headers are too long',
  Z_DATA_ERROR: 'its compressed body is damaged',
  Z_BUF_ERROR: 'its body ends too soon',
}
