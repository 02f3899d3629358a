import { z } from 'zod'

import { fileTool, pathInput, reads } from '../file-tool.ts'
import { compileGlob } from '../glob/glob.ts'
import { walk } from '../walk/walk.ts'

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
      excludePatterns: z
        .array(z.string())
        .optional()
        .default([])
        .describe('Leave these out, with all in them'),
    }),
    annotations: reads(),
  },
  async ({ path, pattern, excludePatterns }, { jail, settings, context }) => {
    const matches = compileGlob(pattern)
    const excluded = excludePatterns.map(compileGlob)
    const paths: string[] = []
    const found = walk(jail, path, {
      signal: context.signal,
      gitignore: settings.gitignore,
      onlyUsableLinks: true,
      isExcluded: (relative) => excluded.some((matchesOne) => matchesOne(relative)),
      onDirectory: (seen) => context.progress({ progress: seen, message: `${seen} entries` }),
    })
    for await (const { path: match, relative } of found) {
      if (!matches(relative)) continue
      if (paths.length === settings.maxResults) {
        paths.push(`… stopped after ${settings.maxResults} matches; use a narrower pattern or path`)
        break
      }
      paths.push(match)
    }
    return paths.length > 0 ? paths.join('\n') : 'No matches found'
  },
)
