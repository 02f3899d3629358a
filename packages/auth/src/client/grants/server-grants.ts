/**
 * The credentials of a client for one server over time: finds a stored grant, refreshes it, signs in when that is needed, and decides what
 * to try after a rejection.
 *
 * One instance per server and process; concurrent requests share one refresh and one sign-in. The strategy decides how to get a token,
 * `refresh.ts` how to renew it under a lock.
 */

import { parseJsonObject } from '@parley/mcp/json'
import { unlessAborted } from '@parley/mcp/signals'

import { AuthError, isAuthError } from '../../shared/auth-error.ts'
import type { Challenge } from '../../shared/challenge.ts'
import { registrationKey } from '../identity/registration.ts'
import { findTarget, type Target } from '../issuer/target.ts'
import { createAuthHttp, type AuthHttp } from '../options.ts'
import { readRejection, type Rejected } from '../refusal.ts'
import { grantKey, type Strategy } from '../strategy.ts'
import { restoreDpopKey, type DpopKey } from '../tokens/dpop.ts'
import { chooseScopes, hasScopes } from '../tokens/scopes.ts'
import { createStepUps } from '../tokens/step-ups.ts'
import { isExpired, isExpiring } from './grant.ts'
import { keepGrant, read, refreshGrant, type VersionedGrant } from './refresh.ts'
import type { StoreKey, TokenStore } from './token-store.ts'

/** The credentials for one server over time. */
export interface ServerGrants {
  headers(method: string, url: URL): Promise<{ readonly [header: string]: string }>
  /** True: there are other credentials now, try again. */
  answer(rejected: Rejected): Promise<boolean>
}

interface CurrentGrant extends VersionedGrant {
  readonly target: Target
  /** The source of the grant; it decides what to try after a rejection. */
  readonly origin: 'stored' | 'refreshed' | 'obtained'
  readonly dpop: DpopKey | undefined
}

/** Begins with nothing; the first refusal says what is needed. */
export function createServerGrants(serverUrl: URL, strategy: Strategy): ServerGrants {
  const stepUps = createStepUps()
  let activeGrant: CurrentGrant | undefined
  let blamed: CurrentGrant | undefined
  let running: SharedWork<void> | undefined

  /** One thing at a time: whoever comes meanwhile waits for it. */
  function share(work: (http: AuthHttp) => Promise<void>): SharedWork<void> {
    const own: SharedWork<void> = startSharedWork(async (signal) => {
      try {
        await work(createAuthHttp(serverUrl, signal, strategy.options.fetch, strategy.network))
      } finally {
        if (running === own) running = undefined
      }
    })
    running = own
    return own
  }

  async function hold(
    stored: VersionedGrant,
    target: Target,
    origin: CurrentGrant['origin'],
  ): Promise<void> {
    const { dpopJwk, tokenType } = stored.grant
    const dpop = dpopJwk && tokenType === 'dpop' ? await restoreDpopKey(dpopJwk) : undefined
    activeGrant = { ...stored, target, origin, dpop }
  }

  /** Asks the server anew who signs its clients in; it may be somebody else than before. */
  async function find(challenge: Challenge | undefined, http: AuthHttp): Promise<Target> {
    const store = await strategy.store()
    const isKnown = async (issuer: string) =>
      (await store.get(registrationKey(issuer))) !== undefined
    return findTarget(serverUrl, challenge, http, strategy.options, isKnown)
  }

  async function refresh(
    from: VersionedGrant,
    target: Target,
    isRejected: boolean,
    http: AuthHttp,
  ) {
    const store = await strategy.store()
    const stored = await refreshGrant({
      store,
      key: grantKey(target, strategy.account),
      target,
      activeGrant: from,
      isRejected,
      identify: () => strategy.identify({ target, store, http }),
      http,
    })
    if (stored === undefined) return false
    await hold(stored, target, 'refreshed')
    return true
  }

  async function obtain(target: Target, scopes: readonly string[], http: AuthHttp): Promise<void> {
    const store = await strategy.store()
    const key = grantKey(target, strategy.account)
    const rejectedToken = activeGrant?.grant.accessToken
    await store.withLock(
      { ...key, kind: 'sign-in' },
      async () => {
        const there = read(await store.get(key))
        const isNew = there !== undefined && there.grant.accessToken !== rejectedToken
        const isEnough = isNew && hasScopes(there.grant.requested, scopes)
        if (isEnough && !isExpiring(there.grant, Date.now())) return hold(there, target, 'stored')
        const grant = await strategy.obtain({ target, scopes, store, http })
        const stored = await keepGrant(store, key, grant)
        await noteServer(store, serverUrl, target)
        return hold(stored ?? { grant, version: '' }, target, 'obtained')
      },
      { timeoutMs: strategy.signInMs },
    )
  }

  /** After 401: what the store has, else a refresh, else signing in. */
  async function signIn(challenge: Challenge | undefined, attempt: number, http: AuthHttp) {
    const target = await find(challenge, http)
    const before = isSameTarget(activeGrant?.target, target) ? activeGrant : undefined
    if (before?.origin === 'obtained' && attempt > 1) throw freshTokenRejected(target)
    activeGrant = before
    const store = await strategy.store()
    const stored = before ?? read(await store.get(grantKey(target, strategy.account)))
    if (stored !== undefined && before === undefined && !isExpiring(stored.grant, Date.now())) {
      return hold(stored, target, 'stored')
    }
    const isWorthTrying =
      stored?.grant.refreshToken !== undefined && !(before?.origin === 'refreshed' && attempt > 1)
    if (stored && isWorthTrying && (await refresh(stored, target, before !== undefined, http)))
      return
    const { challengedScopes: challenged, supportedScopes: supported } = target
    const { scopes: configured } = strategy.options
    const earlier = stored?.grant.requested
    if (!strategy.isSilent && stepUps.isInVain()) throw freshTokenRejected(target)
    return obtain(target, chooseScopes({ earlier, configured, challenged, supported }), http)
  }

  /** After 403: more scopes, and all that were asked for before. */
  async function stepUp(challenge: Challenge, attempt: number, http: AuthHttp): Promise<void> {
    const target = await find(challenge, http)
    const challenged = target.challengedScopes ?? []
    stepUps.count(challenged, attempt, target.resource)
    const isSame = isSameTarget(activeGrant?.target, target)
    const earlier = isSame ? activeGrant?.grant.requested : undefined
    const { scopes: configured } = strategy.options
    await obtain(target, chooseScopes({ earlier, configured, challenged }), http)
  }

  /** Somebody signed in, and the request that was repeated for it was refused again: once for each token. */
  function noteInVain({ attempt, given }: Rejected): void {
    if (attempt === 1 || activeGrant?.origin !== 'obtained' || activeGrant === blamed) return
    if (!isPresent(activeGrant, given)) return
    blamed = activeGrant
    stepUps.noteInVain()
  }

  /** Before a request: nothing that is about to expire goes out if it can be helped. */
  async function freshen(): Promise<void> {
    const current = activeGrant
    if (current === undefined || !isExpiring(current.grant, Date.now())) return
    const { grant, target } = current
    const renew = async (http: AuthHttp) => {
      if (grant.refreshToken !== undefined && (await refresh(current, target, false, http))) return
      if (strategy.isSilent) await obtain(target, grant.requested, http)
      else if (grant.refreshToken !== undefined || isExpired(grant, Date.now()))
        activeGrant = undefined
    }
    try {
      await share(renew).join(new AbortController().signal)
    } catch (error) {
      if (!isAuthError(error)) throw error
      // Nothing is lost yet: the token is good until it expires, and then the server says what to do.
    }
  }

  return {
    async headers(method, url) {
      const isOfUse = activeGrant !== undefined && !isExpiring(activeGrant.grant, Date.now())
      if (!isOfUse && running !== undefined) await running.done
      else if (!isOfUse) await freshen()
      if (activeGrant === undefined) return {}
      const { grant, dpop } = activeGrant
      if (dpop !== undefined) return dpop.headers(grant.accessToken, method, url)
      return { authorization: `Bearer ${grant.accessToken}` }
    },

    async answer(rejected) {
      const { attempt, signal, given } = rejected
      const rejection = readRejection(rejected)
      if (rejection.kind === 'final') return false
      if (rejection.kind === 'nonce') {
        if (activeGrant?.dpop === undefined || attempt > 3) return false
        await activeGrant.dpop.keepNonce(rejected.url, rejection.nonce)
        return true
      }
      noteInVain(rejected)
      while (running !== undefined) await running.join(signal)
      if (activeGrant !== undefined && !isPresent(activeGrant, given)) return true // renewed while this one was under way
      const { challenge } = rejection
      await share((http) =>
        rejection.kind === 'sign-in'
          ? signIn(challenge, attempt, http)
          : stepUp(rejection.challenge, attempt, http),
      ).join(signal)
      return true
    },
  }
}

function isSameTarget(a: Target | undefined, b: Target): boolean {
  return a?.issuer.id === b.issuer.id && a.resource === b.resource
}

function isPresent(
  { grant }: CurrentGrant,
  headers: { readonly [header: string]: string },
): boolean {
  return headers['authorization']?.endsWith(` ${grant.accessToken}`) === true
}

function freshTokenRejected({ issuer, resource }: Target): AuthError {
  return new AuthError(
    'token_refused',
    `${resource} rejects the token that ${issuer.id} has just issued for it`,
    {
      step: 'token',
      issuer: issuer.id,
      resource,
      hint: 'The server may expect a different audience from the one in its metadata. Ask its operator.',
    },
  )
}

// Which issuer's tokens a server takes, as it last said: signing out must not depend on a server that may be gone.

/** Noted with every sign-in. */
export async function noteServer(store: TokenStore, server: URL, target: Target): Promise<void> {
  const value = JSON.stringify(grantKey(target, undefined))
  await store.set(keyOf(server), { version: crypto.randomUUID(), value })
}

/** The key of what somebody signed in to there. */
export async function recallServer(
  store: TokenStore,
  server: URL,
  account: string | undefined,
): Promise<StoreKey | undefined> {
  const stored = await store.get(keyOf(server))
  const { issuer, resource, server: part } = parseJsonObject(stored?.value ?? '') ?? {}
  if (typeof issuer !== 'string' || typeof resource !== 'string') return undefined
  return {
    kind: 'grant',
    issuer,
    resource,
    ...(account !== undefined && { account }),
    ...(typeof part === 'string' && { server: part }),
  }
}

function keyOf({ href }: URL): StoreKey {
  return { kind: 'server', issuer: '', resource: href }
}

/** Work that several callers wait for. It is given up when the last of them is. */
interface SharedWork<T> {
  join(signal: AbortSignal): Promise<T>
  /** When it is over, well or not; waiting for that keeps nothing alive. */
  readonly done: Promise<void>
}

/** Starts work for whoever joins. */
function startSharedWork<T>(work: (signal: AbortSignal) => Promise<T>): SharedWork<T> {
  const controller = new AbortController()
  const result = work(controller.signal)
  const done = result.then(
    () => {},
    () => {}, // those who joined are told
  )
  let waiting = 0

  return {
    done,
    async join(signal) {
      signal.throwIfAborted()
      waiting += 1
      try {
        return await unlessAborted(result, signal)
      } finally {
        waiting -= 1
        if (waiting === 0 && signal.aborted) controller.abort(signal.reason)
      }
    },
  }
}
