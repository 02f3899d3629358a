import { createHash } from 'node:crypto'

import type { Provider } from 'oidc-provider'

import type { Settings } from '../settings.ts'

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
