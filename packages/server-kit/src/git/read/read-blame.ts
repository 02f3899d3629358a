import type { Repository } from '../repository.ts'
import { entriesOf } from './entries.ts'

/** One line of a file, and where it is from. */
export interface BlamedLine {
  /** Its number, from 1. */
  readonly line: number
  /** The commit that last changed it. */
  readonly hash: string
  /** Who made that commit. */
  readonly author: string
  /** YYYY-MM-DD */
  readonly date: string
  /** The line itself. */
  readonly text: string
}

/** Which part of a file, and when. */
export interface BlameRequest {
  /** From `repository.paths`. */
  readonly path: string
  /** From `repository.commit`. */
  readonly commit: string
  /** The first line, from 1. */
  readonly start: number
  /** @defaultValue the last line */
  readonly end?: number | undefined
}

/** Who last changed each line of a file, in which commit. */
export async function readBlame(
  repository: Repository,
  { path, commit, start, end }: BlameRequest,
): Promise<{ readonly lines: readonly BlamedLine[]; readonly isCut: boolean }> {
  const range = ['-L', `${start},${end ?? ''}`]
  const args = ['blame', '--line-porcelain', '--no-textconv', ...range, commit, '--', path]
  const { text, isCut } = await repository.run(args)
  return { lines: parseBlame(text), isCut }
}

function parseBlame(text: string): readonly BlamedLine[] {
  const lines: BlamedLine[] = []
  let current = { hash: '', line: 0, author: '', date: '' }
  for (const entry of entriesOf(text, '\n')) {
    const [, hash, number] = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(entry) ?? []
    if (entry.startsWith('\t')) lines.push({ ...current, text: entry.slice(1) })
    else if (hash !== undefined) current = { ...current, hash, line: Number(number) }
    else if (entry.startsWith('author ')) current.author = entry.slice(7)
    else if (entry.startsWith('author-time ')) {
      current.date = new Date(Number(entry.slice(12)) * 1000).toISOString().slice(0, 10)
    }
  }
  return lines
}
