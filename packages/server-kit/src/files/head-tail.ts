import type { FileHandle } from 'node:fs/promises'

import { ToolError } from '@parley/mcp'

import { requireText, type ReadOptions } from './read-whole.ts'

const chunkBytes = 64 * 1024
const newline = 0x0a

/** The first lines, reading no further than they reach. */
export async function readHead(
  handle: FileHandle,
  lines: number,
  options: ReadOptions,
): Promise<string> {
  const chunks: Buffer[] = []
  let missing = Math.ceil(lines)
  let size = 0
  while (missing > 0) {
    const chunk = await readAt(handle, size, chunkBytes)
    if (chunk.length === 0) break
    if (size === 0) requireText(chunk, options)
    const end = endOfLines(chunk, missing)
    missing -= end.found
    chunks.push(chunk.subarray(0, end.at))
    size += chunk.length
    requireCapacity(size, options)
  }
  return Buffer.concat(chunks).toString('utf8').replace(/\n$/, '')
}

/** The last lines, reading backwards no further than they reach. A newline at the end counts as an empty last line. */
export async function readTail(
  handle: FileHandle,
  lines: number,
  options: ReadOptions,
): Promise<string> {
  const { size } = await handle.stat()
  requireText(await readAt(handle, 0, 8_192), options)
  const chunks: Buffer[] = []
  let missing = Math.ceil(lines)
  let position = size
  while (position > 0 && missing > 0) {
    const start = Math.max(0, position - chunkBytes)
    const chunk = await readAt(handle, start, position - start)
    const from = startOfLines(chunk, missing)
    missing -= from.found
    chunks.push(chunk.subarray(missing > 0 ? 0 : from.at))
    position = start
    requireCapacity(size - position, options)
  }
  return Buffer.concat(chunks.toReversed()).toString('utf8').replaceAll('\r\n', '\n')
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}

/** Behind the `count`th newline, or the end. */
function endOfLines(chunk: Buffer, count: number): { readonly at: number; readonly found: number } {
  let [at, found] = [0, 0]
  while (found < count) {
    const next = chunk.indexOf(newline, at)
    if (next === -1) return { at: chunk.length, found }
    at = next + 1
    found += 1
  }
  return { at, found }
}

/** Behind the `count`th newline from the end, or the start. */
function startOfLines(
  chunk: Buffer,
  count: number,
): { readonly at: number; readonly found: number } {
  let [at, found] = [chunk.length, 0]
  while (found < count) {
    const next = at === 0 ? -1 : chunk.lastIndexOf(newline, at - 1)
    if (next === -1) return { at: 0, found }
    at = next
    found += 1
  }
  return { at: at + 1, found }
}

function requireCapacity(size: number, { path, maxBytes }: ReadOptions): void {
  if (size <= maxBytes) return
  throw new ToolError(`Those lines of ${path} are longer than ${maxBytes} bytes. Ask for fewer.`)
}
