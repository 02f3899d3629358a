import { createHash } from 'node:crypto'

import { maskArguments, maskSecrets } from '@parley/foundation/secrets'
import type { JsonObject } from '@parley/mcp'
import { parseUrl } from '@parley/mcp/address'

import type { HostTarget } from './host-server.ts'

/**
 * Changes when another program or address would be used under the same name. Values of variables and headers are secrets
 * and may be renewed; their names count.
 */
export function serverHash(target: HostTarget): string {
  return createHash('sha256')
    .update(JSON.stringify(identityOf(target)))
    .digest('hex')
}

function identityOf(target: HostTarget): readonly unknown[] {
  if (typeof target === 'string') return ['url', target]
  if (target instanceof URL) return ['url', target.href]
  if ('open' in target) return ['open', target.hash]
  if ('url' in target) return ['url', target.url, namesOf(target.headers)]
  const { command, args = [], env, cwd = null, inheritEnv = 'minimal' } = target
  return ['command', command, args, namesOf(env), cwd, inheritEnv]
}

function namesOf(values: { readonly [name: string]: string } = {}): readonly string[] {
  return Object.keys(values).toSorted()
}

/** The same for people to compare, without secrets. */
export function serverDefinition(target: HostTarget): JsonObject {
  if (typeof target === 'string') return { url: shownUrl(target) }
  if (target instanceof URL) return { url: shownUrl(target.href) }
  if ('open' in target) return { hash: target.hash }
  if ('url' in target) return { url: shownUrl(target.url), headers: namesOf(target.headers) }
  const { command, args = [], env, cwd = null } = target
  return { command, args: maskArguments(args), variables: namesOf(env), cwd }
}

/** Without credentials; what follows the path may be one. */
function shownUrl(text: string): string {
  const url = parseUrl(text)
  if (url === undefined) return text
  const { origin, pathname, protocol, host, search } = url
  const where = origin === 'null' ? `${protocol}//${host}` : origin
  return `${where}${pathname}${search === '' ? '' : maskSecrets(search)}`
}
