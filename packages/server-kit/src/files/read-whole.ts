import { isUtf8 } from 'node:buffer'
import type { FileHandle } from 'node:fs/promises'

import { ToolError } from '@parley/mcp'

/** How much may be read, and what a model is told when that is not enough. */
export interface ReadOptions {
  /** As the caller calls it, for messages. */
  readonly path: string
  /** A longer file is refused. */
  readonly maxBytes: number
  /** What to do about a file that is too large. */
  readonly ifLarge?: string | undefined
  /** What to do about a file that is no text. */
  readonly ifBinary?: string | undefined
}

/** All bytes of a file, unless there are too many. */
export async function readBytes(handle: FileHandle, options: ReadOptions): Promise<Buffer> {
  const { size } = await handle.stat()
  requireCapacity(size, options)
  // Some files say nothing of their size, or grow while they are read: no more than allowed is held.
  const chunks: Buffer[] = []
  let total = 0
  for (;;) {
    const chunk = Buffer.allocUnsafe(Math.min(Math.max(size - total + 1, 4_096), 1024 * 1024))
    const { bytesRead } = await handle.read(chunk) // a directory says so here
    if (bytesRead === 0) return Buffer.concat(chunks)
    chunks.push(chunk.subarray(0, bytesRead))
    total += bytesRead
    requireCapacity(total, options)
  }
}

/** The text of a whole file, as UTF-8. What is not text is refused, and so is what is too large. */
export async function readText(handle: FileHandle, options: ReadOptions): Promise<string> {
  const bytes = await readBytes(handle, options)
  requireText(bytes, options)
  return bytes.toString('utf8')
}

/** The same, for text that is written back: a file that is not UTF-8 would lose what it has, so it is refused. */
export async function readExactText(handle: FileHandle, options: ReadOptions): Promise<string> {
  const bytes = await readBytes(handle, options)
  requireText(bytes, options)
  if (isUtf8(bytes)) return bytes.toString('utf8')
  throw new ToolError(
    `${options.path} is not valid UTF-8, so it was not changed: its other bytes would be lost.`,
  )
}

/** Whether bytes look like text: no text has a NUL in it, but nearly everything else does early on. */
export function isText(bytes: Uint8Array): boolean {
  return !bytes.subarray(0, 8_192).includes(0)
}

/** Throws if the bytes at the beginning of a file are no text. */
export function requireText(bytes: Uint8Array, { path, ifBinary }: ReadOptions): void {
  if (!isText(bytes)) throw new ToolError(sentences(`Not a text file: ${path}.`, ifBinary))
}

function requireCapacity(size: number, { path, maxBytes, ifLarge }: ReadOptions): void {
  if (size <= maxBytes) return
  const what = `File too large to read as a whole: ${path} has ${size} bytes, the limit is ${maxBytes}.`
  throw new ToolError(sentences(what, ifLarge))
}

function sentences(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(' ')
}
