import { createHash } from 'node:crypto'

import type { Prompt, Tool } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import { byName, oneLine, type Surface } from './surface.ts'

/** What is kept beside the types, to see later whether the server has changed. */
export interface TypesLock {
  readonly version: 1
  readonly server: string
  /** The revision that it was read in: another one may show less. Absent in older files. */
  readonly revision?: string | undefined
  readonly tools: Hashes
  readonly prompts: Hashes
}

interface Hashes {
  readonly [name: string]: unknown
}

/** A hash for each part that types are made from. */
export function lockOf({ server, revision, tools, prompts }: Surface): TypesLock {
  return {
    version: 1,
    server: oneLine(server),
    revision,
    tools: Object.fromEntries(byName(tools).map((tool) => [tool.name, hash(partsOfTool(tool))])),
    prompts: Object.fromEntries(
      byName(prompts).map((prompt) => [prompt.name, hash(partsOfPrompt(prompt))]),
    ),
  }
}

function partsOfTool({ inputSchema, outputSchema }: Tool): unknown {
  return [inputSchema, outputSchema ?? null]
}

function partsOfPrompt({ arguments: promptArguments = [] }: Prompt): unknown {
  return promptArguments.map(({ name, required = false }) => [name, required])
}

/** What differs, each in a sentence; empty if nothing does. */
export function compareLocks(before: TypesLock, now: TypesLock): readonly string[] {
  return (['tools', 'prompts'] as const).flatMap((kind) => {
    const what = kind.slice(0, -1)
    const names = [...new Set([...Object.keys(before[kind]), ...Object.keys(now[kind])])].toSorted()
    return names.flatMap((name) => {
      if (!Object.hasOwn(before[kind], name)) return [`the ${what} ${name} is new`]
      if (!Object.hasOwn(now[kind], name)) return [`the ${what} ${name} was removed`]
      return before[kind][name] === now[kind][name] ? [] : [`the ${what} ${name} has changed`]
    })
  })
}

/** Whether a file holds what `lockOf` gave. */
export function isLock(value: unknown): value is TypesLock {
  if (!isJsonObject(value) || value['version'] !== 1) return false
  return isJsonObject(value['tools']) && isJsonObject(value['prompts'])
}

function hash(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('base64url')
    .slice(0, 22)
}

/** The order of members says nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, item]) => [name, sorted(item)]))
}
