import { createHash } from 'node:crypto'

/** SHA-256 in base64url, at once: a request waits for it every time. */
export function sha256(text: string): string | Promise<string> {
  return createHash('sha256').update(text).digest('base64url')
}
