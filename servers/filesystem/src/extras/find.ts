import { toolResult } from '@parley/mcp/server'
import { z } from 'zod'

import { pathInput, reads, structuredFileTool } from '../file-tool.ts'
import { compileGlob } from '../glob/glob.ts'
import { isBehind, readCursor, writeCursor } from '../walk/walk-order.ts'
import { walk } from '../walk/walk.ts'

export const findFiles = structuredFileTool(
  'find_files',
  {
    title: 'Find Files',
    description:
      'Like search_files, but in pages: paths of files and directories that fit a pattern. Only in allowed directories.',
    inputSchema: z.object({
      path: pathInput,
      pattern: z
        .string()
        .describe("Compared with the path from where the search begins: '**/*.ts'"),
      excludePatterns: z.array(z.string()).default([]).describe('Leave these out'),
      limit: z.int().min(1).max(10_000).default(200).describe('At most so many paths'),
      cursor: z.string().optional().describe('nextCursor of the answer before, to go on'),
    }),
    annotations: reads(),
  },
  z.object({ paths: z.array(z.string()), nextCursor: z.string().optional() }),
  async ({ path, pattern, excludePatterns, limit, cursor }, { jail, settings, context }) => {
    const matches = compileGlob(pattern)
    const excluded = excludePatterns.map(compileGlob)
    const from = readCursor(cursor)?.path
    const paths: string[] = []
    let last = ''
    for await (const found of walk(jail, path, {
      signal: context.signal,
      gitignore: settings.gitignore,
      onlyUsableLinks: true,
      isExcluded: (one) =>
        (from !== undefined && isBehind(one, from)) ||
        excluded.some((matchesOne) => matchesOne(one)),
      onDirectory: (seen) => context.progress({ progress: seen, message: `${seen} entries` }),
    })) {
      const { relative } = found
      // Folders on the way to where we go on were given out already, like that place itself.
      const isKnown = from !== undefined && (relative === from || from.startsWith(`${relative}/`))
      if (isKnown || !matches(relative)) continue
      if (paths.length === limit) return answer(paths, writeCursor({ path: last, line: 0 }))
      paths.push(found.path)
      last = relative
    }
    return answer(paths)
  },
)

function answer(paths: readonly string[], nextCursor?: string) {
  const more = nextCursor === undefined ? [] : [`… more with cursor ${nextCursor}`]
  return toolResult({
    structuredContent: { paths: [...paths], ...(nextCursor !== undefined && { nextCursor }) },
    content: [paths.length > 0 ? [...paths, ...more].join('\n') : 'No matches found'],
  })
}
