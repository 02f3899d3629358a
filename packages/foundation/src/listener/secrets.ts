import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 bits that nobody can guess, fit for addresses, headers and subprotocols. */
export function createSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Whether two texts are the same, in a time that says nothing about where they differ. */
export function isSame(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
