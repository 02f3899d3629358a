import { readExactText } from '@parley/server-kit/files'
import type { PathJail } from '@parley/server-kit/paths'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { asText } from '../as-text.ts'
import { describeChange } from '../diff.ts'
import { applyEdits, withPlainLineEnds } from '../edits.ts'
import { fileTool, pathInput } from '../file-tool.ts'

export const editFile = fileTool(
  'edit_file',
  {
    title: 'Edit File',
    description:
      'Replaces parts of a text file, one edit after the other, and shows what changed. oldText is found exactly, or as whole lines that differ in indentation only. Only in allowed directories.',
    inputSchema: z.object({
      path: pathInput,
      edits: z
        .array(
          z.object({
            oldText: z.string().describe('What to replace; its first occurrence counts'),
            newText: z.string().describe('What to put there'),
          }),
        )
        .describe('Made one after the other, each on what the one before has left'),
      dryRun: z.boolean().default(false).describe('Only show what would change'),
    }),
    annotations: toolHints('destroys'),
  },
  async ({ path, edits, dryRun }, { jail, settings, inTurn }) => {
    const { path: real } = await jail.resolve(path)
    return inTurn(real, async () => {
      const original = await readAll(jail, path, settings.maxReadBytes)
      const before = withPlainLineEnds(original)
      const after = applyEdits(before, edits)
      if (!dryRun && after !== before) await jail.writeFile(path, withLineEndsOf(original, after))
      return describeChange(real, before, after)
    })
  },
)

async function readAll(jail: PathJail, path: string, maxBytes: number): Promise<string> {
  await using handle = await jail.open(path)
  return await readExactText(handle, asText(path, maxBytes))
}

/** A file that ends all its lines as Windows does keeps doing so. */
function withLineEndsOf(original: string, text: string): string {
  const hasOthers = /(?<!\r)\n/.test(original)
  return original.includes('\r\n') && !hasOthers ? text.replaceAll('\n', '\r\n') : text
}
