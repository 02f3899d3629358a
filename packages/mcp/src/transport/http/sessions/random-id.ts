const idBytes = 32
/** Asking the system costs more than all else about an id, so it is asked for many at once. */
const pool = new Uint8Array(idBytes * 64)
let used = pool.length

const digits = Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0))
/** Characters of the id that is being made. */
const codes: number[] = Array.from({ length: 2 * idBytes }, () => 0)

/** 256 bits from a secure source, in visible ASCII. */
export function randomId(): string {
  if (used === pool.length) {
    globalThis.crypto.getRandomValues(pool)
    used = 0
  }
  for (let index = 0; index < codes.length; index += 2) {
    const byte = pool[used] ?? 0
    codes[index] = digits[byte >> 4] ?? 0
    codes[index + 1] = digits[byte & 15] ?? 0
    pool[used++] = 0 // given out once, and not kept
  }
  return String.fromCharCode(...codes)
}
