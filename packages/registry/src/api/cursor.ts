import { createHash } from 'node:crypto'

import type { Position } from '../storage/list-entries.ts'
import { Problem } from './problem.ts'

/** Opaque, and checked, so that nobody builds one by hand. */
export function encodeCursor({ name, version }: Position): string {
  const parts = [name, version, checksumOf(name, version)]
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/** Also takes `name:version`, the cursor of other registries. */
export function decodeCursor(cursor: string): Position {
  const position = decodeOurs(cursor) ?? decodePlain(cursor)
  if (position !== undefined) return position
  throw new Problem(
    400,
    'The cursor is not valid: use nextCursor of the previous page unchanged.',
    {
      details: [{ message: 'not a cursor of this registry', location: 'query.cursor' }],
    },
  )
}

function decodeOurs(cursor: string): Position | undefined {
  if (!/^[\w-]{8,1500}$/.test(cursor)) return undefined
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (!Array.isArray(parts) || parts.length !== 3) return undefined
    const [name, version, checksum]: readonly unknown[] = parts
    if (typeof name !== 'string' || typeof version !== 'string') return undefined
    return checksum === checksumOf(name, version) ? { name, version } : undefined
  } catch {
    return undefined
  }
}

/** Names have no colon; versions may. */
function decodePlain(cursor: string): Position | undefined {
  const found = /^([a-zA-Z0-9.-]{1,199}\/[a-zA-Z0-9._-]{1,199}):(.{1,255})$/su.exec(cursor)
  const [, name, version] = found ?? []
  return name === undefined || version === undefined ? undefined : { name, version }
}

function checksumOf(name: string, version: string): string {
  return createHash('sha256').update(`${name}\n${version}`).digest('base64url').slice(0, 8)
}
