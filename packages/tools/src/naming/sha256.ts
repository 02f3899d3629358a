/**
 * SHA-256 of a text, as hexadecimal digits. Its own, because Web Crypto answers later and `node:crypto` is not everywhere;
 * for names, not for secrets.
 */
export function sha256(text: string): string {
  const words = pad(new TextEncoder().encode(text))
  const state = Uint32Array.from(initialState)
  const schedule = new Uint32Array(64)
  for (let start = 0; start < words.length; start += 16) {
    schedule.set(words.subarray(start, start + 16))
    for (let at = 16; at < 64; at++) {
      const before = schedule[at - 15] ?? 0
      const recent = schedule[at - 2] ?? 0
      const low = rotate(before, 7) ^ rotate(before, 18) ^ (before >>> 3)
      const high = rotate(recent, 17) ^ rotate(recent, 19) ^ (recent >>> 10)
      schedule[at] = (schedule[at - 16] ?? 0) + low + (schedule[at - 7] ?? 0) + high
    }
    compress(state, schedule)
  }
  return [...state].map((word) => word.toString(16).padStart(8, '0')).join('')
}

function compress(state: Uint32Array, schedule: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let at = 0; at < 64; at++) {
    const mixed = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const choice = (e & f) ^ (~e & g)
    const first = (h + mixed + choice + (roundConstants[at] ?? 0) + (schedule[at] ?? 0)) | 0
    const second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0]
  }
  for (const [at, value] of [a, b, c, d, e, f, g, h].entries()) {
    state[at] = (state[at] ?? 0) + value
  }
}

/** Whole blocks of 16 words: the bytes, one bit, zeros, and the length in bits. */
function pad(bytes: Uint8Array): Uint32Array {
  const words = new Uint32Array((((bytes.length + 8) >>> 6) + 1) * 16)
  const shifted = (at: number, byte: number) =>
    (byte << (24 - (at % 4) * 8)) | (words[at >> 2] ?? 0)
  for (const [at, byte] of bytes.entries()) words[at >> 2] = shifted(at, byte)
  words[bytes.length >> 2] = shifted(bytes.length, 0x80)
  words[words.length - 2] = Math.floor(bytes.length / 2 ** 29)
  words[words.length - 1] = bytes.length << 3
  return words
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}

const primes = firstPrimes(64)
const roundConstants = Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime)))
const initialState = Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))

/** The first 32 bits behind the point. */
function fraction(value: number): number {
  return Math.floor((value - Math.floor(value)) * 2 ** 32)
}

function firstPrimes(count: number): number[] {
  const found: number[] = []
  for (let candidate = 2; found.length < count; candidate++) {
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate)
  }
  return found
}
