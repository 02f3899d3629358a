import { randomUUID } from 'node:crypto'

import type { TranscriptEntry } from '@parley/host'

import type {
  ConversationStore,
  ConversationSummary,
  ConversationVersion,
} from './conversation-store.ts'
import { openSqlDatabase, type SqlDatabase, type SqlRow } from './database.ts'
import { searchCondition } from './search.ts'
import { shortTitle, titleOf, wordsOf } from './words.ts'

/** Where conversations are kept, and how much of them. */
export interface ConversationStoreOptions {
  /** A file of SQLite, or `:memory:`. Several processes may use it at once. */
  readonly file: string
  /** The largest conversation, in bytes of JSON; a turn that goes beyond is not stored. @defaultValue 256 MiB */
  readonly conversationBytes?: number | undefined
  /** The largest entry, such as a message with pictures. @defaultValue 64 MiB */
  readonly entryBytes?: number | undefined
}

const isNewestVersion = `not exists (select 1 from conversations later
  where later.thread = conversations.thread and later.number > conversations.number)`
const maxListed = 500
const mebibyte = 2 ** 20

/** Opens the conversations of a file. What was stored is on disk: neither `kill -9` nor a power cut loses it. */
export function openConversationStore(options: ConversationStoreOptions): ConversationStore {
  const { conversationBytes = 256 * mebibyte, entryBytes = 64 * mebibyte } = options
  const database = openSqlDatabase(options.file)

  function insert(about: NewConversation): number {
    const { id, title, isNamed, model, at } = about
    database.run(
      `insert into conversations (id, title, is_named, model, turns, bytes, created_at, changed_at)
        values (?, ?, ?, ?, 0, 0, ?, ?)`,
      id,
      title,
      isNamed ? 1 : 0,
      model,
      at,
      at,
    )
    const { number } = rowOf(database, id)
    database.run('insert into title_words (rowid, title) values (?, ?)', number, title)
    return number
  }

  function addEntries(number: number, entries: readonly TranscriptEntry[]): number {
    let bytes = 0
    for (const entry of entries) {
      const text = JSON.stringify(entry)
      const size = Buffer.byteLength(text)
      if (size > entryBytes) throw tooLarge('an entry', size, entryBytes)
      bytes += size
      database.run(
        'insert into entries (conversation, turn, entry) values (?, ?, ?)',
        number,
        entry.turn,
        text,
      )
      const words = wordsOf(entry)
      if (words === '') continue
      database.run('insert into entry_words (rowid, text) values (last_insert_rowid(), ?)', words)
    }
    return bytes
  }

  function rename(number: number, title: string, isNamed: boolean): void {
    database.run(
      'update conversations set title = ?, is_named = ? where number = ?',
      title,
      isNamed ? 1 : 0,
      number,
    )
    database.run('insert or replace into title_words (rowid, title) values (?, ?)', number, title)
  }

  function entriesOf(number: number, turns = Number.MAX_SAFE_INTEGER): readonly TranscriptEntry[] {
    const rows = database.all(
      'select entry from entries where conversation = ? and turn <= ? order by number',
      number,
      turns,
    )
    return rows.map(({ entry }) => JSON.parse(String(entry)) as TranscriptEntry) // only we write them
  }

  /** A conversation with the first turns of another, and its title. */
  function copy(id: string, turns: number): ConversationRow {
    const { number, isNamed, summary } = rowOf(database, id)
    const { title, model } = summary
    const made = insert({ id: randomUUID(), title, isNamed, model, at: Date.now() })
    const bytes = addEntries(made, entriesOf(number, turns))
    database.run(
      `update conversations set bytes = ?, turns = (select coalesce(max(turn), 0) from entries where conversation = ?)
        where number = ?`,
      bytes,
      made,
      made,
    )
    return rowOfNumber(database, made)
  }

  function numbersOf({ number, summary }: ConversationRow): readonly number[] {
    if (summary.thread === undefined) return [number]
    const rows = database.all('select number from conversations where thread = ?', summary.thread)
    return rows.map((row) => Number(row['number']))
  }

  return {
    async append(id, entries) {
      database.write(() => {
        const row = rowOf(database, id)
        const bytes = row.bytes + addEntries(row.number, entries)
        if (bytes > conversationBytes) throw tooLarge('a conversation', bytes, conversationBytes)
        database.run(
          `update conversations set turns = max(turns, ?), bytes = ?, changed_at = max(changed_at, ?)
            where number = ?`,
          Math.max(0, ...entries.map(({ turn }) => turn)),
          bytes,
          Date.now(),
          row.number,
        )
        const title = row.isNamed || row.turns > 0 ? undefined : titleOf(entries)
        if (title !== undefined) rename(row.number, title, false)
      })
    },
    async list({ search = '', before, limit = 50 } = {}) {
      const found = searchCondition(search)
      const isBefore = before === undefined ? '' : 'and (changed_at, id) < (?, ?)'
      const rows = database.all(
        `select * from conversations where ${found.condition} and ${isNewestVersion} ${isBefore}
          order by changed_at desc, id desc limit ?`,
        ...found.values,
        ...(before === undefined ? [] : [before.changedAt, before.id]),
        Math.max(1, Math.min(limit, maxListed)),
      )
      return rows.map(summaryOf)
    },
    async create({ model, title }) {
      const id = randomUUID()
      const isNamed = title !== undefined && title.trim() !== ''
      const named = isNamed ? shortTitle(title) : ''
      database.write(() => insert({ id, title: named, isNamed, model, at: Date.now() }))
      return rowOf(database, id).summary
    },
    async load(id) {
      const found = findRow(database, id)
      if (found === undefined) return undefined
      const transcript = { version: 1, id, entries: entriesOf(found.number) } as const
      return { ...found.summary, transcript }
    },
    async change(id, { title, model }) {
      database.write(() => {
        const { number } = rowOf(database, id)
        if (title !== undefined) {
          const named = shortTitle(title)
          rename(number, named, named !== '')
        }
        if (model !== undefined) {
          database.run('update conversations set model = ? where number = ?', model, number)
        }
      })
      return rowOf(database, id).summary
    },
    async remove(id) {
      database.write(() => {
        const found = findRow(database, id)
        if (found === undefined) return
        for (const number of numbersOf(found)) {
          database.run(
            'delete from entry_words where rowid in (select number from entries where conversation = ?)',
            number,
          )
          database.run('delete from title_words where rowid = ?', number)
          database.run('delete from conversations where number = ?', number)
        }
      })
    },
    async fork(id, turns) {
      return database.write(() => copy(id, turns)).summary
    },
    async revise(id, turn) {
      return database.write(() => {
        const { number, summary } = rowOf(database, id)
        const { thread = summary.id } = summary
        const { number: made } = copy(id, turn - 1)
        database.run('update conversations set thread = ? where number = ?', thread, number)
        database.run(
          'update conversations set thread = ?, parent = ?, parent_turn = ? where number = ?',
          thread,
          id,
          turn,
          made,
        )
        return rowOfNumber(database, made).summary
      })
    },
    async versions(id) {
      const { summary } = rowOf(database, id)
      if (summary.thread === undefined) return []
      const rows = database.all(
        'select id, parent, parent_turn from conversations where thread = ? order by number',
        summary.thread,
      )
      return rows.map(({ id: version, parent, parent_turn: turn }): ConversationVersion => ({
        id: String(version),
        ...(typeof parent === 'string' && { parent }),
        turn: Number(turn ?? 0),
      }))
    },
    async [Symbol.asyncDispose]() {
      database.close()
    },
  }
}

interface NewConversation {
  readonly id: string
  readonly title: string
  readonly isNamed: boolean
  readonly model: string
  readonly at: number
}

interface ConversationRow {
  readonly number: number
  readonly isNamed: boolean
  readonly turns: number
  readonly bytes: number
  readonly summary: ConversationSummary
}

function findRow(database: SqlDatabase, id: string): ConversationRow | undefined {
  const [row] = database.all('select * from conversations where id = ?', id)
  return row && readRow(row)
}

function rowOfNumber(database: SqlDatabase, number: number): ConversationRow {
  const [row] = database.all('select * from conversations where number = ?', number)
  if (row === undefined) throw new Error(`there is no conversation number ${number}`)
  return readRow(row)
}

function readRow(row: SqlRow): ConversationRow {
  const { number, is_named: isNamed, turns, bytes } = row
  return {
    number: Number(number),
    isNamed: isNamed === 1,
    turns: Number(turns),
    bytes: Number(bytes),
    summary: summaryOf(row),
  }
}

function rowOf(database: SqlDatabase, id: string): ConversationRow {
  const found = findRow(database, id)
  if (found === undefined) throw new Error(`there is no conversation ${JSON.stringify(id)}`)
  return found
}

function summaryOf(row: SqlRow): ConversationSummary {
  const { id, title, model, turns, created_at: createdAt, changed_at: changedAt, thread } = row
  return {
    id: String(id),
    title: String(title),
    model: String(model),
    turns: Number(turns),
    createdAt: Number(createdAt),
    changedAt: Number(changedAt),
    ...(typeof thread === 'string' && { thread }),
  }
}

function tooLarge(what: string, bytes: number, most: number): Error {
  return new Error(
    `${what} has ${bytes} bytes, and at most ${most} are kept: begin a new conversation`,
  )
}
