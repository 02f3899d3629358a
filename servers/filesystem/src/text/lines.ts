import type { FileHandle } from 'node:fs/promises'

/** Longer ones are cut, so that no file makes us hold more than this of a line. */
export const longestLine = 64 * 1024

/** The lines of a file, a chunk at a time. */
export async function* readLines(
  handle: FileHandle,
  { encoding = 'utf-8', signal }: { readonly encoding?: string; readonly signal: AbortSignal },
): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder(encoding)
  const buffer = Buffer.allocUnsafe(256 * 1024)
  let rest = ''
  let position = 0
  for (let isDone = false; !isDone;) {
    signal.throwIfAborted()
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position)
    position += bytesRead
    isDone = bytesRead === 0
    const text = decoder.decode(buffer.subarray(0, bytesRead), { stream: !isDone })
    const lines: string[] = `${rest}${text}`.split('\n')
    rest = (lines.pop() ?? '').slice(0, longestLine) // what comes behind would be cut off all the same
    if (lines.length > 0) yield lines.map(plain)
  }
  if (rest !== '') yield [plain(rest)]
}

function plain(line: string): string {
  return (line.endsWith('\r') ? line.slice(0, -1) : line).slice(0, longestLine)
}
