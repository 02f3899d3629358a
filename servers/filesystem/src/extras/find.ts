import { compileGlob } from '@parley/server-kit/files'
import { encodeCursor, toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { excludeInput, pathInput, structuredFileTool } from '../file-tool.ts'
import { walkFor } from '../walk-for.ts'
import { cursorInput, pageResult, positionOf } from './pages.ts'

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
      excludePatterns: excludeInput,
      limit: z.int().min(1).max(10_000).default(200).describe('The maximum number of paths'),
      cursor: cursorInput,
    }),
    annotations: toolHints('reads'),
  },
  z.object({ paths: z.array(z.string()), nextCursor: z.string().optional() }),
  async ({ path, pattern, excludePatterns: exclude, limit, cursor }, call) => {
    const matches = compileGlob(pattern)
    const from = positionOf(cursor)?.path
    const paths: string[] = []
    let last = ''
    for await (const found of walkFor(call, path, { exclude, from, onlyUsableLinks: true })) {
      const { relative } = found
      if (relative === from || !matches(relative)) continue
      if (paths.length === limit) return pageResult({ paths }, paths, encodeCursor(last, 0))
      paths.push(found.path)
      last = relative
    }
    return pageResult({ paths }, paths, undefined)
  },
)
