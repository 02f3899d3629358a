/** A server's claims about a tool, as rules call them. */
export interface ToolClaims {
  /** It changes nothing. */
  readonly readOnly: boolean
  /** It may destroy something. */
  readonly destructive: boolean
  /** Calling it twice is the same as once. */
  readonly idempotent: boolean
  /** It reaches beyond the server. */
  readonly openWorld: boolean
}

/** The claims in the annotations of a tool, with the defaults of the specification. Anything but a boolean counts as absent. */
export function toolClaims(annotations: { readonly [name: string]: unknown } = {}): ToolClaims {
  const claim = (name: string, usual: boolean): boolean => {
    const value = Object.hasOwn(annotations, name) ? annotations[name] : undefined
    return typeof value === 'boolean' ? value : usual
  }
  const readOnly = claim('readOnlyHint', false)
  return {
    readOnly,
    destructive: claim('destructiveHint', !readOnly),
    idempotent: claim('idempotentHint', false),
    openWorld: claim('openWorldHint', true),
  }
}
