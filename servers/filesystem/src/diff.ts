import { createTwoFilesPatch } from 'diff'

/** A file, before and after. */
export interface Change {
  readonly path: string
  readonly before: string
  readonly after: string
}

/** What changed, as a fenced block that its content cannot close. */
export function describeChange({ path, before, after }: Change): string {
  const options = { timeout: 5_000 }
  const patch = createTwoFilesPatch(path, path, before, after, 'original', 'modified', options)
  return fenced(patch ?? tooMuch(path))
}

/** The same, when nobody could tell what changed. */
export function describeLargeChange(path: string): string {
  return fenced(tooMuch(path))
}

function tooMuch(path: string): string {
  return `${path} has changed too much to show how.\n`
}

function fenced(patch: string): string {
  let longest = 2
  for (const [run] of patch.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}diff\n${patch}${fence}\n\n`
}
