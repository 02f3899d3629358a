import { basename, dirname, isAbsolute, relative } from 'node:path'

import { isJsonObject } from '@parley/mcp/json'

import type { ConfigScope } from '../entries/config-entry.ts'
import { memberOf, type ConfigDocument, type ConfigNode } from './config-document.ts'
import { rulesOf } from './config-format.ts'
import type { ConfigLocation } from './locations.ts'

/** A block of servers; a user's file may hold one for each project besides its own. */
export interface ConfigBlock {
  readonly key: string
  readonly servers: ConfigNode
  readonly scope: ConfigScope
  readonly folder: string
}

/** The blocks of a file that concern a project, nearest first. */
export function findBlocks(
  document: ConfigDocument,
  location: ConfigLocation,
  cwd: string,
): ConfigBlock[] {
  const { file, scope, format } = location
  const { root } = document
  const folder = projectFolder(location, cwd)
  const names = [...new Set([rulesOf(format).serversKey, 'mcpServers', 'servers'])]
  const own = names.flatMap((key): ConfigBlock[] => {
    const servers = memberOf(root, key)?.node
    return servers !== undefined && isJsonObject(servers.value)
      ? [{ key, servers, scope, folder }]
      : []
  })
  // Their own place in a user's file comes before it: it is nearer.
  const projects = basename(file) === '.claude.json' ? memberOf(root, 'projects')?.node : undefined
  const near = (projects?.members ?? []).flatMap((member): ConfigBlock[] => {
    const servers = memberOf(member.node, 'mcpServers')?.node
    if (servers === undefined || !isJsonObject(servers.value) || !isWithin(cwd, member.name))
      return []
    return [
      { key: `projects.${member.name}.mcpServers`, servers, scope: 'user', folder: member.name },
    ]
  })
  return [...near, ...own.slice(0, 1)]
}

/** Where relative paths begin: beside a project's file, not in the folder some product hides it in. */
function projectFolder({ file, scope }: ConfigLocation, cwd: string): string {
  if (scope === 'user') return cwd
  const folder = dirname(file)
  return /^\.(?:vscode|cursor|codex)$/.test(basename(folder)) ? dirname(folder) : folder
}

function isWithin(path: string, folder: string): boolean {
  if (!isAbsolute(folder)) return false
  const way = relative(folder, path)
  return way === '' || (!way.startsWith('..') && !isAbsolute(way))
}
