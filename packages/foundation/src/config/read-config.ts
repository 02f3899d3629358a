import { basename } from 'node:path'

import { isJsonObject } from '@parley/mcp/json'

import { fromCodex } from './entries/codex-entry.ts'
import type { ConfigEntry, ConfigProblem, InputDefinition } from './entries/config-entry.ts'
import { readEntry } from './entries/read-entry.ts'
import { findBlocks, type ConfigBlock } from './files/config-blocks.ts'
import {
  memberOf,
  readDocument,
  syntaxOf,
  type ConfigDocument,
  type ConfigMember,
  type ConfigNode,
} from './files/config-document.ts'
import { rulesOf } from './files/config-format.ts'
import type { ConfigLocation } from './files/locations.ts'
import { readInputs } from './variables/inputs.ts'

/** The servers of one file. */
export interface ReadConfig {
  readonly entries: readonly ConfigEntry[]
  readonly problems: readonly ConfigProblem[]
}

/** Reads the text of one file. Total: what is wrong becomes a problem with its line. */
export function readConfig(
  text: string,
  location: ConfigLocation,
  { cwd }: { readonly cwd: string },
): ReadConfig {
  const { file } = location
  const problems: ConfigProblem[] = []
  const document = readDocument(text, syntaxOf(file))
  for (const { line, message } of document.problems) {
    const rest =
      document.root === undefined
        ? 'until then nothing in the file is used.'
        : 'the other entries of the file are still used.'
    const fix = `Correct the syntax there; ${rest}`
    problems.push({ level: 'error', file, line, message: `syntax: ${message}`, fix })
  }

  const blocks = findBlocks(document, location, cwd)
  if (blocks.length === 0 && document.problems.length === 0 && !mayLackServers(location)) {
    const key = rulesOf(location.format).serversKey
    const fix = `Put the servers under "${key}": { "name": { "command": "…" } }.`
    problems.push({ level: 'error', file, line: 1, key, message: 'has no servers', fix })
  }
  const inputs = readInputs(memberOf(document.root, 'inputs')?.node, (node, key, message, fix) =>
    problems.push({ level: 'error', file, line: node.line, key, message, fix }),
  )
  const entries = blocks.flatMap((block) =>
    readBlock(block, { location, document, inputs, problems }),
  )
  return { entries, problems }
}

/** A user's file of a product holds other things too. */
function mayLackServers({ file, scope }: ConfigLocation): boolean {
  return scope !== 'given' || basename(file) === '.claude.json'
}

function readBlock(
  { key, servers, scope, folder }: ConfigBlock,
  file: {
    readonly location: ConfigLocation
    readonly document: ConfigDocument
    readonly inputs: ReadonlyMap<string, InputDefinition>
    readonly problems: ConfigProblem[]
  },
): ConfigEntry[] {
  const { location, document, inputs, problems } = file
  const byName = new Map<string, ConfigEntry>()
  const seen = new Set<string>()
  for (const written of servers.members) {
    const member = location.format === 'codex' ? fromCodex(written) : written
    const { name, line } = member
    const report = (
      level: ConfigProblem['level'],
      at: string | undefined,
      what: string,
      fix?: string,
    ) => {
      const path = [key, name, ...(at === undefined ? [] : [at])].join('.')
      problems.push({
        level,
        file: location.file,
        ...placeOf(member, at),
        server: name,
        key: path,
        message: what,
        fix,
      })
    }
    if (seen.has(name))
      report(
        'warning',
        undefined,
        'is defined twice; the last one is used',
        'Give it another name.',
      )
    seen.add(name)
    byName.delete(name)
    if (isCut(member, document)) continue // its syntax was reported
    const read = readEntry(member, report)
    if (!read.ok || !isJsonObject(member.node.value)) continue
    byName.set(name, {
      name,
      source: { file: location.file, line, format: location.format, scope },
      raw: member.node.value,
      target: read.target,
      settings: read.settings,
      folder,
      inputs,
    })
  }
  return [...byName.values()]
}

/** Whether the file is broken within this entry: what is left of it may not be what was meant. */
function isCut({ node }: ConfigMember, { problems }: ConfigDocument): boolean {
  return problems.some(({ offset }) => offset >= node.start && offset < node.end)
}

/** Where the key that is wrong is, as near as there is one: its line, and the column of its value on that line. */
function placeOf(
  { line, node }: ConfigMember,
  key: string | undefined,
): Pick<ConfigProblem, 'line' | 'column'> {
  let found: Pick<ConfigProblem, 'line' | 'column'> = { line }
  let at: ConfigNode | undefined = node
  for (const part of key?.split('.') ?? []) {
    const member: ConfigMember | undefined = memberOf(at, part)
    const item: ConfigNode | undefined = at?.items[Number(part)]
    at = member?.node ?? item
    if (at === undefined) return found
    const own = member?.line ?? at.line
    found = { line: own, ...(at.line === own && { column: at.column }) }
  }
  return found
}
