import type { PathEvent } from './path-event.ts'
import { createAnswerers, eventsWithin } from './path-input.ts'
import { levels, paintSpans, type PathSegment, type PathWho, type Span } from './path-segment.ts'
import { partsOf, spansOf, type CallContextParts } from './path-spans.ts'
import { createPathTree, type PathNode, type PathTree } from './path-tree.ts'
import type { TraceRecord } from './record.ts'
import { overStates } from './request-fates.ts'

/** The use of a call's time, moment by moment. */
export interface CriticalPath {
  /** The `seq` of the request. */
  readonly seq: number
  /** When the call began, in milliseconds since the trace began. */
  readonly from: number
  /** When it ended, or the trace did. */
  readonly to: number
  /** From the request to the end of the call: its answer, that of its last round, or the outcome of its task. */
  readonly durationMs: number
  /** Not over within the trace. */
  readonly isOpen: boolean
  /** Contiguous; together as long as the call. */
  readonly segments: readonly PathSegment[]
}

/** The path of one request; `id` is the `seq` of it or of its answer. Undefined where that is no request. */
export function criticalPath(records: Iterable<TraceRecord>, id: number): CriticalPath | undefined {
  const tree = createPathTree(records)
  return pathIn(tree, id)
}

/** The paths of all calls that no other call led to, in order. */
export function criticalPaths(records: Iterable<TraceRecord>): readonly CriticalPath[] {
  const tree = createPathTree(records)
  return tree.calls.flatMap(({ seq }) => pathIn(tree, seq) ?? [])
}

function pathIn(tree: PathTree, seq: number): CriticalPath | undefined {
  const node = tree.find(seq)
  return node && pathOf(node, tree.marksBeside(seq), tree.endBeside(seq))
}

/**
 * The path of a request whose tree is known. `marks` are the decisions, sign-ins and states of its connection in order,
 * and `now` is until when it is known that there was no answer.
 */
export function pathOf(
  call: PathNode,
  marks: readonly PathEvent[],
  now: number,
): CriticalPath | undefined {
  const { entry, answer } = call
  if (entry.role !== 'request' || entry.kind !== 'message') return undefined
  const { seq, time: from } = entry
  if (entry.direction === 'in') {
    const to = Math.max(from, answer?.time ?? now)
    const own = eventsWithin(marks, seq, answer?.seq ?? Infinity)
    const segments = paintSpans(createAnswerers(own).question(call, to), from, to)
    return { seq, from, to, durationMs: to - from, isOpen: !answer, segments }
  }
  const parts = partsOf(call)
  const over = endOf(parts, marks)
  const own = eventsWithin(marks, seq, over?.seq ?? Infinity)
  const to = Math.max(from, over?.time ?? now)
  const spans = [
    wholeSpan(entry, from, to),
    ...spansOf(parts, own, to),
    ...(over === undefined ? unanswered(parts, entry, to) : []),
    ...lateSpans(parts, entry, to),
  ]
  const segments = paintSpans(spans, from, to)
  return { seq, from, to, durationMs: to - from, isOpen: over === undefined, segments }
}

/** How many milliseconds of a path were spent on each. */
export function timeByWho({ segments }: CriticalPath): { readonly [who in PathWho]: number } {
  const times = { server: 0, client: 0, person: 0, network: 0, unknown: 0 }
  for (const { who, from, to } of segments) times[who] += to - from
  return times
}

/** The first outcome of a call; else its cancellation, or the end of its connection. */
function endOf(
  { exchanges, notifications }: CallContextParts,
  marks: readonly PathEvent[],
): PathEvent | undefined {
  const [call] = exchanges
  // A request for the state of a task has its response, whatever becomes of the task.
  if (call?.answer && call.entry.label.startsWith('tasks/')) return call.answer
  const outcomes = exchanges.flatMap(({ entry, answer }) =>
    answer && isOutcome(entry, answer) ? [answer] : [],
  )
  const taskEnds = notifications.filter(({ hint }) => hint?.tag === 'task' && hint.isOver)
  const [first] = [...outcomes, ...taskEnds].toSorted((a, b) => a.seq - b.seq)
  if (first) return first
  const cancelled = notifications.find(({ label }) => label === 'notifications/cancelled')
  if (cancelled) return cancelled
  const after = call?.entry.seq ?? 0
  return eventsWithin(marks, after, Infinity).find(
    ({ kind, subject }) => kind === 'status' && overStates.has(subject),
  )
}

function isOutcome({ label }: PathEvent, { hint }: PathEvent): boolean {
  if (label === 'tasks/update' || label === 'tasks/cancel') return false // they are only acknowledged
  return hint?.tag === 'task' ? hint.isOver : hint?.tag !== 'asks'
}

function wholeSpan({ seq }: PathEvent, from: number, to: number): Span {
  return { level: levels.whole, from, to, seq, who: 'server', what: 'the server works' }
}

/** After the last sign of life of a call without an end the trace does not tell whom it waits for. */
function unanswered(
  { exchanges, questions, notifications }: CallContextParts,
  { seq }: PathEvent,
  to: number,
): readonly Span[] {
  let last = 0
  for (const { entry, answer } of [...exchanges, ...questions]) {
    last = Math.max(last, (answer ?? entry).time)
    if (entry.direction === 'in' && !answer) last = to // it waits for us
  }
  for (const { time } of notifications) last = Math.max(last, time)
  const level = levels.progress
  return [{ level, from: last, to, seq, who: 'unknown', what: 'no answer yet' }]
}

/** Returns the spans after a cancellation. */
function lateSpans(
  { notifications }: CallContextParts,
  { seq }: PathEvent,
  to: number,
): readonly Span[] {
  const cancelled = notifications.find(({ label }) => label === 'notifications/cancelled')
  if (!cancelled) return []
  const what = 'the answer arrives after the call was cancelled'
  return [{ level: levels.input, from: cancelled.time, to, seq, who: 'server', what }]
}
