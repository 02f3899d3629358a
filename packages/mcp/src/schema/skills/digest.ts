/** SHA-256 of bytes as skills write it: `sha256:` and 64 hexadecimal digits. */
export async function digestOf(bytes: Uint8Array): Promise<string> {
  const hash = await globalThis.crypto.subtle.digest('SHA-256', bytes)
  const digits = Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0'))
  return `sha256:${digits.join('')}`
}
