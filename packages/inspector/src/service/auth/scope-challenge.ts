/** What a refusal says about scopes. */
export interface ScopeChallenge {
  /** Absent: the server does not name any. */
  readonly scopes?: readonly string[] | undefined
  readonly isInsufficientScope: boolean
  readonly hasMetadata: boolean
}

/** Reads a `WWW-Authenticate` header as far as scopes are concerned. */
export function readScopeChallenge(header = ''): ScopeChallenge {
  const [, scope] = /\bscope="([^"]*)"/i.exec(header) ?? []
  return {
    isInsufficientScope: /\berror="?insufficient_scope"?/i.test(header),
    hasMetadata: /\bresource_metadata="/i.test(header),
    ...(scope && { scopes: scope.split(' ').filter((one) => one !== '') }),
  }
}
