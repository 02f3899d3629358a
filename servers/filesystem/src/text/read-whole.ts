import type { FileHandle } from 'node:fs/promises'

import { ToolError } from '@parley/mcp'

/** All bytes of a file, unless there are too many. */
export async function readBytes(
  handle: FileHandle,
  path: string,
  maxBytes: number,
  cure: string,
): Promise<Buffer> {
  const { size } = await handle.stat()
  if (size > maxBytes) throw tooLarge(path, size, maxBytes, cure)
  // Some files say nothing of their size, or grow while they are read: no more than allowed is held.
  const chunks: Buffer[] = []
  let total = 0
  for (;;) {
    const chunk = Buffer.allocUnsafe(Math.min(Math.max(size - total + 1, 4_096), 1024 * 1024))
    const { bytesRead } = await handle.read(chunk) // a directory says so here
    if (bytesRead === 0) return Buffer.concat(chunks)
    chunks.push(chunk.subarray(0, bytesRead))
    total += bytesRead
    if (total > maxBytes) throw tooLarge(path, total, maxBytes, cure)
  }
}

/** The text of a whole file. What is not text is refused, and so is what is too large. */
export async function readText(
  handle: FileHandle,
  path: string,
  maxBytes: number,
): Promise<string> {
  const cure = 'Use head or tail to read a part of it.'
  const bytes = await readBytes(handle, path, maxBytes, cure)
  refuseBinary(bytes, path)
  return bytes.toString('utf8')
}

/** No text has a NUL in it, but nearly everything else does early on. */
export function refuseBinary(bytes: Uint8Array, path: string): void {
  if (!bytes.subarray(0, 8_192).includes(0)) return
  throw new ToolError(`Not a text file: ${path}. Use read_media_file to get its bytes.`)
}

function tooLarge(path: string, size: number, maxBytes: number, cure: string): ToolError {
  return new ToolError(
    `File too large to read as a whole: ${path} has ${size} bytes, the limit is ${maxBytes}. ${cure}`,
  )
}
