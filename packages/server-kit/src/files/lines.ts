import type { FileHandle } from 'node:fs/promises'

/** How lines are read. */
export interface ReadLinesOptions {
  /** A label of the Encoding Standard. @defaultValue 'utf-8' */
  readonly encoding?: string | undefined
  /** Stops reading. */
  readonly signal?: AbortSignal | undefined
  /** In characters. Longer ones are cut, so that no file makes us hold more of a line. @defaultValue 65_536 */
  readonly maxLineLength?: number | undefined
}

/** The lines of a file of any size, a chunk of them at a time, without their ends. */
export async function* readLines(
  handle: FileHandle,
  { encoding = 'utf-8', signal, maxLineLength = 64 * 1024 }: ReadLinesOptions = {},
): AsyncGenerator<readonly string[]> {
  const plain = (line: string) =>
    (line.endsWith('\r') ? line.slice(0, -1) : line).slice(0, maxLineLength)
  const decoder = new TextDecoder(encoding)
  const buffer = Buffer.allocUnsafe(256 * 1024)
  let rest = ''
  let position = 0
  for (let isDone = false; !isDone;) {
    signal?.throwIfAborted()
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position)
    position += bytesRead
    isDone = bytesRead === 0
    const text = decoder.decode(buffer.subarray(0, bytesRead), { stream: !isDone })
    if (!text.includes('\n')) {
      if (rest.length <= maxLineLength) rest += text // else it would be cut off all the same
      continue
    }
    const lines: string[] = `${rest}${text}`.split('\n')
    rest = lines.pop() ?? ''
    yield lines.map(plain)
  }
  if (rest !== '') yield [plain(rest)]
}
