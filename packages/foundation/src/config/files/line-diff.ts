/** The lines that differ, as `diff -u` shows them; empty when nothing does. */
export function lineDiff(before: string, after: string, context = 2): string {
  const old = before.split('\n')
  const fresh = after.split('\n')
  const steps = editSteps(old, fresh)
  const near = steps.map((_, index) =>
    steps.slice(Math.max(0, index - context), index + context + 1).some(({ mark }) => mark !== ' '),
  )
  const lines: string[] = []
  for (const [index, { mark, line, at }] of steps.entries()) {
    if (!near[index]) continue
    if (!near[index - 1]) lines.push(`@@ line ${at} @@`)
    lines.push(`${mark}${line}`)
  }
  return lines.join('\n')
}

interface Step {
  readonly mark: ' ' | '-' | '+'
  readonly line: string
  readonly at: number
}

/** What both begin and end with is the same; only the middle is compared line by line. */
function editSteps(old: readonly string[], fresh: readonly string[]): readonly Step[] {
  let head = 0
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head += 1
  let tail = 0
  const most = Math.min(old.length, fresh.length) - head
  while (tail < most && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1
  const same = (line: string, at: number): Step => ({ mark: ' ', line, at: at + 1 })
  return [
    ...fresh.slice(0, head).map((line, index) => same(line, index)),
    ...middleSteps(
      old.slice(head, old.length - tail),
      fresh.slice(head, fresh.length - tail),
      head,
    ),
    ...fresh
      .slice(fresh.length - tail)
      .map((line, index) => same(line, fresh.length - tail + index)),
  ]
}

function middleSteps(old: readonly string[], fresh: readonly string[], from: number): Step[] {
  // Beyond this the table would be larger than what is worth showing.
  const isSmall = old.length * fresh.length <= 1_000_000
  const common = isSmall ? commonLengths(old, fresh) : undefined
  const steps: Step[] = []
  let i = 0
  let j = 0
  while (i < old.length || j < fresh.length) {
    const at = from + j + 1
    const [left, right] = [old[i], fresh[j]]
    if (left !== undefined && left === right) {
      steps.push({ mark: ' ', line: left, at })
      i += 1
      j += 1
    } else if (left !== undefined && (right === undefined || !isLonger(common, i, j))) {
      steps.push({ mark: '-', line: left, at })
      i += 1
    } else {
      steps.push({ mark: '+', line: right ?? '', at })
      j += 1
    }
  }
  return steps
}

/** Whether more stays in common by adding the new line first. */
function isLonger(common: readonly Uint32Array[] | undefined, i: number, j: number): boolean {
  if (common === undefined) return false
  return (common[i]?.[j + 1] ?? 0) > (common[i + 1]?.[j] ?? 0)
}

function commonLengths(old: readonly string[], fresh: readonly string[]): readonly Uint32Array[] {
  const table = Array.from({ length: old.length + 1 }, () => new Uint32Array(fresh.length + 1))
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = fresh.length - 1; j >= 0; j -= 1) {
      const row = table[i]
      if (row === undefined) continue // the loops stay within the table
      const below = table[i + 1]
      row[j] =
        old[i] === fresh[j] ? (below?.[j + 1] ?? 0) + 1 : Math.max(below?.[j] ?? 0, row[j + 1] ?? 0)
    }
  }
  return table
}
