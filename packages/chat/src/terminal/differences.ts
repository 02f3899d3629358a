import { diffLines } from '@parley/foundation/diff'
import type { JsonObject } from '@parley/mcp'

import { shown, type Line } from './line.ts'

/** More lines are not compared, they are shown. */
const maxLines = 400
const context = 2
const signs = { same: [' ', 'dim'], added: ['+', 'good'], removed: ['-', 'bad'] } as const

/** What changed between two definitions, as lines with + and -; the same ones around it. */
export function differenceLines(before: JsonObject, after: JsonObject): readonly Line[] {
  const [old = '', now = ''] = [before, after].map((value) => JSON.stringify(value, undefined, 2))
  return textDifferenceLines(old, now)
}

/** The same for two texts. */
export function textDifferenceLines(before: string, after: string): readonly Line[] {
  const [old, now] = [before, after].map((text) => shown(text).split('\n').slice(0, maxLines))
  const steps = diffLines((old ?? []).join('\n'), (now ?? []).join('\n'))
  const isNear = steps.map((_, at) =>
    steps.slice(Math.max(0, at - context), at + context + 1).some(({ kind }) => kind !== 'same'),
  )
  return steps.flatMap(({ kind, text }, at): readonly Line[] => {
    if (isNear[at] !== true) return isNear[at - 1] === true ? [[{ text: '  …', look: 'dim' }]] : []
    const [sign, look] = signs[kind]
    return [[{ text: `${sign} ${text}`, look }]]
  })
}
