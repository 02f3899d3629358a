/**
 * The tokens of our users at identity providers: stored encrypted, refreshed one at a time across processes, and deleted with the last grant
 * of the user.
 *
 * `links.ts` encrypts and stores them; `findProviderToken` hands one to a handler for the user of the token that called it.
 */

import type { AuthInfo } from '@parley/mcp'

import type { ProviderToken } from '../../resource/upstream/provider-token.ts'
import { AuthError } from '../../shared/auth-error.ts'
import type { Settings } from '../settings.ts'
import type { StoreLock } from '../stores/store-lock.ts'
import { createGrantList, type GrantList } from './grant-list.ts'
import type { Link, Links } from './links.ts'
import type { AuthorizationResult } from './party-client.ts'
import { providerApi } from './sign-in-provider.ts'
import type { Party, SignInProviders } from './third-parties.ts'

/** The tokens of our users at providers: stored, refreshed one at a time, and deleted. */
export interface UserTokens extends Pick<GrantList, 'noteGrant'> {
  /** Ties somebody here to the account they came with. */
  keep(subject: string, provider: string, arrival: AuthorizationResult): Promise<void>
  /** Whether their provider still stands for them; true for who has none. Throws if that cannot be found out now. */
  standsFor(subject: string): Promise<boolean>
  /** The access token of a grant's user at a provider, refreshed when due or when `refused`. Rejects with `grant_lost` if there is none. */
  find(
    whose: { readonly subject: string; readonly grantId: string },
    provider: Party,
    rejected?: string,
  ): Promise<string>
  /** A grant is over. With the last one of a user, their tokens are gone. */
  releaseGrant(grantId: string): Promise<void>
  /** Forgets all of a user's tokens. */
  forget(subject: string): Promise<void>
}

export function createUserTokens(options: {
  readonly providers: readonly Party[]
  readonly links: Links
  readonly lock: StoreLock
  readonly settings: Settings
}): UserTokens {
  const { providers, links, lock, settings } = options
  const { now, audit } = settings
  const grants = createGrantList(settings.store, lock, now)

  /** The link as it is good now; undefined if the provider does not stand for them any more. */
  async function renew(
    subject: string,
    { id, provider, client }: Party,
    rejectedToken?: string,
  ): Promise<Link | undefined> {
    const link = await links.find(subject, id)
    if (link === undefined) return undefined
    if (!isDue(link, rejectedToken)) return link // another process was faster
    const { sub, tokens } = link
    let fresh = tokens
    let whose: string | undefined
    if (link.isProven && tokens.refreshToken !== undefined) {
      const renewal = await client.renew(tokens.refreshToken)
      if (renewal === undefined) return lose(subject, id, 'no longer vouches for the user')
      fresh = renewal.tokens
      whose = renewal.sub
      // Before anything else: the refresh token of before may be spent.
      await links.keep(subject, id, { sub, tokens: fresh, isProven: false })
    } else if (isExpired(link)) return lose(subject, id, 'gave a token that has expired')
    const { identify } = client
    if (whose === undefined) whose = identify ? await identify(fresh.accessToken) : sub
    if (whose === undefined) return lose(subject, id, 'no longer vouches for the user')
    if (whose !== sub) return lose(subject, id, 'gave a token of another user')
    if (fresh.accessToken === rejectedToken)
      return lose(subject, id, 'does not accept its own token')
    await links.keep(subject, id, { sub, tokens: fresh, isProven: true })
    return links.find(subject, id)

    async function lose(who: string, from: string, why: string): Promise<undefined> {
      await links.remove(who, from)
      audit({ type: 'sign_out', subject: who, reason: `${provider.name} ${why}` })
    }
  }

  function isDue({ renewAt, isProven, tokens }: Link, rejectedToken: string | undefined): boolean {
    return renewAt <= now() || !isProven || tokens.accessToken === rejectedToken
  }

  function isExpired({ tokens: { expiresAt = Infinity } }: Link): boolean {
    return expiresAt <= now()
  }

  /** Undefined if it is over. While the provider cannot be reached, a token that is still good is used. */
  async function current(
    subject: string,
    provider: Party,
    rejectedToken?: string,
  ): Promise<Link | undefined> {
    const link = await links.find(subject, provider.id)
    if (link === undefined || !isDue(link, rejectedToken)) return link
    try {
      return await lock(subject, () => renew(subject, provider, rejectedToken))
    } catch (error) {
      const stored = await links.find(subject, provider.id)
      const isGood =
        stored?.isProven && !isExpired(stored) && stored.tokens.accessToken !== rejectedToken
      if (isGood) return stored
      throw error
    }
  }

  function forget(subject: string): Promise<void> {
    return lock(subject, async () => {
      await grants.clear(subject)
      for (const { id } of providers) await links.remove(subject, id)
    })
  }

  return {
    noteGrant: grants.noteGrant,

    async keep(subject, provider, { claims: { sub }, tokens }) {
      await lock(subject, async () => {
        await links.keep(subject, provider, { sub, tokens, isProven: true })
        await grants.setProvider(subject, provider)
      })
    },

    async standsFor(subject) {
      const provider = await grants.providerOf(subject)
      if (provider === undefined) return true
      const party = providers.find(({ id }) => id === provider)
      if (party !== undefined && (await current(subject, party)) !== undefined) return true
      await settings.store.delete('Account', subject)
      return false
    },

    async find({ subject, grantId }, provider, rejectedToken) {
      const isAlive = await grants.hasGrant(subject, grantId)
      const link = isAlive ? await current(subject, provider, rejectedToken) : undefined
      if (link !== undefined) return link.tokens.accessToken
      const { name } = provider.provider
      throw new AuthError('grant_lost', `there is no token of ${name} for this user`, {
        step: 'token',
        hint: `The user must sign in with ${name} again.`,
      })
    },

    async releaseGrant(grantId) {
      const subject = await grants.releaseGrant(grantId)
      if (subject !== undefined) await forget(subject)
    },

    forget,
  }
}

/** Returns a provider's token for a caller: only for the user of a token of ours, and while its grant lasts. */
export async function findProviderToken(
  { issuer, subject, claims }: AuthInfo,
  wanted: { readonly provider: string; readonly rejected: string | undefined },
  server: Pick<SignInProviders, 'providers' | 'tokens'> & { readonly issuer: string },
): Promise<ProviderToken> {
  const provider = server.providers.find(({ id }) => id === wanted.provider)
  if (provider === undefined) {
    const providerNames = server.providers.map(({ id }) => id).join(', ') || 'none'
    throw new TypeError(
      `there is no provider ${wanted.provider} in signInWith: known are ${providerNames}`,
    )
  }
  const { grant_id: grantId } = claims
  if (issuer !== server.issuer || typeof grantId !== 'string') {
    throw new AuthError('grant_lost', 'this caller did not sign in here with a provider', {
      step: 'token',
      issuer: server.issuer,
    })
  }
  const token = await server.tokens.find({ subject, grantId }, provider, wanted.rejected)
  const { apiHeaders: headers = {} } = provider.provider
  return { token, headers, api: providerApi(provider.provider) }
}
