/**
 * Signing in for web applications that leave the page: `beginSignIn()` returns the address and the state to keep, `completeSignIn()` turns
 * the callback into a grant.
 *
 * Both halves use `sign-in.ts`. A callback counts once. `authFromStore()` uses and refreshes the grant later.
 */

import type { ClientAuth } from '@parley/mcp/client'

import { AuthError, isAuthError } from '../../shared/auth-error.ts'
import { parseUrl } from '../../shared/url-rules.ts'
import { createAuthorizer } from '../authorizer.ts'
import { decryptState, encryptState } from '../grants/encrypted-state.ts'
import { keepGrant, read } from '../grants/refresh.ts'
import { noteServer } from '../grants/server-grants.ts'
import type { TokenStore } from '../grants/token-store.ts'
import { findIdentity, identityNeeded } from '../identity/choose-identity.ts'
import { keepRegistration, register, registrationKey } from '../identity/registration.ts'
import { probe } from '../issuer/resource-metadata.ts'
import { findTarget, type Target } from '../issuer/target.ts'
import { createAuthHttp } from '../options.ts'
import { partOf } from '../server-url.ts'
import { grantKey } from '../strategy.ts'
import { chooseScopes, hasScopes, withOfflineAccess } from '../tokens/scopes.ts'
import { type SignInOptions, requireRedirectUri } from './interactive.ts'
import { codeIn, finishSignIn, startSignIn, type PendingSignIn } from './sign-in.ts'

/** A sign-in under way. Plain JSON; keep it with the user's session, and only there. */
export interface StartedSignIn {
  /** Where to send the user's browser. */
  readonly authorizationUrl: string
  /** The state that comes back in the redirect, to find this sign-in by. */
  readonly state: string
  /** The rest, which only your store can read. */
  readonly encrypted: string
}

/** The same for both halves. */
export interface BeginSignInOptions extends SignInOptions {}

interface Encrypted {
  readonly server: string
  readonly pending: PendingSignIn
  readonly until: number
}

const validMs = 600_000

/** The first half of signing in, for web applications that leave the page. */
export async function beginSignIn(
  url: string | URL,
  options: BeginSignInOptions & {
    readonly redirectUri: string
    readonly signal?: AbortSignal | undefined
  },
): Promise<StartedSignIn> {
  const { redirectUri, clientName = 'Parley', signal = new AbortController().signal } = options
  requireRedirectUri(redirectUri)
  const server = new URL(url)
  const store = await storeOf(options)
  const http = createAuthHttp(server, signal, options.fetch, options.network ?? 'public')
  const isKnown = async (issuer: string) => (await store.get(registrationKey(issuer))) !== undefined
  const target = await findTarget(server, await probe(server, http), http, options, isKnown)
  const { issuer, resource, challengedScopes: challenged, supportedScopes: supported } = target
  const client = await findIdentity(issuer, options, store, resource)
  const isFitting = client?.source !== 'registered' || client.redirectUri === redirectUri
  let identity = isFitting ? client : undefined
  if (identity === undefined) {
    if (issuer.server.registration_endpoint === undefined) throw identityNeeded(issuer)
    identity = await register(issuer, { redirectUri, clientName }, http)
    await keepRegistration(store, issuer.id, identity)
  }
  const earlier = read(await store.get(grantKey(target, options.account)))?.grant.requested
  const scopes = withOfflineAccess(
    chooseScopes({ earlier, configured: options.scopes, challenged, supported }),
    issuer.server.scopes_supported,
    issuer.settings.offlineAccess,
  )
  const started = await startSignIn({ target, identity, redirectUri, scopes, dpop: options.dpop })
  const { pending } = started
  const encrypted: Encrypted = { server: server.href, pending, until: Date.now() + validMs }
  return {
    authorizationUrl: started.url.href,
    state: pending.state,
    encrypted: await encryptState(encrypted, store),
  }
}

/** Sign-ins that were completed by this process; a callback counts once. */
const completed = new Map<string, number>()

/** The second half; then connect with what it returns, or later with the same store. */
export async function completeSignIn(
  signIn: StartedSignIn,
  callbackUrl: string | URL,
  options: BeginSignInOptions & { readonly signal?: AbortSignal | undefined },
): Promise<ClientAuth> {
  const store = await storeOf(options)
  const opened = (await decryptState(signIn.encrypted, store)) as Encrypted | undefined // only we could have sealed it
  if (opened === undefined || opened.pending.state !== signIn.state)
    throw notStarted('it was not started with this token store')
  const { pending, until, server } = opened
  if (until < Date.now()) throw notStarted('it took longer than ten minutes')
  for (const [state, end] of completed) if (end < Date.now()) completed.delete(state)
  if (completed.has(pending.state)) throw notStarted('it has already been completed')
  const callback = parseUrl(String(callbackUrl))
  if (callback === undefined) throw notStarted('the callback is not a valid URL')
  const code = codeIn(callback, pending) // anybody can lead a browser to a callback; only the true one counts
  completed.set(pending.state, until)
  const { signal = new AbortController().signal } = options
  const http = createAuthHttp(new URL(server), signal, options.fetch, options.network ?? 'public')
  try {
    const grant = await finishSignIn(pending, code, http)
    const target = targetOf(pending, new URL(server))
    await keepGrant(store, grantKey(target, options.account), grant)
    await noteServer(store, new URL(server), target)
  } catch (error) {
    if (!isAuthError(error, 'token_refused')) completed.delete(pending.state) // the code may be good yet
    throw error
  }
  return authFromStore({ ...options, store })
}

/**
 * Uses what is in the store, and refreshes it; nobody is there to sign in. Fails with `grant_lost` where somebody has to, and
 * with `insufficient_scope` where they have to agree to more.
 */
export function authFromStore(
  options: BeginSignInOptions & { readonly store: TokenStore },
): ClientAuth {
  const { store } = options
  return createAuthorizer({
    options,
    network: options.network ?? 'public',
    store: async () => store,
    account: options.account,
    isSilent: false,
    signInMs: 0,
    identify: ({ target }) => findIdentity(target.issuer, options, store, target.resource),
    async obtain({ target, scopes }) {
      const there = read(await store.get(grantKey(target, options.account)))
      const lacksScopes = there !== undefined && !hasScopes(there.grant.requested, scopes)
      throw lacksScopes ? scopesNeeded(target, scopes) : signInNeeded(target)
    },
  })
}

function scopesNeeded({ issuer, resource }: Target, scopes: readonly string[]): AuthError {
  return new AuthError(
    'insufficient_scope',
    `${resource} requires more scopes: ${scopes.join(' ')}`,
    {
      step: 'authorize',
      issuer: issuer.id,
      resource,
      scopes,
      hint: 'Send the user through begin(), with the scopes of this error, and complete().',
    },
  )
}

function signInNeeded({ issuer, resource }: Target): AuthError {
  return new AuthError('grant_lost', `the user must sign in to ${resource} again`, {
    step: 'authorize',
    issuer: issuer.id,
    resource,
    hint: 'Send the user through begin() and complete() again.',
  })
}

function targetOf({ resource, issuer }: PendingSignIn, serverUrl: URL): Target {
  const server = partOf(resource, serverUrl)
  const scopes = { challengedScopes: undefined, supportedScopes: undefined }
  return { resource, server, issuer, ...scopes, dpop: 'off' }
}

/** The store of the options, else the one that this platform has. */
export async function storeOf({ store }: SignInOptions): Promise<TokenStore> {
  if (store !== undefined) return store
  const platform = await import('#interactive')
  return platform.openDefaultStore()
}

function notStarted(why: string): AuthError {
  return new AuthError('state_mismatch', `this sign-in cannot be completed: ${why}`, {
    step: 'callback',
    hint: 'Start a new sign-in.',
  })
}
