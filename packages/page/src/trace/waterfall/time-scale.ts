/** A part of the time of a trace, in its milliseconds. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

/** Where a moment stands in a drawing; long idle times can be folded to a narrow mark. */
export interface TimeScale {
  x(time: number): number
  /** Where the folds are. */
  readonly folds: readonly { readonly left: number; readonly right: number }[]
  /** How much time is folded away. */
  readonly foldedMs: number
}

const widestFold = 22
/** So much of the room may be folds. */
const foldedShare = 0.35

/** Places `range` between `left` and `right`; `folds` are in order, do not overlap, and lie within it. */
export function createTimeScale(
  range: TimeRange,
  folds: readonly TimeRange[],
  left: number,
  right: number,
): TimeScale {
  const drained = Math.max(1, right - left)
  const width = Math.min(widestFold, (drained * foldedShare) / Math.max(1, folds.length))
  const foldedMs = folds.reduce((sum, { from, to }) => sum + (to - from), 0)
  const shownMs = Math.max(0.001, range.to - range.from - foldedMs)
  const scale = (drained - width * folds.length) / shownMs

  const x = (time: number) => {
    let at = left + (time - range.from) * scale
    for (const { from, to } of folds) {
      if (time <= from) break
      const inside = Math.min(time, to) - from
      at += (inside / (to - from)) * width - inside * scale
    }
    return at
  }
  return {
    x,
    foldedMs,
    folds: folds.map(({ from, to }) => ({ left: x(from), right: x(to) })),
  }
}
