import { create } from 'zustand'

import { createRowTable } from './rows/rows.ts'
import type { FileSource } from './source/file-source.ts'
import type { TraceSource } from './source/source.ts'
import type { TimeRange } from './waterfall/time-scale.ts'

const scopeKey = 'parley-trace-scope'

/** Until a viewer is shown. */
const nothing: TraceSource = {
  name: '',
  isLive: false,
  table: createRowTable(),
  progress: 1,
  record: () => Promise.resolve(undefined),
  async *pages() {},
  onChange: () => () => {},
}

/** Whose messages are shown. */
export type TraceScope = 'this' | 'all'

/** What the viewer shows. */
export interface TraceState {
  /** What the page set as its trace; undefined until a viewer was shown. */
  readonly live: TraceSource | undefined
  readonly source: TraceSource
  /** Only of the server that is open, or of all. */
  readonly scope: TraceScope
  readonly filterText: string
  /** The part of the time that is zoomed to; rows outside are left out. */
  readonly range: TimeRange | undefined
  /** The `seq` of the row whose content is shown. */
  readonly selected: number | undefined
  /** Where the list stands on idle time instead: the `seq` of the row that ended it. */
  readonly selectedGap: number | undefined
  readonly pins: ReadonlySet<number>
  /** Rows whose children are shown, by `seq`; those that ask the user are always shown. */
  readonly opened: ReadonlySet<number>
  /** The newest row stays in sight. */
  readonly isFollowing: boolean
  /** Idle time is drawn as long as it was, and not folded. */
  readonly isRealTime: boolean
  readonly compared: FileSource | undefined
  readonly isComparing: boolean
}

/** One for the page; the viewer can be closed and opened without losing its place. */
export const useTrace = create<TraceState>(() => ({
  live: undefined,
  source: nothing,
  scope: readScope(),
  filterText: '',
  range: undefined,
  selected: undefined,
  selectedGap: undefined,
  pins: new Set(),
  opened: new Set(),
  isFollowing: true,
  isRealTime: false,
  compared: undefined,
  isComparing: false,
}))

/** Shows the messages of one server or of all, now and after a reload. */
export function setScope(scope: TraceScope): void {
  useTrace.setState({ scope })
  try {
    localStorage.setItem(scopeKey, scope)
  } catch {
    // Without storage it holds until the page is closed.
  }
}

/** Shows the content of a row, or of none. */
export function selectRow(seq: number | undefined): void {
  useTrace.setState({
    selected: seq,
    selectedGap: undefined,
    ...(seq !== undefined && { isFollowing: false }),
  })
}

/** Stands on the idle time before a row. */
export function selectGap(seq: number): void {
  useTrace.setState({ selected: undefined, selectedGap: seq, isFollowing: false })
}

/** Looks at the time from one moment to another, with a little room around it. */
export function zoomTo(from: number, to: number): void {
  const drained = Math.max(0.5, (to - from) * 0.05)
  useTrace.setState({ range: { from: from - drained, to: to + drained }, isFollowing: false })
}

/** Marks a row so that `is:pinned` finds it. */
export function togglePin(seq: number): void {
  useTrace.setState(({ pins }) => ({ pins: toggled(pins, seq) }))
}

/** Shows or hides what a row led to. */
export function toggleRow(seq: number): void {
  useTrace.setState(({ opened }) => ({ opened: toggled(opened, seq) }))
}

/** Takes what happens now as the trace to show, unless a file is open; what was picked before it was there stays. */
export function adoptSource(live: TraceSource): void {
  const { live: before, source } = useTrace.getState()
  if (before === live) return
  useTrace.setState({ live })
  if (before === undefined) useTrace.setState({ source: live })
  else if (source === before) showSource(live)
}

/** Shows another trace from its beginning. */
export function showSource(source: TraceSource): void {
  useTrace.setState({
    source,
    range: undefined,
    selected: undefined,
    selectedGap: undefined,
    opened: new Set(),
    isFollowing: source.isLive,
    isComparing: false,
  })
}

function readScope(): TraceScope {
  try {
    return localStorage.getItem(scopeKey) === 'all' ? 'all' : 'this'
  } catch {
    return 'this'
  }
}

function toggled(set: ReadonlySet<number>, item: number): ReadonlySet<number> {
  const next = new Set(set)
  if (!next.delete(item)) next.add(item)
  return next
}
