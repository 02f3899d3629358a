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
  names: readonly string[],
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
  for (const { name, node: input } of node.members) {
    profiles.push([name, await readProfile(reader, input, name, names)])
  }
  return Object.fromEntries(profiles)
}

async function readProfile(
  reader: ConfigReader,
  node: ConfigNode,
  name: string,
  names: readonly string[],
): Promise<Profile> {
  const key = `profiles.${name}`
  if (!profileName.test(name)) {
    const fix = 'Use letters, digits, - and _, at most 64, and not sse or message.'
    reader.fault(node, key, 'cannot be part of a path', fix)
  }
  const fields = reader.object(node, key, ['servers', 'naming', 'search', 'tools', 'status'])
  const servers = reader.texts(fields, 'servers', `${key}.servers`)
  for (const server of servers ?? []) {
    if (names.includes(server)) continue
    const at = memberOf(fields, 'servers')?.node ?? node
    const fix = `Use ${names.join(', ')}.`
    reader.fault(at, `${key}.servers`, `names a server that is not there: ${server}`, fix)
  }
  const tools = memberOf(fields, 'tools')?.node
  const filter = tools && reader.object(tools, `${key}.tools`, ['allow', 'deny'])
  return {
    servers,
    naming: reader.choice(fields, 'naming', `${key}.naming`, namingStrategies),
    search: readSearch(reader, fields, `${key}.search`),
    status: await readStatusShown(reader, fields, `${key}.status`),
    ...(filter && {
      tools: {
        allow: reader.texts(filter, 'allow', `${key}.tools.allow`),
        deny: reader.texts(filter, 'deny', `${key}.tools.deny`),
      },
    }),
  }
}
