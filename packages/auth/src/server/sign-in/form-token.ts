import { createHmac, timingSafeEqual } from 'node:crypto'

/** Proves that a form came from our page of this very sign-in. */
export function formToken(secret: string, interaction: string): string {
  return createHmac('sha256', secret).update(`form\n${interaction}`).digest('base64url')
}

export function isFormToken(token: string | null, expected: string): boolean {
  const [first, second] = [Buffer.from(token ?? ''), Buffer.from(expected)]
  return first.length === second.length && timingSafeEqual(first, second)
}

/** Whether a browser says that another site made it send this. */
export function isForeign(headers: Headers, origin: string): boolean {
  const from = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  if (from !== null && from !== origin) return true
  return site !== null && site !== 'same-origin' && site !== 'none'
}
