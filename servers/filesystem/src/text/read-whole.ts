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
  const bytes = await handle.readFile() // a directory says so here
  if (bytes.length > maxBytes) throw tooLarge(path, bytes.length, maxBytes, cure) // it grew, or says nothing of its size
  return bytes
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
