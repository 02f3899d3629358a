import { classifyAddress } from '@parley/mcp/address'
import { BodyTooLong, readBounded } from '@parley/mcp/internal'
import { anySignal } from '@parley/mcp/signals'

import { AuthError } from './auth-error.ts'
import { fetchChecked } from './redirects.ts'
import { findUrlProblem } from './url-rules.ts'

/** Rules for requests and the size of responses. */
export interface SafeFetchOptions {
  /**
   * Which addresses may be asked: those of the internet, these and this machine, all, or those you allow.
   * @defaultValue 'public'
   */
  readonly network?: 'public' | 'loopback' | 'any' | ((address: string) => boolean) | undefined
  /** Limit for a body, unpacked. @defaultValue 256 KiB */
  readonly maxBytes?: number | undefined
  /** From the first request to the last byte. @defaultValue 10_000 */
  readonly timeoutMs?: number | undefined
}

/** Where a socket may go. */
export interface SocketRules {
  /** Decides for an address that a name resolved to. */
  readonly isAllowed: (address: string, hostname: string) => boolean
  /** Returns the error for a name with an address that is not allowed. */
  readonly reject?: ((hostname: string, address: string) => Error) | undefined
}

/** One request without redirects whose socket only goes to allowed addresses. */
export type GuardedFetch = (url: string, init: RequestInit, rules: SocketRules) => Promise<Response>

/**
 * Fetch for addresses a peer chose: scheme, address, redirect, size and time are checked. On Node the address is checked
 * where the socket connects, so that a name cannot change its mind; elsewhere only addresses written in digits are.
 */
export function createSafeFetch(options: SafeFetchOptions = {}): typeof fetch {
  const { network = 'public', maxBytes = 256 * 1024, timeoutMs = 10_000 } = options
  const isAllowed = addressRule(network)
  const allowLoopback = network !== 'public'

  function check(url: URL): void {
    const problem = findUrlProblem(url, { allowLoopback })
    if (problem !== undefined) throw rejected(url, problem)
    const isDigits = classifyAddress(url.hostname) !== undefined
    if (isDigits && !isAllowed(bare(url.hostname))) {
      throw rejected(url, 'its address is not public')
    }
  }

  return async (input, requestInit) => {
    const { url, init } = await requestOf(input, requestInit)
    const signal = anySignal(AbortSignal.timeout(timeoutMs), init.signal)
    const { fetchGuarded } = await import('#guarded-fetch')
    const fetchOnce = (to: string, how: RequestInit) =>
      fetchGuarded(to, { ...how, signal }, { isAllowed })
    const mayFollow = init.redirect !== 'manual' && /^(?:GET|HEAD)$/i.test(init.method ?? 'GET')
    try {
      if (!mayFollow) check(url)
      const response = mayFollow
        ? await fetchChecked(fetchOnce, url, init, { check, reject: (why) => rejected(url, why) })
        : await fetchOnce(url.href, { ...init, redirect: 'manual' })
      return await buffered(response, url, maxBytes)
    } catch (error) {
      throw explain(error, url, init.signal ?? undefined)
    }
  }
}

function addressRule(network: SafeFetchOptions['network']): (address: string) => boolean {
  if (typeof network === 'function') return network
  if (network === 'any') return () => true
  return (address) => {
    const kind = classifyAddress(address)
    return kind === 'public' || (kind === 'loopback' && network === 'loopback')
  }
}

/** The body is read here, so that size and time hold for all of it. */
async function buffered(response: Response, url: URL, maxBytes: number): Promise<Response> {
  const body = await readBounded(response, maxBytes)
  const { status, statusText, headers } = response
  const hasBody = ![101, 204, 205, 304].includes(status)
  const copy = new Response(hasBody ? body.slice() : null, { status, statusText, headers })
  Object.defineProperty(copy, 'url', { value: response.url || url.href })
  return copy
}

async function requestOf(
  input: Parameters<typeof fetch>[0],
  init: RequestInit = {},
): Promise<{ readonly url: URL; readonly init: RequestInit }> {
  if (typeof input === 'string' || input instanceof URL) return { url: new URL(input), init }
  const { method, headers, signal, redirect } = input
  const body = input.body === null ? null : await input.arrayBuffer()
  return { url: new URL(input.url), init: { method, headers, signal, redirect, body, ...init } }
}

function explain(error: unknown, url: URL, signal: AbortSignal | undefined): unknown {
  if (error instanceof AuthError) return error
  if (signal?.aborted) return signal.reason
  if (error instanceof BodyTooLong) {
    return new AuthError('metadata_invalid', `the response of ${url.host} is ${error.message}`, {
      step: 'issuer',
    })
  }
  const isLate = error instanceof Error && error.name === 'TimeoutError'
  const why = isLate ? 'it takes too long' : reasonOf(error)
  return new AuthError('unreachable', `cannot reach ${url.host}: ${why}`, {
    step: 'issuer',
    cause: error,
  })
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}

function rejected(url: URL, why: string): AuthError {
  return new AuthError('address_refused', `${url.host} is not contacted: ${why}`, {
    step: 'issuer',
    hint: 'Addresses must be https, and public unless the option network of createSafeFetch says otherwise.',
  })
}

function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}
