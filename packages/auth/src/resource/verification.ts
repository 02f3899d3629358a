import type { AuthInfo } from '@parley/mcp'

/** What became of a token: who it is of, or why it is not good. Told to the caller, so it says nothing of the token's content. */
export type Verification =
  | { readonly kind: 'valid'; readonly auth: AuthInfo }
  | { readonly kind: 'invalid'; readonly why: string }

export function invalid(why: string): Verification {
  return { kind: 'invalid', why }
}
