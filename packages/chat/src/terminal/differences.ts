import type { JsonObject } from '@parley/mcp'

import { shown, type Line } from './line.ts'

/** More lines are not compared, they are shown. */
const maxLines = 400
const context = 2

/** What changed between two definitions, as lines with + and -; the same ones around it. */
export function differenceLines(before: JsonObject, after: JsonObject): readonly Line[] {
  const [old = '', now = ''] = [before, after].map((value) => JSON.stringify(value, undefined, 2))
  return textDifferenceLines(old, now)
}

/** The same for two texts. */
export function textDifferenceLines(before: string, after: string): readonly Line[] {
  const [old, now] = [before, after].map((text) => shown(text).split('\n').slice(0, maxLines))
  const steps = compare(old ?? [], now ?? [])
  const isNear = steps.map((_, at) =>
    steps.slice(Math.max(0, at - context), at + context + 1).some(({ sign }) => sign !== ' '),
  )
  return steps.flatMap(({ sign, text }, at): readonly Line[] => {
    if (isNear[at] !== true) return isNear[at - 1] === true ? [[{ text: '  …', look: 'dim' }]] : []
    const look = sign === '+' ? 'good' : sign === '-' ? 'bad' : 'dim'
    return [[{ text: `${sign} ${text}`, look }]]
  })
}

interface Step {
  readonly sign: '+' | '-' | ' '
  readonly text: string
}

/** By the longest common sequence of lines. */
function compare(old: readonly string[], now: readonly string[]): readonly Step[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1))
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = now.length - 1; column >= 0; column -= 1) {
      const below = lengths[row + 1]
      const here = lengths[row]
      if (below === undefined || here === undefined) continue // both are there
      here[column] =
        old[row] === now[column]
          ? (below[column + 1] ?? 0) + 1
          : Math.max(below[column] ?? 0, here[column + 1] ?? 0)
    }
  }
  const steps: Step[] = []
  let [row, column] = [0, 0]
  while (row < old.length || column < now.length) {
    const [was = '', is = ''] = [old[row], now[column]]
    if (row < old.length && column < now.length && was === is) {
      steps.push({ sign: ' ', text: is })
      row += 1
      column += 1
    } else if (
      row < old.length &&
      (column >= now.length ||
        (lengths[row + 1]?.[column] ?? 0) >= (lengths[row]?.[column + 1] ?? 0))
    ) {
      steps.push({ sign: '-', text: was })
      row += 1
    } else {
      steps.push({ sign: '+', text: is })
      column += 1
    }
  }
  return steps
}
