import { ToolError } from '@parley/mcp'
import { z } from 'zod'

import { fileTool, pathInput, reads } from '../file-tool.ts'
import { compileGlob, type MatchPath } from '../glob/glob.ts'
import { walk } from '../walk/walk.ts'

interface Entry {
  readonly name: string
  readonly type: 'file' | 'directory'
  readonly children?: Entry[]
}

export const directoryTree = fileTool(
  'directory_tree',
  {
    title: 'Directory Tree',
    description:
      'All that is in a directory and below, as JSON: name, type (file or directory), and children of directories. Only in allowed directories.',
    inputSchema: z.object({
      path: pathInput,
      excludePatterns: z
        .array(z.string())
        .optional()
        .default([])
        .describe(
          'Leave these out, with all in them; without a * in it, a name counts at any depth',
        ),
    }),
    annotations: reads(),
  },
  async ({ path, excludePatterns }, { jail, settings, context }) => {
    const excluded = excludePatterns.map(compileExclusion)
    const top: Entry[] = []
    const folders = new Map([['', top]])
    let count = 0
    const found = walk(jail, path, {
      signal: context.signal,
      gitignore: settings.gitignore,
      isExcluded: (relative) => excluded.some((matches) => matches(relative)),
      onDirectory: (seen) => context.progress({ progress: seen, message: `${seen} entries` }),
    })
    for await (const { relative, name, kind } of found) {
      count += 1
      if (count > settings.maxResults) throw tooMany(settings.maxResults)
      const entry: Entry = { name, type: kind, ...(kind === 'directory' && { children: [] }) }
      folders.get(relative.slice(0, -name.length - 1))?.push(entry)
      if (entry.children) folders.set(relative, entry.children)
    }
    return JSON.stringify(top, null, 2)
  },
)

function compileExclusion(pattern: string): MatchPath {
  if (pattern.includes('*')) return compileGlob(pattern)
  return compileGlob(`{${pattern},**/${pattern},**/${pattern}/**}`)
}

function tooMany(most: number): ToolError {
  return new ToolError(`More than ${most} entries. Exclude some, or ask for a part of the tree.`)
}
