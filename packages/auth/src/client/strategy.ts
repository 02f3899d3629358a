import type { SafeFetchOptions } from '../shared/safe-fetch.ts'
import type { Grant } from './grants/grant.ts'
import type { StoreKey, TokenStore } from './grants/token-store.ts'
import type { ClientIdentity } from './identity/client-identity.ts'
import type { Target } from './issuer/target.ts'
import type { TokenOptions, AuthHttp } from './options.ts'

/** A token that is needed now. */
export interface Need {
  readonly target: Target
  readonly scopes: readonly string[]
  readonly store: TokenStore
  readonly http: AuthHttp
}

/** One way to get tokens; finding the issuer, keeping, refreshing and asking for more is the same for all. */
export interface Strategy {
  readonly options: TokenOptions
  readonly network: SafeFetchOptions['network']
  /** Opened when first needed. */
  readonly store: () => Promise<TokenStore>
  readonly account: string | undefined
  /** Nobody is disturbed by it, so it can be done ahead of time. */
  readonly isSilent: boolean
  /** How long somebody else who signs in for the same grant is waited for. */
  readonly signInMs: number
  /** Returns our identity there, without registering now. */
  identify(need: Omit<Need, 'scopes'>): Promise<ClientIdentity | undefined>
  obtain(need: Need): Promise<Grant>
}

/** Where a grant is kept: by issuer, server and account, so that no token is ever used where it was not given for. */
export function grantKey(target: Target, account: string | undefined): StoreKey {
  const { issuer, resource, server } = target
  return {
    kind: 'grant',
    issuer: issuer.id,
    resource,
    ...(account !== undefined && { account }),
    ...(server !== undefined && { server }),
  }
}
