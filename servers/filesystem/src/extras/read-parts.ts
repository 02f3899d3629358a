import { ToolError } from '@parley/mcp'
import { toolResult } from '@parley/mcp/server'
import { readLines } from '@parley/server-kit/files'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { pathInput, structuredFileTool } from '../file-tool.ts'

/** Of one line. */
const maxShown = 64 * 1024

const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'latin1'] as const

export const readLineRange = structuredFileTool(
  'read_lines',
  {
    title: 'Read Lines',
    description:
      'Some lines of a text file, with their numbers in front. Works for files of any size. Only files in allowed directories.',
    inputSchema: z.object({
      path: pathInput,
      start: z.int().min(1).default(1).describe('The first line, from 1'),
      count: z.int().min(1).max(5_000).default(200).describe('The maximum number of lines'),
      numbers: z.boolean().default(true).describe('Write line numbers in front'),
      encoding: z.enum(encodings).default('utf-8').describe('How the file was written'),
    }),
    annotations: toolHints('reads'),
  },
  z.object({ content: z.string(), start: z.number(), end: z.number(), hasMore: z.boolean() }),
  async ({ path, start, count, numbers, encoding }, { jail, settings, context }) => {
    await using handle = await jail.open(path)
    const found: string[] = []
    let [number, size, hasMore] = [0, 0, false]
    const options = { encoding, signal: context.signal, maxLineLength: maxShown + 1 }
    for await (const lines of readLines(handle, options)) {
      if (number === 0 && lines[0]?.includes('\0')) throw notText(path)
      for (const line of lines) {
        number += 1
        if (number < start) continue
        hasMore = found.length === count || size > settings.maxReadBytes
        if (hasMore) break
        found.push(`${numbers ? `${String(number).padStart(6)}\t` : ''}${shownPart(line)}`)
        size += line.length
      }
      if (hasMore) break
    }
    if (found.length === 0 && start > 1) {
      throw new ToolError(`${path} has only ${number} lines. Start at an earlier one.`)
    }
    const end = start + found.length - 1
    const content = found.join('\n')
    return toolResult({ structuredContent: { content, start, end, hasMore }, content: [content] })
  },
)

function shownPart(line: string): string {
  if (line.length <= maxShown) return line
  return `${line.slice(0, maxShown)}… [the line is longer than ${maxShown} characters; read_bytes gives the rest]`
}

function notText(path: string): ToolError {
  return new ToolError(`Not a text file: ${path}. Give its encoding, or use read_bytes.`)
}

export const readByteRange = structuredFileTool(
  'read_bytes',
  {
    title: 'Read Bytes',
    description:
      'Some bytes of a file. Works for files of any size and kind. Only files in allowed directories.',
    inputSchema: z.object({
      path: pathInput,
      offset: z.int().min(0).default(0).describe('The first byte, from 0'),
      length: z
        .int()
        .min(1)
        .max(1024 * 1024)
        .default(4_096)
        .describe('The maximum number of bytes'),
      encoding: z.enum(['base64', 'hex', 'latin1']).default('base64').describe('How to give them'),
    }),
    annotations: toolHints('reads'),
  },
  z.object({ data: z.string(), offset: z.number(), length: z.number(), size: z.number() }),
  async ({ path, offset, length, encoding }, { jail }) => {
    await using handle = await jail.open(path)
    const buffer = Buffer.alloc(length)
    const { bytesRead } = await handle.read(buffer, 0, length, offset)
    const { size } = await handle.stat()
    return {
      data: buffer.subarray(0, bytesRead).toString(encoding),
      offset,
      length: bytesRead,
      size,
    }
  },
)
