import { toolResult } from '@parley/mcp/server'
import { PathDenied, systemCode } from '@parley/server-kit/paths'
import { z } from 'zod'

import { pathInput, reads, structuredFileTool, type FileCall } from '../file-tool.ts'
import { compileGlob } from '../glob/glob.ts'
import { compileLineMatcher, type MatchLines } from '../text/line-matcher.ts'
import { readLines } from '../text/lines.ts'
import { isBehind, readCursor, writeCursor } from '../walk/walk-order.ts'
import { walk } from '../walk/walk.ts'

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
      'Lines of files below a path that contain a text. Files that are no text are skipped. Only in allowed directories.',
    inputSchema: z.object({
      path: pathInput,
      pattern: z.string().min(1).max(1_000).describe('What to look for'),
      regex: z.boolean().default(false).describe('pattern is a regular expression of JavaScript'),
      ignoreCase: z.boolean().default(false),
      include: z.string().default('**/*').describe("Only files that fit, such as '**/*.ts'"),
      excludePatterns: z.array(z.string()).default([]).describe('Leave these out'),
      limit: z.int().min(1).max(1_000).default(100).describe('At most so many lines'),
      cursor: z.string().optional().describe('nextCursor of the answer before, to go on'),
    }),
    annotations: reads(),
  },
  output,
  async (args, call) => {
    const matchLines = compileLineMatcher(args.pattern, {
      isRegex: args.regex,
      ignoreCase: args.ignoreCase,
    })
    const includes = compileGlob(args.include)
    const excluded = args.excludePatterns.map(compileGlob)
    const from = readCursor(args.cursor)
    const matches: Match[] = []
    const { signal } = call.context
    for await (const { path, relative, kind, isLink } of walk(call.jail, args.path, {
      signal,
      gitignore: call.settings.gitignore,
      isExcluded: (one) =>
        (from !== undefined && isBehind(one, from.path)) ||
        excluded.some((excludes) => excludes(one)),
      onDirectory: (seen) => call.context.progress({ progress: seen, message: `${seen} entries` }),
    })) {
      if (kind !== 'file' || isLink || !includes(relative)) continue
      const after = relative === from?.path ? from.line : 0
      const room = args.limit - matches.length + 1
      matches.push(...(await linesOf(path, matchLines, { ...call, after, room })))
      if (matches.length <= args.limit) continue
      matches.length = args.limit
      const last = matches.at(-1)
      const nextCursor =
        last && writeCursor({ path: relativeOf(last, path, relative), line: last.line })
      return answer(matches, nextCursor)
    }
    return answer(matches)
  },
)

/** The last line that was given may be of the file before the one that was too much. */
function relativeOf({ path }: Match, current: string, relative: string): string {
  return path.slice(current.length - relative.length)
}

interface LinesRequest extends FileCall {
  /** The line behind which to begin. */
  readonly after: number
  readonly room: number
}

async function linesOf(
  path: string,
  matchLines: MatchLines,
  { jail, context, after, room }: LinesRequest,
): Promise<readonly Match[]> {
  const found: Match[] = []
  let first = 1
  try {
    await using handle = await jail.open(path)
    for await (const lines of readLines(handle, { signal: context.signal })) {
      if (first === 1 && lines.some((line) => line.includes('\0'))) return []
      for (const at of matchLines(lines)) {
        const line = first + at
        if (line > after) found.push({ path, line, text: (lines[at] ?? '').slice(0, 1_000) })
        if (found.length === room) return found
      }
      first += lines.length
    }
    return found
  } catch (error) {
    if (error instanceof PathDenied || systemCode(error) !== undefined) return found // cannot be read
    throw error
  }
}

function answer(matches: readonly Match[], nextCursor?: string) {
  const lines = matches.map(({ path, line, text }) => `${path}:${line}: ${text}`)
  const more = nextCursor === undefined ? [] : [`… more with cursor ${nextCursor}`]
  const text = lines.length > 0 ? [...lines, ...more].join('\n') : 'No matches found'
  return toolResult({
    structuredContent: { matches: [...matches], ...(nextCursor !== undefined && { nextCursor }) },
    content: [text],
  })
}
