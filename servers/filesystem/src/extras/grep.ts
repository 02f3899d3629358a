import { basename } from 'node:path'

import {
  compileGlob,
  compileLineMatcher,
  readLines,
  type MatchLines,
} from '@parley/server-kit/files'
import { PathDenied, systemCode } from '@parley/server-kit/paths'
import { encodeCursor, toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { excludeInput, pathInput, structuredFileTool, type FileCall } from '../file-tool.ts'
import { walkFor, type WalkForOptions } from '../walk-for.ts'
import { cursorInput, pageResult, positionOf } from './pages.ts'

const output = z.object({
  matches: z.array(z.object({ path: z.string(), line: z.number(), text: z.string() })),
  nextCursor: z.string().optional(),
})
type Match = z.infer<typeof output>['matches'][number]

export const grepFiles = structuredFileTool(
  'grep_files',
  {
    title: 'Search in Files',
    description:
      'Lines of a file, or of the files below a path, that contain a text. Files that are not text are skipped. Only in allowed directories.',
    inputSchema: z.object({
      path: pathInput,
      pattern: z.string().min(1).max(1_000).describe('What to look for'),
      regex: z.boolean().default(false).describe('pattern is a regular expression of JavaScript'),
      ignoreCase: z.boolean().default(false).describe('Capital and small letters are the same'),
      include: z.string().default('**/*').describe("Only files that fit, such as '**/*.ts'"),
      excludePatterns: excludeInput,
      limit: z.int().min(1).max(1_000).default(100).describe('The maximum number of lines'),
      cursor: cursorInput,
    }),
    annotations: toolHints('reads'),
  },
  output,
  async ({ path, pattern, regex, ignoreCase, include, limit, ...rest }, call) => {
    const matchLines = compileLineMatcher(pattern, { isRegex: regex, ignoreCase })
    const includes = compileGlob(include)
    const from = positionOf(rest.cursor)
    const matches: Match[] = []
    /** Of the last match, as the walk calls it. */
    let last = ''
    const walking = { exclude: rest.excludePatterns, from: from?.path }
    for await (const { path: file, relative, kind, isLink } of filesAt(path, walking, call)) {
      if (kind !== 'file' || isLink || !includes(relative)) continue
      const after = relative === from?.path ? from.line : 0
      for await (const match of matchesIn(file, matchLines, call)) {
        if (match.line <= after) continue
        if (matches.length === limit) {
          return answer(matches, encodeCursor(last, matches.at(-1)?.line ?? 0))
        }
        matches.push(match)
        last = relative
      }
    }
    return answer(matches)
  },
)

/** All that is below a folder; a file is a list of one. */
async function* filesAt(path: string, options: WalkForOptions, call: FileCall) {
  if ((await call.jail.stat(path)).isDirectory()) return yield* walkFor(call, path, options)
  const { path: real } = await call.jail.resolve(path)
  yield { path: real, relative: basename(real), kind: 'file', isLink: false } as const
}

/** The lines that fit, until somebody has enough of them. What cannot be read, or is no text, has none. */
async function* matchesIn(
  path: string,
  matchLines: MatchLines,
  { jail, context, settings }: FileCall,
): AsyncGenerator<Match> {
  let first = 1
  try {
    await using handle = await jail.open(path)
    // A script or data in one line is searched as a whole.
    const options = { signal: context.signal, maxLineLength: settings.maxReadBytes }
    for await (const lines of readLines(handle, options)) {
      if (first === 1 && lines.some((line) => line.includes('\0'))) return
      for (const at of matchLines(lines)) {
        yield { path, line: first + at, text: beginningOf(lines[at] ?? '') }
      }
      first += lines.length
    }
  } catch (error) {
    const isUnreadable = error instanceof PathDenied || systemCode(error) !== undefined
    if (!isUnreadable) throw error
  }
}

function beginningOf(line: string): string {
  return line.length > 1_000 ? `${line.slice(0, 1_000)}…` : line
}

function answer(matches: Match[], nextCursor?: string) {
  const lines = matches.map(({ path, line, text }) => `${path}:${line}: ${text}`)
  return pageResult({ matches }, lines, nextCursor)
}
