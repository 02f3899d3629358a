/** A body was longer than `readBounded` may read. */
export class BodyTooLong extends Error {
  override readonly name = 'BodyTooLong'
}

/** Reads a whole body and stops at the first byte past the limit, with `tooLong()` if that is given. */
export async function readBounded(
  { body }: Pick<Response, 'body'>,
  maxBytes: number,
  tooLong: () => Error = () => new BodyTooLong(`longer than ${maxBytes} bytes`),
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = body?.getReader()
  if (reader === undefined) return new Uint8Array()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return join(chunks, length)
    length += value.byteLength
    if (length > maxBytes) {
      await reader.cancel().catch(() => undefined) // the connection is given up either way
      throw tooLong()
    }
    chunks.push(value)
  }
}

function join(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.byteLength
  }
  return whole
}
