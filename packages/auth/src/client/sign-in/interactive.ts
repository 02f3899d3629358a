/**
 * `browserAuth()`: signs a person in with their browser, by the authorization code flow with PKCE, in a program that waits for the redirect.
 *
 * Finds or registers the client, opens the browser, and receives the redirect; `sign-in.ts` makes the requests. For web applications that
 * leave the page, see `two-step.ts`.
 */

import { isLoopbackHost } from '@parley/mcp/address'
import type { ClientAuth } from '@parley/mcp/client'
import { anySignal, unlessAborted } from '@parley/mcp/signals'

import { AuthError, isAuthError } from '../../shared/auth-error.ts'
import { parseUrl } from '../../shared/url-rules.ts'
import { createAuthorizer } from '../authorizer.ts'
import type { Grant } from '../grants/grant.ts'
import type { TokenStore } from '../grants/token-store.ts'
import { findIdentity, identityNeeded } from '../identity/choose-identity.ts'
import type { ClientIdentity } from '../identity/client-identity.ts'
import { keepRegistration, register, registrationKey } from '../identity/registration.ts'
import type { TokenIssuer } from '../issuer/issuer-metadata.ts'
import type { TokenOptions } from '../options.ts'
import type { Need } from '../strategy.ts'
import { withOfflineAccess } from '../tokens/scopes.ts'
import { isUnknownClient } from '../tokens/token-request.ts'
import { codeIn, finishSignIn, startSignIn } from './sign-in.ts'

/** Options for signing a person in, in one step or two. */
export interface SignInOptions extends TokenOptions {
  /** Several people on one machine. */
  readonly account?: string | undefined
  /** A client id metadata document of yours, or an id you were given. */
  readonly clientId?: string | undefined
  /** The secret that belongs to `clientId`, for a confidential client. */
  readonly clientSecret?: string | undefined
  /** The name that people read at the issuer. @defaultValue 'Parley' */
  readonly clientName?: string | undefined
  /** @defaultValue the keyring, else an encrypted file, on Node; memory elsewhere */
  readonly store?: TokenStore | undefined
}

/** How the person is reached; every part has a default on Node. */
export interface BrowserAuthOptions extends SignInOptions {
  /** Shows the URL to the person. @defaultValue opens a browser, or prints it where there is none */
  readonly open?: ((url: URL) => void | Promise<void>) | undefined
  /** Waits for the redirect; needs `redirectUri`. @defaultValue a listener on loopback */
  readonly receive?: ((signal: AbortSignal) => Promise<URL>) | undefined
  /**
   * @defaultValue one that is new and registered; for a client id you give, `http://127.0.0.1/callback` at any port
   */
  readonly redirectUri?: string | undefined
  /** @defaultValue 300_000 */
  readonly timeoutMs?: number | undefined
}

/** Where a client that was registered by hand, or describes itself in a document, is come back to; at any port. */
const agreedRedirect = 'http://127.0.0.1/callback'

/** A person in a browser: authorization code with PKCE. */
export function browserAuth(options: BrowserAuthOptions = {}): ClientAuth {
  const { receive, redirectUri, timeoutMs = 300_000, clientName = 'Parley' } = options
  if (redirectUri !== undefined) requireRedirectUri(redirectUri)
  if (receive !== undefined && redirectUri === undefined) {
    throw new TypeError('receive needs redirectUri, the address that it waits at')
  }
  let store: Promise<TokenStore> | undefined

  async function openReceiver(
    platform: Platform,
    registered: string | undefined,
  ): Promise<Receiver> {
    if (receive === undefined) return platform.openReceiver(redirectUri ?? registered)
    return {
      redirectUri: redirectUri ?? '', // checked when we were called
      receive: (signal) => receive(signal),
      async [Symbol.asyncDispose]() {},
    }
  }

  async function identify({ target, store: kept }: Omit<Need, 'scopes'>) {
    return findIdentity(target.issuer, options, kept, target.resource)
  }

  /** One attempt at the issuer. */
  async function signInOnce(need: Need, client: ClientIdentity | undefined): Promise<Grant> {
    const { target, scopes, http } = need
    const { issuer } = target
    const { platform } = await import('#interactive')
    await using receiver = await openReceiver(
      platform,
      client && (client.redirectUri ?? agreedRedirect),
    )
    const isFitting = client && (client.source !== 'registered' || isRegistered(client, receiver))
    const identity = isFitting ? client : await registerAt(need, receiver.redirectUri)
    const wanted = withOfflineAccess(
      scopes,
      issuer.server.scopes_supported,
      issuer.settings.offlineAccess,
    )
    const { url, pending } = await startSignIn({
      target,
      identity,
      redirectUri: receiver.redirectUri,
      scopes: wanted,
      dpop: options.dpop,
    })
    const limit = AbortSignal.timeout(timeoutMs)
    const signal = anySignal(http.signal, limit)
    try {
      const callback = receiver.receive(signal, pending.state)
      callback.catch(() => {}) // awaited below, unless showing the URL fails first
      await (options.open ?? platform.showUrl)(new URL(url.href))
      const code = codeIn(await unlessAborted(callback, signal), pending)
      return await finishSignIn(pending, code, http)
    } catch (error) {
      if (!limit.aborted || http.signal.aborted) throw error
      throw nobodyCame(issuer, timeoutMs)
    }
  }

  async function registerAt({ target, store: kept, http }: Need, redirect: string) {
    const { issuer } = target
    if (issuer.server.registration_endpoint === undefined) throw identityNeeded(issuer)
    const identity = await register(issuer, { redirectUri: redirect, clientName }, http)
    await keepRegistration(kept, issuer.id, identity)
    return identity
  }

  return createAuthorizer({
    options,
    network: options.network ?? 'any',
    store: () => (store ??= options.store ? Promise.resolve(options.store) : openDefaultStore()),
    account: options.account,
    isSilent: false,
    signInMs: timeoutMs,
    identify,
    async obtain(need) {
      const client = await identify(need)
      try {
        return await signInOnce(need, client)
      } catch (error) {
        if (client?.source !== 'registered') throw error
        const isOver = isAuthError(error, 'sign_in_timeout') // an issuer that forgot us does not send people back
        if (!isOver && !isUnknownClient(error)) throw error
        await need.store.delete(registrationKey(need.target.issuer.id))
        if (isOver) throw error
        return signInOnce(need, undefined)
      }
    },
  })
}

async function openDefaultStore(): Promise<TokenStore> {
  const platform = await import('#interactive')
  return platform.openDefaultStore()
}

/** Issuers compare redirects exactly, but for the port on loopback (RFC 8252 section 7.3). */
function isRegistered({ redirectUri }: ClientIdentity, receiver: Receiver): boolean {
  return redirectUri !== undefined && withoutPort(redirectUri) === withoutPort(receiver.redirectUri)
}

function withoutPort(redirectUri: string): string {
  const url = new URL(redirectUri)
  if (url.protocol === 'http:') url.port = ''
  return url.href
}

function nobodyCame({ id }: TokenIssuer, timeoutMs: number): AuthError {
  return new AuthError(
    'sign_in_timeout',
    `nobody signed in at ${id} within ${timeoutMs / 1000} s`,
    {
      step: 'callback',
      issuer: id,
      hint: 'Check that the sign-in page opened and that it led back here. Set the option timeoutMs to wait longer.',
    },
  )
}

/** Throws unless the redirect is https or on this machine, which is all the specification allows. */
export function requireRedirectUri(redirectUri: string): void {
  const url = parseUrl(redirectUri)
  const isLocal = url?.protocol === 'http:' && isLoopbackHost(url.hostname)
  const isPlain = url?.hash === '' && url.username === '' && url.password === ''
  if (isPlain && (url.protocol === 'https:' || isLocal)) return
  throw new TypeError(`redirectUri must be https or on localhost: ${redirectUri}`)
}

/** Where the browser comes back to. */
export interface Receiver extends AsyncDisposable {
  readonly redirectUri: string
  /** The first callback; one that does not carry `state` is not ours if the receiver can tell. */
  receive(signal: AbortSignal, state: string): Promise<URL>
}

/** Platform functions for a program that runs for a person. */
export interface Platform {
  /** At the given address if it can be had, or one like it; else at a new one. */
  openReceiver(registered: string | undefined): Promise<Receiver>
  showUrl(url: URL): Promise<void>
}
