import { ToolError } from '@parley/mcp'
import { z } from 'zod'

import { excludeInput, fileTool, pathInput } from '../file-tool.ts'
import { readingHints } from '../reading-hints.ts'
import { walkFor } from '../walk-for.ts'

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
      excludePatterns: excludeInput.describe(
        'Leave these out, with all in them; without a * in it, a name counts at any depth',
      ),
    }),
    annotations: readingHints,
  },
  async ({ path, excludePatterns }, call) => {
    const { maxResults } = call.settings
    const exclude = excludePatterns.flatMap(atAnyDepth)
    const top: Entry[] = []
    const folders = new Map([['', top]])
    let count = 0
    for await (const { relative, name, kind } of walkFor(call, path, { exclude })) {
      count += 1
      if (count > maxResults) throw tooMany(maxResults)
      const entry: Entry = { name, type: kind, ...(kind === 'directory' && { children: [] }) }
      folders.get(relative.slice(0, -name.length - 1))?.push(entry)
      if (entry.children) folders.set(relative, entry.children)
    }
    return JSON.stringify(top, null, 2)
  },
)

function atAnyDepth(pattern: string): readonly string[] {
  return pattern.includes('*') ? [pattern] : [pattern, `**/${pattern}`, `**/${pattern}/**`]
}

function tooMany(most: number): ToolError {
  return new ToolError(`More than ${most} entries. Exclude some, or ask for a part of the tree.`)
}
