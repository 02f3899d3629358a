import type { FindAccount, KoaContextWithOIDC } from 'oidc-provider'

import type { Settings } from '../settings.ts'
import type { Account } from './users.ts'

/** Longer than any grant. */
const keepMs = 100 * 86_400_000

/** Ends all that somebody is signed in to now. */
export async function endSignIns(subject: string, { store, audit }: Settings): Promise<void> {
  await store.set('SignedOut', subject, Date.now(), keepMs) // by the clock that the provider goes by
  audit({ type: 'sign_out', subject, reason: 'all sessions of the user were ended' })
}

/** When what somebody had signed in to ended for the last time, in milliseconds since 1970; 0 if never. */
export async function endOfSignIns(
  { subject, signedOutAt = 0 }: Pick<Account, 'subject' | 'signedOutAt'>,
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
