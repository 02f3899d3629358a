/** RFC 6749, section 3.3. */
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/** Returns the scopes that a challenge or the metadata may name: those a client could request here. Others come from arguments, or are not ours. */
export function askable(scopes: readonly string[]): readonly string[] {
  return [...new Set(scopes)].filter(
    (scope) => scopeToken.test(scope) && scope !== 'offline_access',
  )
}

/** Refuses what a challenge could never name. */
export function requireAskable(scopes: readonly string[]): void {
  const [wrong] = scopes.filter((scope) => askable([scope]).length === 0)
  if (wrong === undefined) return
  throw new TypeError(
    wrong === 'offline_access'
      ? 'offline_access concerns only the client and its issuer: remove it from the scopes of the server'
      : `not a scope: ${JSON.stringify(wrong)}`,
  )
}

/** Adds what scopes imply, and what that implies. */
export function withImplied(
  scopes: Iterable<string>,
  implies: { readonly [scope: string]: readonly string[] },
): ReadonlySet<string> {
  const all = new Set<string>()
  const open = [...scopes]
  for (const scope of open) {
    if (all.has(scope)) continue
    all.add(scope)
    if (Object.hasOwn(implies, scope)) open.push(...(implies[scope] ?? []))
  }
  return all
}

/** Scopes as a claim has them: a list, or text with blanks. */
export function scopesOf(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return claim.split(' ').filter((scope) => scope !== '')
  return Array.isArray(claim) ? claim.filter((scope) => typeof scope === 'string') : []
}
