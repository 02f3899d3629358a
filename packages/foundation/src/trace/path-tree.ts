import { pathEventOf, type PathEvent } from './path-event.ts'
import type { TraceRecord } from './record.ts'

/** A request with its answer, and what it led to; or anything else that happened below one. */
export interface PathNode {
  /** The request, or what else happened. */
  readonly entry: PathEvent
  /** Its answer; absent if there is none. */
  readonly answer?: PathEvent | undefined
  /** The entries that it caused, in order. */
  readonly children: readonly PathNode[]
}

/** The requests of a trace as trees. */
export interface PathTree {
  /** By the `seq` of a record, or of its answer. */
  find(seq: number): PathNode | undefined
  /** Decisions, sign-ins and states of the connection of a record, in order. */
  marksBeside(seq: number): readonly PathEvent[]
  /** When the last thing happened on the connection of a record. */
  endBeside(seq: number): number
  /** Requests that no other request led to. */
  readonly calls: readonly TraceRecord[]
}

/** The kinds that explain the time of a call without belonging to it. */
const markKinds: ReadonlySet<string> = new Set(['decision', 'auth', 'status'])

interface Grown extends PathNode {
  answer?: PathEvent | undefined
  readonly children: Grown[]
}

/** Reads all records once; what names a parent stands below it. */
export function createPathTree(records: Iterable<TraceRecord>): PathTree {
  const nodes = new Map<number, Grown>()
  const connections = new Map<number, string>()
  const marks = new Map<string, PathEvent[]>()
  const ends = new Map<string, number>()
  const calls: TraceRecord[] = []

  for (const record of records) {
    const { seq, connection, kind, parent } = record
    const entry = pathEventOf(record)
    connections.set(seq, connection)
    ends.set(connection, Math.max(ends.get(connection) ?? 0, entry.time))
    if (markKinds.has(kind)) {
      const entries = marks.get(connection)
      if (entries === undefined) marks.set(connection, [entry])
      else entries.push(entry)
    }
    const above = parent === undefined ? undefined : nodes.get(parent)
    if (above && entry.role === 'answer' && above.entry.role === 'request' && !above.answer) {
      above.answer = entry
      nodes.set(seq, above)
      continue
    }
    const node: Grown = { entry, children: [] }
    nodes.set(seq, node)
    if (above) above.children.push(node)
    else if (kind === 'message' && entry.role === 'request') calls.push(record)
  }

  return {
    find: (seq) => nodes.get(seq),
    marksBeside: (seq) => marks.get(connections.get(seq) ?? '') ?? [],
    endBeside: (seq) => ends.get(connections.get(seq) ?? '') ?? 0,
    calls,
  }
}
