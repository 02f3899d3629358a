interface BufferLike {
  from(
    bytes: ArrayBufferLike,
    offset: number,
    length: number,
  ): { toString(encoding: 'base64'): string }
}

/** Standard base64, by the fastest means the runtime has. */
export function encodeBase64(bytes: Uint8Array): string {
  const buffer = (globalThis as { Buffer?: BufferLike }).Buffer // absent outside Node, Bun and Deno
  if (buffer)
    return buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
  const chunks: string[] = []
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    chunks.push(String.fromCharCode(...bytes.subarray(start, start + chunkBytes)))
  }
  return btoa(chunks.join(''))
}

/** `String.fromCharCode` takes its bytes as arguments, which are limited in number. */
const chunkBytes = 8192
