import { createRequestFates, type RequestEnd } from '@parley/foundation/trace/view'
import { BoundedMap } from '@parley/mcp/internal'

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
  /** How it ended without an answer, and when. */
  ended: { readonly how: RequestEnd; readonly time: number } | undefined
  /** It asked whether the server knows something that older ones do not. */
  isProbe: boolean
  /** It waited for a program to start. */
  isStart: boolean
}

/** How a row stands; `open` is what stays so as long as its connection. */
export type RowStatus = 'ok' | 'error' | 'pending' | 'open' | 'probe' | 'plain' | RequestEnd

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
  const waiting = new BoundedMap<string, Row>(maximumWaiting)
  const marks = new Map<string, Entry[]>()
  let now = 0
  const fates = createRequestFates({
    onEnd(seq, how, time) {
      const row = bySeq.get(seq)
      if (row) end(row, how, time)
    },
    onProbe(seq) {
      const row = bySeq.get(seq)
      if (row) row.isProbe = true
    },
    onStart(seq) {
      const row = bySeq.get(seq)
      if (row) row.isStart = true
    },
    onStarted(seq, time) {
      const row = bySeq.get(seq)
      if (row) resume(row, time)
    },
  })

  function add(entry: Entry) {
    if (bySeq.has(entry.seq)) return
    now = Math.max(now, entry.time)
    if (markKinds.has(entry.kind)) mark(entry)
    if (entry.role === 'answer') {
      const asked = findAsked(entry)
      if (asked && !asked.answer) {
        asked.answer = entry
        bySeq.set(entry.seq, asked)
        resume(asked, entry.time)
        follow(entry, asked)
        return
      }
    }
    const parent = entry.parent === undefined ? undefined : bySeq.get(entry.parent)
    const row: Row = {
      entry,
      answer: undefined,
      children: [],
      parent,
      end: entry.time,
      ended: undefined,
      isProbe: false,
      isStart: false,
    }
    bySeq.set(entry.seq, row)
    if (parent) {
      parent.children.push(row)
      resume(parent, entry.time)
    } else top.push(row)
    if (entry.role === 'request' && entry.pair !== undefined) wait(entry.pair, row)
    follow(entry, parent)
  }

  /** What an entry says about requests; `about` is the one it belongs to. */
  function follow(entry: Entry, about: Row | undefined) {
    const { seq, server, kind, role, direction, label, subject, time } = entry
    if (kind === 'status') return fates.status(server, subject, time)
    if (kind === 'process' && subject.startsWith('start ')) return fates.programStarted(server, seq)
    if (kind !== 'message') return
    if (direction === 'in') fates.received(server, time)
    if (role === 'request') fates.request({ seq, connection: server, method: label, direction })
    else if (about === undefined) return
    else if (role === 'answer') fates.answered(server, about.entry.seq, entry.isError)
    else if (label === 'notifications/cancelled') {
      fates.cancelled(server, about.entry.seq, subject, time)
    }
  }

  /** What carried a request ends with it. */
  function end(row: Row, how: RequestEnd, time: number) {
    if (row.answer) return
    row.ended = { how, time }
    resume(row, time)
    for (const child of row.children) {
      if (child.entry.kind === 'http' && child.entry.role === 'request') end(child, how, time)
    }
  }

  function mark(entry: Entry) {
    const entries = marks.get(entry.server)
    if (entries) entries.push(entry)
    else marks.set(entry.server, [entry])
  }

  /** What happens below a row makes it, and what it stands below, last longer. */
  function resume(from: Row, time: number) {
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
    waiting.set(pair, row)
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
      let removedCount = 0
      while (bySeq.size > most && removedCount < top.length) forget(top[removedCount++]!)
      top = top.slice(removedCount)
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

/** Stays open as long as its connection, and waits for nothing. */
const standing = 'subscriptions/listen'

/** Whether it went well, failed, how it ended else, or that it is still to be answered. */
export function statusOf({ entry, answer, ended, isProbe, parent }: Row): RowStatus {
  if (entry.role !== 'request') return entry.isError ? 'error' : 'plain'
  if (answer && !answer.isError) return 'ok'
  if (isProbe || (parent?.isProbe && entry.kind === 'http')) return 'probe'
  if (answer) return 'error'
  if (entry.label === standing) return ended ? 'plain' : 'open'
  return ended?.how ?? 'pending'
}

/** Whether somebody who looks for what went wrong looks for this. */
export function isFailure(status: RowStatus): boolean {
  return status === 'error' || status === 'lost' || status === 'timed out'
}

/** How long it took until it was answered or given up, or until a program said its first word, in milliseconds. */
export function durationOf({ entry, answer, ended, end }: Row): number | undefined {
  const until = answer?.time ?? ended?.time
  if (until !== undefined) return until - entry.time
  return entry.kind === 'process' && end > entry.time ? end - entry.time : undefined
}

/** How long the server took to answer; undefined where that says nothing about it. */
export function latencyOf({ entry, answer, isProbe, isStart }: Row): number | undefined {
  return answer && !isProbe && !isStart ? answer.time - entry.time : undefined
}
