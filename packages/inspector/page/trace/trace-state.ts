import { create } from 'zustand'

import type { FileSource } from './file-source.ts'
import { liveTrace } from './live-source.ts'
import type { TraceSource } from './source.ts'

/** A part of the time of a trace, in its milliseconds. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

/** What the drawer shows. */
export interface TraceState {
  readonly source: TraceSource
  readonly filterText: string
  /** The part of the time that is zoomed to; rows outside are left out. */
  readonly range: TimeRange | undefined
  /** The `seq` of the row whose content is shown. */
  readonly selected: number | undefined
  readonly pins: ReadonlySet<number>
  /** Rows whose children are shown, by `seq`; those that ask the user are always shown. */
  readonly opened: ReadonlySet<number>
  /** The newest row stays in sight. */
  readonly isFollowing: boolean
  readonly compared: FileSource | undefined
  readonly isComparing: boolean
}

/** One for the page; the drawer can be closed and opened without losing its place. */
export const useTrace = create<TraceState>(() => ({
  source: liveTrace(),
  filterText: '',
  range: undefined,
  selected: undefined,
  pins: new Set(),
  opened: new Set(),
  isFollowing: true,
  compared: undefined,
  isComparing: false,
}))

/** Shows the content of a row, or of none. */
export function selectRow(seq: number | undefined): void {
  useTrace.setState(seq === undefined ? { selected: seq } : { selected: seq, isFollowing: false })
}

/** Marks a row so that `is:pinned` finds it. */
export function togglePin(seq: number): void {
  useTrace.setState(({ pins }) => ({ pins: toggled(pins, seq) }))
}

/** Shows or hides what a row led to. */
export function toggleRow(seq: number): void {
  useTrace.setState(({ opened }) => ({ opened: toggled(opened, seq) }))
}

/** Shows another trace from its beginning. */
export function showSource(source: TraceSource): void {
  useTrace.setState({
    source,
    range: undefined,
    selected: undefined,
    opened: new Set(),
    isFollowing: source.isLive,
    isComparing: false,
  })
}

function toggled(set: ReadonlySet<number>, item: number): ReadonlySet<number> {
  const next = new Set(set)
  if (!next.delete(item)) next.add(item)
  return next
}
