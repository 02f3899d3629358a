import { createTwoFilesPatch } from 'diff'

/** What changed, as a fenced block that its content cannot close. */
export function describeChange(path: string, before: string, after: string): string {
  const patch =
    createTwoFilesPatch(path, path, before, after, 'original', 'modified', { timeout: 5_000 }) ??
    `${path} has changed too much to show how.\n`
  const longest = Math.max(2, ...[...patch.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}diff\n${patch}${fence}\n\n`
}
