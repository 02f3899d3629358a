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
