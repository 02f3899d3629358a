import type { ConfigNode } from '@parley/foundation/config'
import { memberOf } from '@parley/foundation/config'
import { isJsonObject } from '@parley/mcp/json'

import type { StatusShown } from '../gateway/status.ts'
import { profileName } from '../naming/names.ts'
import { namingStrategies, type NamingStrategy } from '../naming/naming.ts'
import type { SearchSettings } from '../search/search-settings.ts'
import type { ConfigReader } from './config-reader.ts'
import { readSearch } from './search-settings.ts'
import { readStatusShown } from './status-settings.ts'

/** A part of what a gateway has, for one use of it. */
export interface Profile {
  /** @defaultValue all */
  readonly servers?: readonly string[] | undefined
  /** How clients call what the servers offer. @defaultValue as for the whole file */
  readonly naming?: NamingStrategy | undefined
  /** @defaultValue as for the whole file */
  readonly search?: SearchSettings | undefined
  /** Which tools there are, by the names that clients use; `*` stands for anything. @defaultValue all */
  readonly tools?: ToolFilter | undefined
  /** What `gateway://status` tells. @defaultValue what the file says for all */
  readonly status?: StatusShown | undefined
}

/** Tools by name. What is denied is not allowed again. */
export interface ToolFilter {
  /** Only these. @defaultValue all */
  readonly allow?: readonly string[] | undefined
  /** Not these. @defaultValue none */
  readonly deny?: readonly string[] | undefined
}

export async function readProfiles(
  reader: ConfigReader,
  node: ConfigNode | undefined,
  known: readonly string[],
): Promise<{ readonly [name: string]: Profile }> {
  if (node === undefined) return {}
  if (!isJsonObject(node.value)) {
    reader.fault(
      node,
      'profiles',
      'must be an object',
      'Write profiles: { NAME: { servers: [] } }.',
    )
    return {}
  }
  const profiles: [string, Profile][] = []
  for (const { name, node: given } of node.members) {
    profiles.push([name, await readProfile(reader, given, name, known)])
  }
  return Object.fromEntries(profiles)
}

async function readProfile(
  reader: ConfigReader,
  node: ConfigNode,
  name: string,
  known: readonly string[],
): Promise<Profile> {
  const key = `profiles.${name}`
  if (!profileName.test(name)) {
    const fix = 'Use letters, digits, - and _, at most 64, and not sse or message.'
    reader.fault(node, key, 'cannot be part of a path', fix)
  }
  const given = reader.object(node, key, ['servers', 'naming', 'search', 'tools', 'status'])
  const servers = reader.texts(given, 'servers', `${key}.servers`)
  for (const server of servers ?? []) {
    if (known.includes(server)) continue
    const at = memberOf(given, 'servers')?.node ?? node
    const fix = `Use ${known.join(', ')}.`
    reader.fault(at, `${key}.servers`, `names a server that is not there: ${server}`, fix)
  }
  const tools = memberOf(given, 'tools')?.node
  const filter = tools && reader.object(tools, `${key}.tools`, ['allow', 'deny'])
  return {
    servers,
    naming: reader.choice(given, 'naming', `${key}.naming`, namingStrategies),
    search: readSearch(reader, given, `${key}.search`),
    status: await readStatusShown(reader, given, `${key}.status`),
    ...(filter && {
      tools: {
        allow: reader.texts(filter, 'allow', `${key}.tools.allow`),
        deny: reader.texts(filter, 'deny', `${key}.tools.deny`),
      },
    }),
  }
}
