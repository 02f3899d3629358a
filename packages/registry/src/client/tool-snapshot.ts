import { createHash } from 'node:crypto'

import { canonicalJson } from '@parley/mcp/json'

/** The tools of a server as they were seen once, and a hash to tell whether they are the same. */
export interface ToolSnapshot {
  /** SHA-256 in hexadecimal over the canonical JSON of `tools`. */
  readonly hash: string
  /** By name. */
  readonly tools: readonly SnapshotTool[]
}

/** What a model reads of a tool, and what its caller must send. */
export interface SnapshotTool {
  /** Its name. */
  readonly name: string
  /** A name for people. */
  readonly title?: string
  /** What it does, for the model. */
  readonly description?: string
  /** JSON Schema of its arguments. */
  readonly inputSchema?: object
  /** JSON Schema of its structured answers. */
  readonly outputSchema?: object
  /** Hints about what it does. */
  readonly annotations?: object
}

/** How the tools of two snapshots differ. */
export interface SnapshotDifference {
  /** Tools that only the second has. */
  readonly added: readonly string[]
  /** Tools that only the first has. */
  readonly removed: readonly string[]
  /** Tools that both have, and which of their fields differ. */
  readonly changed: readonly {
    readonly name: string
    /** Such as `description`. */
    readonly fields: readonly string[]
  }[]
}

const maxTools = 1_000
const maxCharacters = 1024 * 1024
const fields = ['title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const

/** A snapshot of a list of tools as a server gave it. Throws a `TypeError` for something that is no such list, or too large. */
export function createSnapshot(value: unknown): ToolSnapshot {
  if (!Array.isArray(value) || value.length > maxTools) {
    throw new TypeError(`a snapshot is a list of at most ${maxTools} tools`)
  }
  const tools = value.map(readTool).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const names = new Set(tools.map(({ name }) => name))
  if (names.size < tools.length) throw new TypeError('two tools have the same name')
  const text = canonicalJson(tools)
  if (text.length > maxCharacters) {
    throw new TypeError(`the tools have more than ${maxCharacters} characters`)
  }
  return { hash: createHash('sha256').update(text).digest('hex'), tools }
}

/** What has changed from one snapshot to the next. */
export function compareSnapshots(
  before: Pick<ToolSnapshot, 'tools'>,
  after: Pick<ToolSnapshot, 'tools'>,
): SnapshotDifference {
  const old = new Map(before.tools.map((tool) => [tool.name, tool]))
  const names = new Set(after.tools.map(({ name }) => name))
  return {
    added: after.tools.flatMap(({ name }) => (old.has(name) ? [] : [name])),
    removed: before.tools.flatMap(({ name }) => (names.has(name) ? [] : [name])),
    changed: after.tools.flatMap((tool) => {
      const previous = old.get(tool.name)
      if (previous === undefined) return []
      const changed = fields.filter((field) => textOf(previous[field]) !== textOf(tool[field]))
      return changed.length === 0 ? [] : [{ name: tool.name, fields: changed }]
    }),
  }
}

function textOf(value: string | object | undefined): string {
  return value === undefined ? '' : canonicalJson(value)
}

function readTool(value: unknown): SnapshotTool {
  if (typeof value !== 'object' || value === null) throw new TypeError('a tool is not an object')
  const input = new Map<string, unknown>(Object.entries(value))
  const name = input.get('name')
  if (typeof name !== 'string' || name === '') throw new TypeError('a tool has no name')
  const fieldsPresent = fields.flatMap((field) => {
    const fieldValue = input.get(field)
    const isText = field === 'title' || field === 'description'
    const isFine = isText
      ? typeof fieldValue === 'string'
      : typeof fieldValue === 'object' && fieldValue !== null
    return isFine ? [[field, fieldValue] as const] : []
  })
  return { name, ...Object.fromEntries(fieldsPresent) }
}
