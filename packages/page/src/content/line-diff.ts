/** One line of a comparison. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** The table grows with the product; beyond this everything counts as changed. */
const maximumCells = 2_000_000

/** What changed between two texts, by lines. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const old = before.split('\n')
  const now = after.split('\n')
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start++
  let end = 0
  while (
    end < old.length - start &&
    end < now.length - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  ) {
    end++
  }
  const same = (text: string): DiffLine => ({ kind: 'same', text })
  return [
    ...old.slice(0, start).map(same),
    ...diffMiddle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...old.slice(old.length - end).map(same),
  ]
}

function diffMiddle(old: readonly string[], now: readonly string[]): readonly DiffLine[] {
  const removed = (text: string): DiffLine => ({ kind: 'removed', text })
  const added = (text: string): DiffLine => ({ kind: 'added', text })
  if (old.length * now.length > maximumCells) return [...old.map(removed), ...now.map(added)]

  // lengths[i][j]: the longest common part of what follows line i of the old and line j of the new text.
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1))
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0
  for (let i = old.length - 1; i >= 0; i--) {
    const row = lengths[i]
    if (!row) continue
    for (let j = now.length - 1; j >= 0; j--) {
      row[j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const lines: DiffLine[] = []
  let i = 0
  let j = 0
  while (i < old.length || j < now.length) {
    const [oldLine, newLine] = [old[i], now[j]]
    if (oldLine !== undefined && oldLine === newLine) {
      lines.push({ kind: 'same', text: oldLine })
      i++
      j++
    } else if (oldLine !== undefined && (newLine === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(removed(oldLine))
      i++
    } else if (newLine !== undefined) {
      lines.push(added(newLine))
      j++
    }
  }
  return lines
}
