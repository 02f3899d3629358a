import { createHash } from 'node:crypto'

import { createLocalJWKSet, jwtVerify } from 'jose'
import type { AccessToken, ClientCredentials, Provider } from 'oidc-provider'

import type { Settings } from '../settings.ts'
import type { UserTokens } from '../third-party/user-tokens.ts'
import type { KeySet } from './keys.ts'

/**
 * The provider forgets a signed token once it is out. We note each one for as long as it lives, so that it can be asked
 * about and taken back like one that is not signed. What it returns waits until all are noted.
 */
export function noteIssuedTokens(
  provider: Provider,
  { store, audit }: Settings,
  userTokens: UserTokens,
): () => Promise<void> {
  const pending = new Set<Promise<void>>()

  async function note(token: AccessToken | ClientCredentials): Promise<void> {
    const seconds = token.remainingTTL
    const now = Math.floor(Date.now() / 1000)
    const payload: Record<string, unknown> = { iat: now, exp: now + seconds }
    for (const name of noted) {
      const value: unknown = Reflect.get(token, name)
      if (value !== undefined) payload[name] = value
    }
    await store.set(token.kind, token.jti, payload, seconds * 1000)
    if ('accountId' in token) await userTokens.noteGrant(token.accountId, token.grantId)
  }

  function listen(token: AccessToken | ClientCredentials): void {
    const noting = note(token).catch(() => {
      audit({ type: 'failure', reason: 'a token cannot be checked: the store failed' })
    })
    pending.add(noting)
    void noting.finally(() => pending.delete(noting))
  }
  provider.on('access_token.issued', listen)
  provider.on('client_credentials.issued', listen)

  return async () => void (await Promise.all(pending))
}

const noted = [
  'jti',
  'kind',
  'clientId',
  'accountId',
  'grantId',
  'aud',
  'scope',
  'jkt',
  'gty',
  'extra',
]

/** The id of a token of ours that is signed; other tokens as they are. */
export async function tokenId(
  token: string,
  keys: KeySet,
  { issuer, resources, now }: Settings,
): Promise<string> {
  if (token.split('.').length !== 3) return token
  const publicKeys = keys.signing.map(({ d: _private, ...key }) => key)
  try {
    const { payload } = await jwtVerify(token, createLocalJWKSet({ keys: publicKeys }), {
      issuer,
      audience: [...resources], // one that is no longer served has no tokens any more
      typ: 'at+jwt',
      algorithms: ['ES256'],
      currentDate: new Date(now()),
    })
    return payload.jti ?? 'unknown'
  } catch {
    return 'unknown' // not ours, or over: the answer for both is that it is not active
  }
}

/**
 * Client assertions and DPoP proofs are good once. The provider looks for one and then writes it down, which is too late for
 * those that come at the same time; so it asks us instead.
 */
export function rejectReplays(
  { ReplayDetection }: Provider,
  { store, now }: Pick<Settings, 'store' | 'now'>,
): void {
  ReplayDetection.unique = (issuer, jti, exp) => {
    const id = createHash('sha256')
      .update(JSON.stringify([issuer, jti]))
      .digest('base64url')
    return store.add('Replay', id, true, Math.max(exp * 1000 - now(), 1000))
  }
}
