/** The scopes to choose from. */
export interface ScopeSources {
  /** Asked for before, when more is needed now. */
  readonly earlier?: readonly string[] | undefined
  /** By the user. */
  readonly configured?: readonly string[] | undefined
  /** `scope` of the challenge. */
  readonly challenged?: readonly string[] | undefined
  /** `scopes_supported` of the server. */
  readonly supported?: readonly string[] | undefined
}

/** The scopes to ask for: what the challenge wants, else all the server lists, and never less than before. */
export function chooseScopes({
  earlier = [],
  configured,
  challenged,
  supported,
}: ScopeSources): readonly string[] {
  const wanted = configured
    ? [...configured, ...(challenged ?? [])]
    : (challenged ?? supported ?? [])
  return [...new Set([...earlier, ...wanted])]
}

/** Adds the scope that stands for refresh tokens, if the issuer lists it. */
export function withOfflineAccess(
  scopes: readonly string[],
  listed: readonly string[] | undefined,
  preference: 'auto' | 'never' = 'auto',
): readonly string[] {
  const isListed = preference === 'auto' && listed?.includes('offline_access')
  return isListed && !scopes.includes('offline_access') ? [...scopes, 'offline_access'] : scopes
}

/** A list from the text on the wire, where blanks separate. */
export function splitScopes(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined
  const scopes = text.split(' ').filter((scope) => scope !== '')
  return scopes.length === 0 ? undefined : scopes
}

/** Whether the first list has all of the second. */
export function hasScopes(owned: readonly string[], needed: readonly string[]): boolean {
  return needed.every((scope) => owned.includes(scope))
}
