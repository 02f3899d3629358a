import type { JsonObject } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import { keyOf, type PinnedName } from './definition-hash.ts'

/** One definition as it was seen. */
export interface SeenDefinition {
  readonly hash: string
  /** ISO date. */
  readonly at: string
  /** Absent if it was too large to keep. */
  readonly definition?: JsonObject | undefined
}

/** The stored state of one tool or prompt. */
export interface PinEntry extends PinnedName {
  readonly approved?: SeenDefinition | undefined
  /** Another definition than the approved one, or the first. */
  readonly waiting?: SeenDefinition | undefined
  /** ISO date. Holds for every definition but the approved one, until another is approved. */
  readonly rejected?: string | undefined
}

export type Pins = ReadonlyMap<string, PinEntry>

/** Throws with what is wrong: a file that cannot be read must not look like one without pins. */
export function readPins(text: string | undefined, path: string): Pins {
  if (text === undefined) return new Map()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error(`${path} is not JSON: restore it, or remove it and approve all tools again`)
  }
  if (!isJsonObject(value) || value['version'] !== 1 || !Array.isArray(value['entries'])) {
    throw new Error(`${path} is not a file of pinned tools: name another one in pinning.file`)
  }
  const entries = (value['entries'] as readonly unknown[]).filter(isEntry)
  return new Map(entries.map((entry) => [keyOf(entry), entry]))
}

export function writePins(pins: Pins): string {
  let left = maxBytes
  const entries = [...pins.values()].map((entry) => {
    const bytes = JSON.stringify(entry).length
    left -= bytes
    return left > 0 ? entry : withoutDefinitions(entry)
  })
  return `${JSON.stringify({ version: 1, entries }, undefined, 1)}\n`
}

/** Beyond this, hashes are kept without what they are of. */
const maxBytes = 4 * 1024 * 1024

function withoutDefinitions({ approved, waiting, ...entry }: PinEntry): PinEntry {
  const short = (seen: SeenDefinition | undefined) => seen && { hash: seen.hash, at: seen.at }
  return { ...entry, approved: short(approved), waiting: short(waiting) }
}

/** Checks an entry of another process or a file. */
export function isEntry(value: unknown): value is PinEntry {
  if (!isJsonObject(value)) return false
  const { upstream, kind, name, approved, waiting } = value
  return (
    [upstream, kind, name].every((each) => typeof each === 'string') &&
    isSeen(approved) &&
    isSeen(waiting)
  )
}

function isSeen(value: unknown): boolean {
  return value === undefined || (isJsonObject(value) && typeof value['hash'] === 'string')
}
