import { BodyTooLong, readBounded } from '@parley/mcp/internal'
import { errorMessage } from '@parley/mcp/json'
import { anySignal, unlessAborted } from '@parley/mcp/signals'

import { AuthError } from '../../shared/auth-error.ts'
import { createSafeFetch } from '../../shared/safe-fetch.ts'
import { parseUrl } from '../../shared/url-rules.ts'
import { createOAuthClient } from './oauth-client.ts'
import { createOpenIdClient } from './openid-client.ts'
import type { ProviderClaims } from './provider-options.ts'
import type { SignInProvider } from './sign-in-provider.ts'

/** The values sent along, to be compared with those that come back. */
export interface AuthorizationRequest {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** A user's tokens of a provider. */
export interface ProviderTokens {
  readonly accessToken: string
  readonly refreshToken?: string | undefined
  /** The expiry of the access token, in milliseconds since 1970; undefined if it does not expire. */
  readonly expiresAt?: number | undefined
}

/** Somebody who came back from a provider. */
export interface AuthorizationResult {
  readonly claims: ProviderClaims
  readonly tokens: ProviderTokens
}

/** New tokens, and the id of the account they are for if the answer says so. */
export interface Renewal {
  readonly tokens: ProviderTokens
  readonly sub?: string | undefined
}

/** Us as a client of a provider. */
export interface ProviderClient {
  /** Where to send the browser. */
  begin(authorizationRequest: AuthorizationRequest): Promise<URL>
  /** Returns the account that signed in. Throws unless all values match. */
  complete(
    callback: URLSearchParams,
    authorizationRequest: AuthorizationRequest,
  ): Promise<AuthorizationResult>
  /** Undefined if it does not know them any more. Throws if it cannot be asked. */
  renew(refreshToken: string): Promise<Renewal | undefined>
  /** Returns the owner of an access token; undefined if it is no longer valid. Throws if the check failed. */
  identify?(accessToken: string): Promise<string | undefined>
}

/** The context of a client, besides the provider. */
export interface ProviderContext {
  readonly redirectUri: string
  /** Bounded in time and bytes, and without redirects. */
  readonly fetch: typeof fetch
  readonly now: () => number
}

/** Us as a client of a provider of either kind. */
export function createProviderClient(
  provider: SignInProvider,
  context: ProviderContext,
): ProviderClient {
  return provider.kind === 'oauth'
    ? createOAuthClient(provider, context)
    : createOpenIdClient(provider, context)
}

const maxBytes = 256 * 1024

/**
 * How a provider is asked: so long, so many bytes, and never where a redirect leads. Addresses that the operator wrote may be
 * in a private network; those that the provider's metadata adds must be public.
 */
export function createProviderFetch({
  given,
  urls,
  timeoutMs = 10_000,
}: {
  readonly given: typeof fetch | undefined
  /** The URLs as the operator wrote them. */
  readonly urls: readonly string[]
  readonly timeoutMs?: number | undefined
}): typeof fetch {
  const origins = new Set(urls.map((url) => parseUrl(url)?.origin))
  const near = given ?? createSafeFetch({ network: 'any', maxBytes, timeoutMs })
  const far = given ?? createSafeFetch({ maxBytes, timeoutMs })

  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const limit = AbortSignal.timeout(timeoutMs)
    const signal = anySignal(limit, init.signal)
    const send = origins.has(url.origin) ? near : far
    try {
      const how = { ...init, redirect: 'manual', signal } as const
      const response = await unlessAborted(send(input, how), signal)
      rejectRedirect(response, url)
      const body = await unlessAborted(readBounded(response, maxBytes), signal)
      const { status, headers } = response
      const hasBody = ![101, 204, 205, 304].includes(status)
      return new Response(hasBody ? body.slice() : null, { status, headers })
    } catch (error) {
      throw explain(error, url, limit.aborted ? timeoutMs : undefined)
    }
  }
}

function rejectRedirect({ status, headers, body }: Response, { host }: URL): void {
  if (status < 300 || status >= 400 || status === 304) return
  void body?.cancel().catch(() => undefined) // given up either way
  const to = parseUrl(headers.get('location') ?? undefined)?.host ?? 'another address'
  throw new AuthError('address_refused', `${host} redirects to ${to}, which is not followed`, {
    step: 'token',
  })
}

function explain(error: unknown, { host }: URL, timeoutMs: number | undefined): unknown {
  if (error instanceof AuthError) return error
  if (error instanceof BodyTooLong) {
    return new AuthError('metadata_invalid', `the response of ${host} is ${error.message}`, {
      step: 'token',
    })
  }
  const why = errorMessage(error)
  const what = timeoutMs === undefined ? why : `no answer within ${timeoutMs} ms`
  return new AuthError('unreachable', `cannot reach ${host}: ${what}`, {
    step: 'token',
    cause: error,
  })
}
