import { createHash, createHmac } from 'node:crypto'

import type { JsonObject } from '@parley/mcp'
import { canonicalJson, parseJson, isJsonObject } from '@parley/mcp/json'

/** One line of an audit log. */
export interface AuditEntry {
  /** Counts from 1 over all files of the log. */
  readonly seq: number
  /** When it was appended, as an ISO date. */
  readonly at: string
  /** The hash of the entry before it; 64 zeros for the first. */
  readonly prev: string
  /** The record that was appended. */
  readonly record: JsonObject
  /** SHA-256 over the canonical JSON of the other members: keyed (HMAC) if the log has a key. */
  readonly hash: string
}

/** Where the chain ends: what the next entry continues. */
export interface ChainEnd {
  readonly seq: number
  readonly hash: string
}

/** Before the first entry. */
export const chainStart: ChainEnd = { seq: 0, hash: '0'.repeat(64) }

/** The entry that continues a chain. */
export function createEntry(
  end: ChainEnd,
  at: string,
  record: JsonObject,
  key: string | undefined,
): AuditEntry {
  const open = { seq: end.seq + 1, at, prev: end.hash, record }
  return { ...open, hash: hashOf(open, key) }
}

/** Whether nobody changed the entry since it was written. */
export function isIntact({ hash, ...open }: AuditEntry, key: string | undefined): boolean {
  return hashOf(open, key) === hash
}

/** Total: undefined for a line that is no entry. */
export function readEntry(line: string): AuditEntry | undefined {
  let value: unknown
  try {
    value = parseJson(line)
  } catch {
    return undefined
  }
  if (!isJsonObject(value)) return undefined
  const { seq, at, prev, record, hash } = value
  const isEntry =
    Object.keys(value).length === 5 &&
    Number.isSafeInteger(seq) &&
    typeof at === 'string' &&
    typeof prev === 'string' &&
    typeof hash === 'string' &&
    isJsonObject(record)
  return isEntry ? (value as unknown as AuditEntry) : undefined // each member was looked at
}

function hashOf(open: Omit<AuditEntry, 'hash'>, key: string | undefined): string {
  const text = canonicalJson(open)
  return key === undefined
    ? createHash('sha256').update(text).digest('hex')
    : createHmac('sha256', key).update(text).digest('hex')
}
