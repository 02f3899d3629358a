import { createTwoFilesPatch, diffArrays } from 'diff'

/** One line of a comparison. */
export interface DiffLine {
  /** The kind of line. */
  readonly kind: 'same' | 'added' | 'removed'
  /** The line, without its end. */
  readonly text: string
}

/** Texts that differ in more lines count as different throughout. */
const maxEditLength = 5_000

/** Compares two texts line by line. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const changes = diffArrays(old, now, { maxEditLength })
  if (changes === undefined) return [...linesOf('removed', old), ...linesOf('added', now)]
  return changes.flatMap(({ added, removed, value }) =>
    linesOf(added ? 'added' : removed ? 'removed' : 'same', value),
  )
}

function linesOf(kind: DiffLine['kind'], texts: readonly string[]): readonly DiffLine[] {
  return texts.map((text) => ({ kind, text }))
}

/** The same as `diff -u` writes it; empty if nothing changed. */
export function unifiedDiff(file: string, before: string, after: string): string {
  if (before === after) return ''
  const options = {
    context: 3,
    maxEditLength,
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  }
  const patch = createTwoFilesPatch(file, file, before, after, undefined, undefined, options)
  if (patch !== undefined) return patch.trimEnd()
  const lines = diffLines(before, after)
  const counts = [before, after].map((text) => text.split('\n').length)
  const body = lines.map(({ kind, text }) => `${kind === 'removed' ? '-' : '+'}${text}`)
  return [`--- ${file}`, `+++ ${file}`, `@@ -1,${counts[0]} +1,${counts[1]} @@`, ...body].join('\n')
}

const signs = { same: ' ', added: '+', removed: '-' } as const

/** The lines that differ with some around them, each part with the number of its first line; empty if nothing changed. */
export function lineDiff(before: string, after: string, context = 2): string {
  const lines = diffLines(before, after)
  const isNear = lines.map((_, index) =>
    lines
      .slice(Math.max(0, index - context), index + context + 1)
      .some(({ kind }) => kind !== 'same'),
  )
  const shown: string[] = []
  let at = 1
  for (const [index, { kind, text }] of lines.entries()) {
    if (isNear[index] && !isNear[index - 1]) shown.push(`@@ line ${at} @@`)
    if (isNear[index]) shown.push(`${signs[kind]}${text}`)
    if (kind !== 'removed') at += 1
  }
  return shown.join('\n')
}
