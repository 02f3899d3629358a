import type { AuthInfo } from '@parley/mcp'
import { BoundedMap } from '@parley/mcp/internal'

import { accountOf } from '../identity/outgoing-credentials.ts'
import { signInLists } from '../identity/sign-in-tool.ts'
import { createCatalogue, type Catalogue, type Contribution } from '../naming/catalogue.ts'
import type { NamingStrategy } from '../naming/naming.ts'
import type { UpstreamLists } from '../upstreams/upstream-lists.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import type { GatewayCore } from './core.ts'

/** The catalogue of each caller, if servers offer each something else. Bounded; the oldest are made again. */
export interface CallerCatalogues {
  of(core: GatewayCore, auth: AuthInfo | undefined): Promise<Catalogue>
}

const maxCallers = 200

export function createCallerCatalogues(): CallerCatalogues {
  const catalogues = new BoundedMap<
    string,
    { readonly of: readonly unknown[]; readonly catalogue: Catalogue }
  >(maxCallers)
  return {
    async of(core, auth) {
      const contributions = await Promise.all(
        [...core.upstreams.values()].map(async (upstream): Promise<Contribution> => {
          return { upstream, lists: await core.listsFor(upstream, auth) }
        }),
      )
      const key = auth === undefined ? '' : accountOf(auth)
      const of = [core.catalogue(), ...contributions.map(({ lists }) => lists)]
      const before = catalogues.get(key)
      if (before && before.of.every((each, at) => each === of[at])) return before.catalogue
      const catalogue = createCatalogue(contributions, core.naming)
      catalogues.set(key, { of, catalogue })
      return catalogue
    },
  }
}

/** The same one each time, so that nothing has changed. */
const signIns = new WeakMap<Upstream, Map<NamingStrategy, UpstreamLists>>()

/** Returns the lists of one server for one caller: their own lists, those for everybody, or a way to sign in. */
export async function callerListsOf(
  upstream: Upstream,
  auth: AuthInfo | undefined,
  naming: NamingStrategy,
): Promise<UpstreamLists> {
  const { callers, lists, name, state } = upstream
  if (callers === undefined || auth === undefined) return lists
  if (state.state !== 'ready' && state.state !== 'degraded') return lists
  const own = await callers.listsOf(auth)
  if (own !== undefined) return own
  if (lists.tools.length > 0 || !callers.needsSignIn(auth)) return lists
  const made = signIns.get(upstream) ?? new Map<NamingStrategy, UpstreamLists>()
  signIns.set(upstream, made)
  const offered = made.get(naming) ?? signInLists(name, naming === 'prefix')
  made.set(naming, offered)
  return offered
}
