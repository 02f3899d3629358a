/** How many sessions, listeners or sockets there may be at once. */
export interface SessionCaps {
  readonly total: number
  /** Of one account that was verified. */
  readonly perPrincipal: number
  /** Of strangers at one address that is not of this machine. */
  readonly perAddress: number
}

/** What options say about it. */
export type SessionCapsOption =
  | number
  | { readonly total: number; readonly perPrincipal: number; readonly perAddress?: number }

/** With what is not said. */
export function resolveSessionCaps(option: SessionCapsOption = 10_000): SessionCaps {
  const said = typeof option === 'number' ? { total: option, perPrincipal: 100 } : option
  return { perAddress: Math.ceil(said.total / 10), ...said }
}
