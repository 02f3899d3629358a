import type { Entry } from './entry.ts'

/** A line of the list: something that happened, with its answer where it has one. */
export interface Row {
  readonly entry: Entry
  answer: Entry | undefined
  /** What this request led to: progress, questions of the server, cancellation. */
  readonly children: Row[]
  readonly parent: Row | undefined
  /** When it ended: its own answer, or the last thing it led to. */
  end: number
}

/** How a row stands. */
export type RowStatus = 'ok' | 'error' | 'pending' | 'plain'

/** Rows of a trace as it grows: answers find their request, children their parent. */
export interface RowTable {
  /** Those without a parent, in order. */
  readonly top: readonly Row[]
  readonly count: number
  /** When the newest entry was made. */
  readonly now: number
  /** Decisions, sign-ins and states of a server, in order. */
  marksOf(server: string): readonly Entry[]
  add(entry: Entry): void
  find(seq: number): Row | undefined
  /** Forgets the oldest top rows with all they hold, until so many entries are left. */
  trim(most: number): void
  clear(): void
}

/** A request waits for so many others before its id may be taken to be free again. */
const maximumWaiting = 20_000
const markKinds: ReadonlySet<string> = new Set(['decision', 'auth', 'status'])

export function createRowTable(): RowTable {
  let top: Row[] = []
  const bySeq = new Map<number, Row>()
  const waiting = new Map<string, Row>()
  const marks = new Map<string, Entry[]>()
  let now = 0

  function add(entry: Entry) {
    if (bySeq.has(entry.seq)) return
    now = Math.max(now, entry.time)
    if (markKinds.has(entry.kind)) mark(entry)
    if (entry.role === 'answer') {
      const asked = findAsked(entry)
      if (asked && !asked.answer) {
        asked.answer = entry
        bySeq.set(entry.seq, asked)
        goOn(asked, entry.time)
        return
      }
    }
    const parent = entry.parent === undefined ? undefined : bySeq.get(entry.parent)
    const row: Row = { entry, answer: undefined, children: [], parent, end: entry.time }
    bySeq.set(entry.seq, row)
    if (parent) {
      parent.children.push(row)
      goOn(parent, entry.time)
    } else top.push(row)
    if (entry.role === 'request' && entry.pair !== undefined) wait(entry.pair, row)
  }

  function mark(entry: Entry) {
    const known = marks.get(entry.server)
    if (known) known.push(entry)
    else marks.set(entry.server, [entry])
  }

  /** What happens below a row makes it, and what it stands below, last longer. */
  function goOn(from: Row, time: number) {
    for (let row: Row | undefined = from; row && row.end < time; row = row.parent) row.end = time
  }

  function findAsked(entry: Entry): Row | undefined {
    const named = entry.parent === undefined ? undefined : bySeq.get(entry.parent)
    if (named?.entry.role === 'request') return named
    const found = entry.pair === undefined ? undefined : waiting.get(entry.pair)
    if (found && entry.pair !== undefined) waiting.delete(entry.pair)
    return found
  }

  function wait(pair: string, row: Row) {
    waiting.delete(pair)
    waiting.set(pair, row)
    if (waiting.size <= maximumWaiting) return
    const [oldest] = waiting.keys()
    if (oldest !== undefined) waiting.delete(oldest)
  }

  function forget(row: Row) {
    bySeq.delete(row.entry.seq)
    if (row.answer) bySeq.delete(row.answer.seq)
    if (row.entry.pair !== undefined && waiting.get(row.entry.pair) === row) {
      waiting.delete(row.entry.pair)
    }
    for (const child of row.children) forget(child)
  }

  return {
    get top() {
      return top
    },
    get count() {
      return bySeq.size
    },
    get now() {
      return now
    },
    marksOf: (server) => marks.get(server) ?? [],
    add,
    find: (seq) => bySeq.get(seq),
    trim(most) {
      if (bySeq.size <= most) return
      let gone = 0
      while (bySeq.size > most && gone < top.length) forget(top[gone++]!)
      top = top.slice(gone)
      const first = top[0]?.entry.seq ?? Infinity
      for (const [server, own] of marks) {
        if ((own[0]?.seq ?? first) < first)
          marks.set(
            server,
            own.filter(({ seq }) => seq >= first),
          )
      }
    },
    clear() {
      top = []
      bySeq.clear()
      waiting.clear()
      marks.clear()
      now = 0
    },
  }
}

/** Whether it went well, failed, or is still to be answered. */
export function statusOf({ entry, answer }: Row): RowStatus {
  if (entry.role === 'request') {
    if (!answer) return 'pending'
    return answer.isError ? 'error' : 'ok'
  }
  return entry.isError ? 'error' : 'plain'
}

/** How long the answer took, in milliseconds. */
export function durationOf({ entry, answer }: Row): number | undefined {
  return answer && answer.time - entry.time
}
