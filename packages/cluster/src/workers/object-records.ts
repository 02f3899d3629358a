import type { RecordKey, ClusterRecords } from '../store/cluster-store.ts'
import { wholeMs } from '../store/whole-numbers.ts'
import type { LongTexts } from './long-texts.ts'
import type { ObjectDatabase } from './object-database.ts'

type Stored = {
  readonly position: number
  readonly text: string
  readonly parts: number
  readonly version: number
}

const columns = 'position, text, parts, version'

export function createObjectRecords(database: ObjectDatabase, long: LongTexts): ClusterRecords {
  const { rows, step, now } = database

  function find({ group, id }: RecordKey): Stored | undefined {
    const query = `SELECT ${columns} FROM parley_records WHERE owner = ? AND id = ? AND kept_until > ?`
    return rows<Stored>(query, group, id, now())[0]
  }

  /** Those whose time is over too, which a new one would meet. */
  function drop({ group, id }: RecordKey): void {
    const query = 'DELETE FROM parley_records WHERE owner = ? AND id = ? RETURNING position, parts'
    for (const { position, parts } of rows<Stored>(query, group, id))
      long.drop(ownerOf(position), parts)
  }

  function insert({ group, id }: RecordKey, text: string, until: number): void {
    const query = `INSERT INTO parley_records (owner, id, text, parts, version, kept_until)
      VALUES (?, ?, '', 0, 1, ?) RETURNING position`
    for (const { position } of rows<Stored>(query, group, id, until))
      write(position, text, 1, until)
  }

  function write(position: number, text: string, version: number, until: number): void {
    const { text: first, parts } = long.split(ownerOf(position), text)
    const query =
      'UPDATE parley_records SET text = ?, parts = ?, version = ?, kept_until = ? WHERE position = ?'
    rows(query, first, parts, version, until, position)
  }

  function put(key: RecordKey, text: string, expected: number, keepMs: number): boolean {
    const existing = find(key)
    if ((existing?.version ?? 0) !== expected) return false
    const until = now() + wholeMs(keepMs)
    if (existing) {
      long.drop(ownerOf(existing.position), existing.parts)
      write(existing.position, text, expected + 1, until)
    } else {
      drop(key)
      insert(key, text, until)
    }
    return true
  }

  return {
    get: (key) =>
      step(() => {
        const found = find(key)
        return found && { text: long.join(ownerOf(found.position), found), version: found.version }
      }),
    put: (key, text, expected, keepMs) => step(() => put(key, text, expected, keepMs)),
    remove: (key) => step(() => drop(key)),
    list: (group, cursor, limit) =>
      step(() => {
        const query = `SELECT ${columns} FROM parley_records
          WHERE owner = ? AND position > ? AND kept_until > ? ORDER BY position LIMIT ?`
        const found = rows<Stored>(query, group, Number(cursor ?? 0), now(), limit + 1)
        const page = found.slice(0, limit)
        const texts = page.map((item) => long.join(ownerOf(item.position), item))
        const last = page.at(-1)
        return found.length > limit && last ? { texts, cursor: String(last.position) } : { texts }
      }),
  }
}

/** The name under which the rest of a long record is kept. */
export function ownerOf(position: number): string {
  return `record ${position}`
}
