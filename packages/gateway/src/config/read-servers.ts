import { dirname } from 'node:path'

import {
  memberOf,
  type ConfigEntry,
  type ConfigNode,
  type ConfigProblem,
  type ResolveOptions,
} from '@parley/foundation/config'
import type { ConnectOptions, ServerEntry } from '@parley/mcp/client'

import { serverName } from '../naming/names.ts'
import type { GatewayServer } from '../upstreams/server-options.ts'
import type { ConfigFaults } from './config-faults.ts'
import { bareEntry, fillInVariables, type Resolve } from './fill-in-variables.ts'
import type { GatewayConfig } from './gateway-config.ts'
import { readOutgoingAuth, type IncomingAuth } from './outgoing-auth-settings.ts'
import { readServerSettings } from './server-settings.ts'

/** Context for reading the entries of a file. */
export interface Reading {
  readonly faults: ConfigFaults
  readonly root: ConfigNode | undefined
  readonly problems: ConfigProblem[]
  /** The environment. @defaultValue that of the process */
  readonly env: ResolveOptions['env']
  readonly path: string
  readonly incoming: IncomingAuth
  /** Those that a change of means to read everything again. */
  readonly files: string[]
  readonly resolveWith: Resolve
}

/** The servers of a file and of those that it imports, by name. */
export async function readServers(
  entries: readonly ConfigEntry[],
  reading: Reading,
): Promise<GatewayConfig['servers']> {
  const { faults, root, problems, path, incoming, files, resolveWith } = reading
  const servers: [string, GatewayServer][] = []
  const seen = new Set<string>()
  for (const entry of entries) {
    const { name, source } = entry
    if (seen.has(name)) continue // the file itself goes before what it imports
    seen.add(name)
    const key = memberOf(root, 'mcpServers') ? 'mcpServers' : 'servers'
    const node = source.file === path ? memberOf(memberOf(root, key)?.node, name)?.node : undefined
    if (!serverName.test(name)) {
      problems.push({
        level: 'error',
        file: source.file,
        line: source.line,
        server: name,
        key: `${key}.${name}`,
        message: "cannot be the beginning of a tool's name",
        fix: 'Use letters, digits, - and single _, at most 32.',
      })
      continue
    }
    if (node && memberOf(node, 'openapi')) {
      const at = `${key}.${name}`
      const filled = await fillInVariables(node, at, entry, resolveWith, problems)
      const { readOpenApi } = await import('./openapi-settings.ts')
      const folder = dirname(path)
      const given = { folder, problems, faults }
      const read = filled && (await readOpenApi(filled.value, [key, name], given))
      if (read?.file !== undefined) files.push(read.file)
      const settings = defined(readServerSettings(node.value, [key, name], faults))
      const isDisabled = memberOf(node, 'disabled')?.node.value === true && { isDisabled: true }
      if (read) servers.push([name, { ...read.entry, ...settings, ...isDisabled }])
      continue
    }
    const resolved = await resolveWith(entry)
    if (!resolved.ok) {
      problems.push(...resolved.problems)
      continue
    }
    const { settings } = entry
    const auth = memberOf(node, 'auth')?.node
    const url = 'url' in resolved.entry ? resolved.entry.url : undefined
    const at = `${key}.${name}.auth`
    const filled = auth && (await fillInVariables(auth, at, entry, resolveWith, problems))
    const outgoing =
      filled && readOutgoingAuth(filled.value, [key, name, 'auth'], { url, incoming }, faults)
    servers.push([
      name,
      {
        ...withHeaders(resolved.entry, outgoing?.headers),
        ...(outgoing?.auth && { auth: outgoing.auth }),
        ...(settings.connectMs !== undefined && { startTimeoutMs: settings.connectMs }),
        ...(settings.requestMs !== undefined && { callTimeoutMs: settings.requestMs }),
        ...(settings.era !== undefined && {
          protocolVersion: settings.era as ConnectOptions['protocolVersion'],
        }), // checked when it was read
        ...(settings.isDisabled && { isDisabled: true }),
        ...(node && defined(readServerSettings(node.value, [key, name], faults))),
      },
    ])
  }
  return Object.fromEntries(servers)
}

/** The server of an entry, with headers that are always the same. */
function withHeaders(
  entry: ServerEntry,
  headers: { readonly [name: string]: string } | undefined,
): ServerEntry {
  return 'url' in entry && headers ? { ...entry, headers: { ...entry.headers, ...headers } } : entry
}

/** Entries of a kind that other programs do not have. */
export function openApiEntries(root: ConfigNode | undefined, path: string): readonly ConfigEntry[] {
  const servers = memberOf(root, 'servers')?.node
  return (servers?.members ?? [])
    .filter(({ node }) => memberOf(node, 'openapi') !== undefined)
    .map(({ name, line }) => bareEntry(name, path, line))
}

/** That it has neither command nor url is no mistake there. */
export function isAboutOpenApi(
  { server, file, key }: ConfigProblem,
  root: ConfigNode | undefined,
  path: string,
): boolean {
  if (server === undefined || file !== path || !/\b(?:command|url)$/.test(key ?? '')) return false
  const node = memberOf(memberOf(root, 'servers')?.node, server)?.node
  return memberOf(node, 'openapi') !== undefined
}

/** Drops undefined members, so that they do not replace others. */
function defined<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(value).filter(([, each]) => each !== undefined),
  ) as Partial<T> // the same members, or fewer
}
