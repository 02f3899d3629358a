import type { BackendCaller } from '@parley/mcp/internal/relay'

import type { Subject } from '../checks/check.ts'
import type { Catalogue } from '../naming/catalogue.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import { ownerOf } from './caller.ts'
import type { GatewayCore } from './core.ts'
import { skillServerOf } from './skills.ts'

/** A resource, and the server that has it. */
export interface FoundResource {
  readonly upstream: Upstream
  readonly subject: Subject
}

/**
 * The server that a URI belongs to: the one that lists it, that named it to this caller in a result, or that has the
 * template with the longest beginning in common; else the only one with resources of the same scheme. A URI is never
 * sent to servers that may have nothing to do with it.
 */
export function findResource(
  { upstreams, origins }: GatewayCore,
  { offered: { resources, resourceTemplates } }: Catalogue,
  caller: BackendCaller,
  uri: string,
): FoundResource | undefined {
  const listed = resources.get(uri)
  if (listed) return { upstream: listed.upstream, subject: listed.subject }
  const origin = upstreams.get(origins.find(ownerOf(caller), uri)?.upstream ?? '')
  if (origin) return { upstream: origin, subject: unlisted(origin, uri) }

  const skilled =
    schemeOf(uri) === 'skill' ? skillServerOf({ origins, upstreams }, caller, uri) : undefined
  if (skilled) return { upstream: skilled, subject: unlisted(skilled, uri) }

  const templates = [...resourceTemplates.values()]
    .map(({ upstream, subject }) => ({ upstream, start: literalStart(subject.name) }))
    .filter(({ start }) => start.includes(':') && uri.startsWith(start))
    .toSorted((a, b) => b.start.length - a.start.length)
  const [best] = templates
  if (best) return { upstream: best.upstream, subject: unlisted(best.upstream, uri) }

  const same = new Set<Upstream>()
  for (const { upstream, subject } of [...resources.values(), ...resourceTemplates.values()]) {
    if (schemeOf(subject.name) === schemeOf(uri)) same.add(upstream)
  }
  const [only] = same
  return only && same.size === 1 ? { upstream: only, subject: unlisted(only, uri) } : undefined
}

function unlisted({ name: upstream }: Upstream, uri: string): Subject {
  return { kind: 'resource', upstream, name: uri, exposedName: uri }
}

function literalStart(template: string): string {
  return template.split('{', 1)[0] ?? ''
}

function schemeOf(uri: string): string {
  return uri.split(':', 1)[0]?.toLowerCase() ?? ''
}
