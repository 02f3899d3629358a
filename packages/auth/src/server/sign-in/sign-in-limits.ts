import { addressBlock } from '@parley/mcp/address'
import type { FindAccount, KoaContextWithOIDC } from 'oidc-provider'

import { createRateLimit } from '../rate-limit.ts'
import type { Settings } from '../settings.ts'
import type { UserAccount } from './users.ts'

/** Slows down who guesses passwords. */
export interface SignInLimits {
  waitMs(name: string, address: string | undefined): number
  count(name: string, address: string | undefined): void
  /** False if so many passwords are being checked that this one has to come later. */
  enter(): boolean
  leave(): void
  /** After the right password. */
  forget(name: string, address: string | undefined): void
}

const quarter = 15 * 60_000
/** A check is slow on purpose; more at once than this would only make everybody wait. */
const maxChecks = 20

/**
 * Ten guesses in a quarter of an hour for one name from one address, fifty for one name from anywhere, a hundred from one
 * address, which is the first half of one of IPv6. Where addresses are not known all come from one place, and only the first two hold.
 */
export function createSignInLimits(now: () => number): SignInLimits {
  const pairs = createRateLimit({ max: 10, windowMs: quarter, now })
  const names = createRateLimit({ max: 50, windowMs: quarter, now })
  const addresses = createRateLimit({ max: 100, windowMs: quarter, now })

  let checks = 0

  function keys(login: string, address: string | undefined) {
    const name = login.normalize('NFKC').trim().toLowerCase().slice(0, 200)
    const block = address === undefined ? undefined : addressBlock(address)
    return { name, pair: JSON.stringify([name, block ?? '']), address: block }
  }

  return {
    waitMs(login, from) {
      const { name, pair, address } = keys(login, from)
      const byAddress = address === undefined ? 0 : addresses.waitMs(address)
      return Math.max(pairs.waitMs(pair), names.waitMs(name), byAddress)
    },
    count(login, from) {
      const { name, pair, address } = keys(login, from)
      pairs.count(pair)
      names.count(name)
      if (address !== undefined) addresses.count(address)
    },
    enter() {
      if (checks >= maxChecks) return false
      checks += 1
      return true
    },
    leave() {
      checks -= 1
    },
    forget(login, from) {
      const { name, pair } = keys(login, from)
      pairs.forget(pair)
      names.forget(name)
    },
  }
}

/** Longer than any grant. */
const keepMs = 100 * 86_400_000

/** Ends all that somebody is signed in to now. */
export async function endSignIns(subject: string, { store, audit }: Settings): Promise<void> {
  await store.set('SignedOut', subject, Date.now(), keepMs) // by the clock that the provider goes by
  audit({ type: 'sign_out', subject, reason: 'all sessions of the user were ended' })
}

/** When what somebody had signed in to ended for the last time, in milliseconds since 1970; 0 if never. */
export async function endOfSignIns(
  { subject, signedOutAt = 0 }: Pick<UserAccount, 'subject' | 'signedOutAt'>,
  { store }: Settings,
): Promise<number> {
  const ended = await store.get('SignedOut', subject)
  return Math.max(signedOutAt, typeof ended === 'number' ? ended : 0)
}

/** When somebody signed in, in seconds, told by what they have from that. */
export function timeOfSignIn(
  { oidc }: KoaContextWithOIDC,
  token: Parameters<FindAccount>[2],
): number | undefined {
  return token && 'authTime' in token ? token.authTime : oidc.session?.loginTs
}

/** The time of a sign-in of this moment, in seconds: never one of before the end of others, though it may be the same second. */
export function timeAfter(endedAt: number): number {
  return Math.max(Math.floor(Date.now() / 1000), Math.floor(endedAt / 1000) + 1)
}
