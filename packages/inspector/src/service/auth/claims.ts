/** What a token says about itself, where it is one that can be read; the token itself is not in it. */
export function claimsOf(token: string): { readonly [name: string]: unknown } | undefined {
  const [, payload] = token.split('.')
  if (payload === undefined || token.split('.').length !== 3) return undefined
  try {
    const value: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** A token of the usual form that nobody has signed. */
export function forgeToken(claims: { readonly [name: string]: unknown }): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signature = Buffer.from(crypto.getRandomValues(new Uint8Array(64))).toString('base64url')
  return `${part({ alg: 'ES256', typ: 'at+jwt' })}.${part(claims)}.${signature}`
}
