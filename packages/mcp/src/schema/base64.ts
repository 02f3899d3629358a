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

/** Bytes as text that needs no escaping in a header, a URL or JSON. */
export function toBase64Url(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** Returns undefined when the text is not base64url, or another text has the same bytes: only one is right. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!whole.test(text)) return undefined
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

/** The last character of an incomplete group has bits that no byte uses, and these are zero. */
const whole = /^(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/
