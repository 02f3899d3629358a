import type { AuthInfo } from '@parley/mcp'

import type { FindProviderToken } from './upstream/provider-token.ts'

/** What became of a token: who it is of, or why it is not good. Told to the caller, so it says nothing of the token's content. */
export type Verification =
  | {
      readonly kind: 'valid'
      readonly auth: AuthInfo
      /** Of the issuer, if it signs people in with others. */
      readonly upstream?: FindProviderToken | undefined
    }
  | { readonly kind: 'invalid'; readonly why: string }

export function invalid(why: string): Verification {
  return { kind: 'invalid', why }
}
