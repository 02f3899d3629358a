import { ToolError } from '@parley/mcp'
import { anySignal } from '@parley/mcp/signals'
import { readExactText } from '@parley/server-kit/files'
import type { PathJail } from '@parley/server-kit/paths'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { asText } from '../as-text.ts'
import { describeLargeChange } from '../diff.ts'
import { withPlainLineEnds } from '../edits.ts'
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
  async ({ path, edits, dryRun }, { jail, settings, inTurn, runTask, context }) => {
    const { path: real } = await jail.resolve(path)
    return inTurn(real, async () => {
      const original = await readAll(jail, path, settings.maxReadBytes)
      const before = withPlainLineEnds(original)
      const after = await within(context.signal, (signal) =>
        runTask('edit', { text: before, edits }, signal),
      )
      if (!dryRun && after !== before) await jail.writeFile(path, withLineEndsOf(original, after))
      const describe = (signal: AbortSignal) =>
        runTask('describe', { path: real, before, after }, signal)
      return within(context.signal, describe).catch((error: unknown) => {
        if (context.signal.aborted) throw error
        return describeLargeChange(real) // the file is as it was wanted; only telling took too much
      })
    })
  },
)

const maxMs = 10_000

/** Work that has a few seconds. */
async function within<Value>(
  input: AbortSignal,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const late = AbortSignal.timeout(maxMs)
  try {
    return await work(anySignal(input, late))
  } catch (error) {
    input.throwIfAborted()
    if (!late.aborted) throw error
    const message = `The edits take longer than ${maxMs / 1_000} s. Make fewer, or smaller ones.`
    throw new ToolError(message, { cause: error })
  }
}

async function readAll(jail: PathJail, path: string, maxBytes: number): Promise<string> {
  await using handle = await jail.open(path)
  return await readExactText(handle, asText(path, maxBytes))
}

/** A file that ends all its lines as Windows does keeps doing so. */
function withLineEndsOf(original: string, text: string): string {
  const hasOthers = /(?<!\r)\n/.test(original)
  return original.includes('\r\n') && !hasOthers ? text.replaceAll('\n', '\r\n') : text
}
