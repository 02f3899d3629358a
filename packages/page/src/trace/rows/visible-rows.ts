import { useEffect, useMemo, useState } from 'react'

import { useTraceSetting } from '../trace-setting.ts'
import { useTrace } from '../trace-state.ts'
import { parseFilter, passesFilter, type Filter } from './filter.ts'
import { findGaps, type Gap } from './gaps.ts'
import type { Row } from './rows.ts'
import { summarize, type Summary } from './summary.ts'
import { useTextSearch } from './text-search.ts'

/** A line in the list: a row and how deep it stands below its parents, or idle time between two. */
export type VisibleLine = VisibleRow | { readonly kind: 'gap'; readonly gap: Gap }

export interface VisibleRow {
  readonly kind: 'row'
  readonly row: Row
  readonly depth: number
}

/** What the list, the plot and the figures show. */
export interface VisibleTrace {
  readonly lines: readonly VisibleLine[]
  /** Long times in which nothing of what is shown was in flight. */
  readonly gaps: readonly Gap[]
  readonly summary: Summary
  /** The same without the zoom, for the plot one zooms in. */
  readonly overall: Summary
  readonly filter: Filter
  readonly isSearching: boolean
  readonly progress: number
}

/** The list is drawn anew so often at most, however much arrives. */
const refreshMs = 200
const overviewParts = 240

/** The rows that pass the filter and the zoom; children stand below their parent. */
export function useVisibleTrace(): VisibleTrace {
  const { source, scope, filterText, range, pins, opened } = useTrace()
  const version = useVersion()
  const filter = useMemo(() => parseFilter(filterText), [filterText])
  // Who asks for a server by name means that one.
  const isNamed = filter.parts.some(({ key, isNot }) => key === 'server' && !isNot)
  const isOne = scope === 'this' && source.isLive && !isNamed
  const setting = useTraceSetting()
  const server = isOne ? setting.server : undefined
  const found = useTextSearch(source, filter.contents)

  const own = useMemo(() => {
    const { top } = source.table
    return server === undefined ? [...top] : top.filter(({ entry }) => entry.server === server)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the table changes in place, and `version` says when
  }, [source, server, version])
  const passing = useMemo(() => {
    const isAll = filter.parts.length === 0 && filter.contents.length === 0
    const context = { pins, found: found.seqs, table: source.table }
    return isAll ? own : own.filter((row) => passesFilter(filter, row, context))
  }, [source, own, filter, pins, found])
  const zoomed = useMemo(
    () =>
      range
        ? passing.filter((row) => row.entry.time <= range.to && row.end >= range.from)
        : passing,
    [passing, range],
  )
  const gaps = useMemo(
    () => findGaps(zoomed, zoomed.length === own.length ? undefined : findGaps(own)),
    [own, zoomed],
  )
  const lines = useMemo(() => flatten(zoomed, gaps, opened), [zoomed, gaps, opened])
  const overall = useMemo(() => summarize(passing, overviewParts), [passing])
  const summary = useMemo(
    () => (range ? summarize(zoomed, overviewParts) : overall),
    [zoomed, range, overall],
  )
  return {
    lines,
    gaps,
    summary,
    overall,
    filter,
    isSearching: found.isSearching,
    progress: source.progress,
  }
}

/** Counts changes of the source, a few a second. */
function useVersion(): number {
  const source = useTrace((state) => state.source)
  const [version, setVersion] = useState(0)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = source.onChange(() => {
      timer ??= setTimeout(() => {
        timer = undefined
        setVersion((count) => count + 1)
      }, refreshMs)
    })
    setVersion((count) => count + 1)
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [source])
  return version
}

function flatten(
  top: readonly Row[],
  gaps: readonly Gap[],
  opened: ReadonlySet<number>,
): readonly VisibleLine[] {
  const lines: VisibleLine[] = []
  const add = (row: Row, depth: number) => {
    lines.push({ kind: 'row', row, depth })
    if (row.children.length === 0 || depth > 20) return
    const isOpen = opened.has(row.entry.seq)
    for (const child of row.children) {
      if (isOpen || child.entry.role === 'request') add(child, depth + 1)
    }
  }
  let nextGap = 0
  for (const row of top) {
    const gap = gaps[nextGap]
    if (gap?.next === row) {
      lines.push({ kind: 'gap', gap })
      nextGap++
    }
    add(row, 0)
  }
  return lines
}

/** Names a line; rows by their `seq`, idle time by the row that ended it. */
export function lineKey(line: VisibleLine): string {
  return line.kind === 'row'
    ? `trace-${line.row.entry.seq}`
    : `trace-gap-${line.gap.next.entry.seq}`
}
