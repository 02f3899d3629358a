import { RpcError } from '@parley/mcp'
import type { BackendOutcome, BackendCall } from '@parley/mcp/internal/relay'

import type { Catalogue, Offered } from '../naming/catalogue.ts'
import { exposedName } from '../naming/naming.ts'
import { rejectionOf } from '../upstreams/upstream-state.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import type { GatewayCore } from './core.ts'
import { fail } from './pass-on.ts'
import type { GatewaySession } from './session.ts'

/** The session of a call; undefined in revisions without sessions. */
export function sessionOf({ caller }: BackendCall): GatewaySession | undefined {
  return caller.backend as GatewaySession | undefined // made by this relay alone
}

/** Returns the features that the caller may use. */
export function catalogueFor(core: GatewayCore, call: BackendCall): Promise<Catalogue> | Catalogue {
  return sessionOf(call)?.catalogue(call) ?? core.catalogueFor(call.caller.auth)
}

/** Finds the tool or prompt with a name. A promise only if a server has to be waited for. */
export function findOffered(
  core: GatewayCore,
  call: BackendCall,
  list: 'tools' | 'prompts',
  name: string,
): Promise<Offered | undefined> | Offered {
  const catalogue = catalogueFor(core, call)
  const offer = catalogue instanceof Promise ? undefined : catalogue.offered[list].get(name)
  return offer ?? findLater(core, call, list, name)
}

/** A server that has just started may not have been asked yet. */
async function findLater(
  core: GatewayCore,
  call: BackendCall,
  list: 'tools' | 'prompts',
  name: string,
): Promise<Offered | undefined> {
  const offer = (await catalogueFor(core, call)).offered[list].get(name)
  if (offer !== undefined) return offer
  const owner = serverNamedBy(core, name)
  const starting = [...core.upstreams.values()].filter(
    (each) => each.state.state === 'starting' && (each === owner || mayHave(core, each, name)),
  )
  if (starting.length === 0) return undefined
  await Promise.all(starting.map(({ started }) => started))
  return (await catalogueFor(core, call)).offered[list].get(name)
}

/** It could turn out to call something so, once it has started. */
function mayHave({ naming }: GatewayCore, { server }: Upstream, name: string): boolean {
  if (naming !== 'prefix') return true
  return Object.values(server.tools ?? {}).some((rule) => rule.name === name)
}

/** Finds the server with a prefix. */
function serverNamedBy({ upstreams, naming }: GatewayCore, name: string) {
  if (naming !== 'prefix') return undefined
  return [...upstreams.values()].find((each) => {
    const start = exposedName(naming, each.name, 'x').slice(0, -1)
    return start === `${each.name}__` && name.startsWith(start)
  })
}

/** The answer to a name that nothing has. Not a word of what others may use: only what the name itself says. */
export function missing(
  core: GatewayCore,
  call: BackendCall,
  kind: 'tool' | 'prompt',
  name: string,
): BackendOutcome {
  const owner = serverNamedBy(core, name)
  const rejection = owner && rejectionOf(owner.name, owner.state, Date.now())
  if (rejection !== undefined) return fail(call, rejection)
  const where = owner ? `the server ${JSON.stringify(owner.name)}` : 'this gateway'
  const why = `${call.method}: ${where} has no ${kind} ${JSON.stringify(name.slice(0, 200))}`
  throw new RpcError('invalid_params', why)
}
