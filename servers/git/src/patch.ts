import type { ChangedFile } from '@parley/server-kit/git'

/** What a patch says of one file. */
interface Part {
  /** Its first line, `diff --git …`. */
  readonly header: string
  readonly lines: string[]
}

/**
 * The changes of each file below its names, as the reference shows them. Undefined if the patch is not about these files:
 * nothing may be shown as the change of another.
 */
export function describePatch(
  patch: { readonly text: string; readonly isCut: boolean },
  files: readonly ChangedFile[],
): string | undefined {
  const parts = splitPatch(patch.text)
  const isSame = parts.length === files.length
  if (!isSame && !(patch.isCut && parts.length < files.length)) return undefined
  const shown = parts.map(({ lines }, index) => {
    const { path = '', oldPath = path } = files[index] ?? {}
    return `\n--- ${plainName(oldPath)}\n+++ ${plainName(path)}\n${hunksOf(lines)}`
  })
  return shown.join('')
}

/** Only a newline ends a line: a return or a line separator in a file is a letter of it. */
function splitPatch(text: string): readonly Part[] {
  const parts: Part[] = []
  for (const line of text.replace(/\n$/, '').split('\n')) {
    if (line.startsWith('diff --git ')) parts.push({ header: line, lines: [] })
    else parts.at(-1)?.lines.push(line)
  }
  return parts.flatMap((part, index) => {
    if (isSecondHalf(part, parts[index - 1])) return []
    const next = parts[index + 1]
    const isFirstHalf = next !== undefined && isSecondHalf(next, part)
    return [isFirstHalf ? { ...part, lines: [...part.lines, ...next.lines] } : part]
  })
}

/** A file that became a link is shown as one that went and one that came. */
function isSecondHalf(part: Part, before: Part | undefined): boolean {
  return (
    part.header === before?.header &&
    before.lines[0]?.startsWith('deleted file mode ') === true &&
    part.lines[0]?.startsWith('new file mode ') === true
  )
}

const hunk = /^(@@ |Binary files |GIT binary patch)/

/** What follows the lines about modes and names. */
function hunksOf(lines: readonly string[]): string {
  const start = lines.findIndex((line) => hunk.test(line))
  return start === -1 ? '' : `${lines.slice(start).join('\n')}\n`
}

/** The name of a file for a line of text: one with a newline in it would read as several. */
export function plainName(path: string): string {
  // eslint-disable-next-line no-control-regex -- these are what is looked for
  return /[\u0000-\u001f\u007f]/.test(path) ? JSON.stringify(path) : path
}
