import { compileGlob } from '@parley/server-kit/files'
import { z } from 'zod'

import { excludeInput, fileTool, pathInput } from '../file-tool.ts'
import { readingHints } from '../reading-hints.ts'
import { walkFor } from '../walk-for.ts'

export const searchFiles = fileTool(
  'search_files',
  {
    title: 'Search Files',
    description:
      "Paths of all files and directories below a path that fit a pattern: '*.ts' right there, '**/*.ts' at any depth. The pattern is compared with the path from where the search begins. Only in allowed directories.",
    inputSchema: z.object({
      path: pathInput,
      pattern: z
        .string()
        .describe('With *, **, ?, [a-z] and {a,b}; names with a dot in front count'),
      excludePatterns: excludeInput,
    }),
    annotations: readingHints,
  },
  async ({ path, pattern, excludePatterns: exclude }, call) => {
    const matches = compileGlob(pattern)
    const { maxResults } = call.settings
    const paths: string[] = []
    for await (const found of walkFor(call, path, { exclude, onlyUsableLinks: true })) {
      if (!matches(found.relative)) continue
      if (paths.length === maxResults) {
        paths.push(`… stopped after ${maxResults} matches; use a narrower pattern or path`)
        break
      }
      paths.push(found.path)
    }
    return paths.length > 0 ? paths.join('\n') : 'No matches found'
  },
)
