import type { ClientAuth } from '@parley/mcp/client'

import { createAuthorizer } from '../authorizer.ts'
import { grantFrom, type Grant } from '../grants/grant.ts'
import { createMemoryTokenStore } from '../grants/token-store.ts'
import type { ClientIdentity } from '../identity/client-identity.ts'
import type { TokenOptions } from '../options.ts'
import type { Need } from '../strategy.ts'
import { tokenOf, requestToken, type Presented } from '../tokens/token-request.ts'
import { chooseDpopKey, requireBound } from './sign-in.ts'

/** A way to a token that needs nobody. */
export interface SilentFlow {
  readonly options: TokenOptions
  identify(need: Omit<Need, 'scopes'>): Promise<ClientIdentity>
  /** Returns the request for a token with these scopes. */
  present(need: Need): Promise<Extract<Presented, { kind: 'other' }>>
}

const signInMs = 60_000

/** Tokens without a person: kept in memory, got anew before they expire. */
export function silentAuth({ options, identify, present }: SilentFlow): ClientAuth {
  const store = createMemoryTokenStore()

  async function obtain(need: Need): Promise<Grant> {
    const { target, scopes, http } = need
    const { issuer, resource } = target
    const identity = await identify(need)
    const isBound = target.dpop === 'required' || options.dpop === 'required'
    const dpop = await chooseDpopKey(target, options.dpop)
    const { grantType, parameters } = await present(need)
    const scope = scopes.length > 0 ? { scope: scopes.join(' ') } : {}
    const call = { issuer, identity, resource, dpop, http }
    const presented = { kind: 'other', grantType, parameters: { ...scope, ...parameters } } as const
    const token = tokenOf(await requestToken(presented, call), call, 'token')
    if (isBound) requireBound(token.token_type, issuer)
    const origin = { identity, requested: scopes, dpopJwk: dpop?.jwk }
    return grantFrom(token, origin, Date.now())
  }

  return createAuthorizer({
    options,
    network: options.network ?? 'any',
    store: async () => store,
    account: undefined,
    isSilent: true,
    signInMs,
    identify,
    obtain,
  })
}
