import type { StoreKey, TokenStore } from '@parley/auth/client'
import { createFileTokenStore, createKeyringTokenStore } from '@parley/auth/node'
import { stateFolder } from '@parley/foundation/secrets'

import type { Io } from '../io.ts'

/** The store all our programs share: the keychain's, unless a passphrase or another place is given. */
export async function openTokenStore({ env }: Pick<Io, 'env'>): Promise<TokenStore> {
  const { MCP_SECRET_KEY: passphrase, PARLEY_STATE } = env
  if (!passphrase && !PARLEY_STATE) return createKeyringTokenStore()
  const directory = `${stateFolder({ env })}/auth`
  return createFileTokenStore({ directory, ...(passphrase && { passphrase }) })
}

/** Tells of every grant that is kept, so that it can be found again. */
export function noticingGrants(
  store: TokenStore,
  onGrant: (key: StoreKey) => Promise<void>,
): TokenStore {
  return {
    ...store,
    async set(key, grant, expectedVersion) {
      const isStored = await store.set(key, grant, expectedVersion)
      if (isStored && key.kind === 'grant') await onGrant(key)
      return isStored
    },
  }
}

/** What a grant says about itself; never the tokens. */
export interface GrantView {
  readonly issuer: string
  readonly resource?: string | undefined
  readonly clientId?: string | undefined
  readonly scopes?: readonly string[] | undefined
  readonly expiresAt?: number | undefined
  readonly canRefresh: boolean
}

/** Reads one; `undefined` if it is gone. */
export async function viewGrant(store: TokenStore, key: StoreKey): Promise<GrantView | undefined> {
  const stored = await store.get(key)
  if (stored === undefined) return undefined
  const grant = JSON.parse(stored.value) as { readonly [name: string]: unknown } // only our auth package writes it
  const scopes = grant['granted'] ?? grant['requested']
  return {
    issuer: key.issuer,
    resource: key.resource,
    clientId: typeof grant['clientId'] === 'string' ? grant['clientId'] : undefined,
    scopes: Array.isArray(scopes) ? scopes.map(String) : undefined,
    expiresAt: typeof grant['expiresAt'] === 'number' ? grant['expiresAt'] : undefined,
    canRefresh: typeof grant['refreshToken'] === 'string',
  }
}
