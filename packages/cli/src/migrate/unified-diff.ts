interface Line {
  readonly sign: ' ' | '-' | '+'
  readonly text: string
}

/** What changed between two texts, as `diff -u` writes it. */
export function unifiedDiff(file: string, before: string, after: string): string {
  const lines = compareLines(before.split('\n'), after.split('\n'))
  const hunks: string[] = []
  let oldLine = 1
  let newLine = 1
  for (let at = 0; at < lines.length;) {
    const changed = lines.findIndex(({ sign }, index) => index >= at && sign !== ' ')
    if (changed === -1) break
    const from = Math.max(at, changed - 3)
    oldLine += from - at
    newLine += from - at
    let to = changed
    for (let index = changed; index < lines.length && index <= to + 6; index += 1) {
      if (lines[index]?.sign !== ' ') to = index
    }
    const hunk = lines.slice(from, to + 4)
    const olds = hunk.filter(({ sign }) => sign !== '+').length
    const news = hunk.filter(({ sign }) => sign !== '-').length
    hunks.push(`@@ -${oldLine},${olds} +${newLine},${news} @@`)
    for (const { sign, text } of hunk) hunks.push(sign + text)
    oldLine += olds
    newLine += news
    at = from + hunk.length
  }
  return hunks.length === 0 ? '' : [`--- ${file}`, `+++ ${file}`, ...hunks].join('\n')
}

/** The longest common lines stay. Equal ends are cut off first, so the table is as large as the change. */
function compareLines(before: readonly string[], after: readonly string[]): readonly Line[] {
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1
  let tail = 0
  while (
    tail < before.length - head &&
    tail < after.length - head &&
    before.at(-1 - tail) === after.at(-1 - tail)
  )
    tail += 1
  const olds = before.slice(head, before.length - tail)
  const news = after.slice(head, after.length - tail)
  const kept = (texts: readonly string[]): Line[] => texts.map((text) => ({ sign: ' ', text }))
  return [
    ...kept(before.slice(0, head)),
    ...middle(olds, news),
    ...kept(before.slice(before.length - tail)),
  ]
}

/** Beyond this many cells the whole middle is shown as replaced. */
const maxCells = 25_000_000

function middle(olds: readonly string[], news: readonly string[]): readonly Line[] {
  const width = news.length + 1
  const isLarge = (olds.length + 1) * width > maxCells
  const lengths = new Uint32Array(isLarge ? 0 : (olds.length + 1) * width)
  for (let row = olds.length - 1; row >= 0 && !isLarge; row -= 1) {
    for (let column = news.length - 1; column >= 0; column -= 1) {
      const below = lengths[(row + 1) * width + column] ?? 0
      const right = lengths[row * width + column + 1] ?? 0
      const diagonal = lengths[(row + 1) * width + column + 1] ?? 0
      lengths[row * width + column] =
        olds[row] === news[column] ? diagonal + 1 : Math.max(below, right)
    }
  }
  const lines: Line[] = []
  let row = 0
  let column = 0
  while (row < olds.length || column < news.length) {
    const below = lengths[(row + 1) * width + column] ?? 0
    const right = lengths[row * width + column + 1] ?? 0
    if (row < olds.length && !isLarge && olds[row] === news[column]) {
      lines.push({ sign: ' ', text: olds[row] ?? '' })
      row += 1
      column += 1
    } else if (row < olds.length && (column >= news.length || below >= right)) {
      lines.push({ sign: '-', text: olds[row] ?? '' })
      row += 1
    } else {
      lines.push({ sign: '+', text: news[column] ?? '' })
      column += 1
    }
  }
  return lines
}
