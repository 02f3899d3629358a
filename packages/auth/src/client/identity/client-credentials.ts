import type { ClientAuth } from '@parley/mcp/client'

import { AuthError } from '../../shared/auth-error.ts'
import type { PrivateJwk, TokenOptions } from '../options.ts'
import { silentAuth } from '../sign-in/silent.ts'
import { findIdentity } from './choose-identity.ts'

/** An id with its secret or its key, as registered by hand. */
export type ClientCredentialsOptions = TokenOptions & { readonly clientId: string } & (
    | { readonly clientSecret: string; readonly key?: undefined }
    | { readonly key: PrivateJwk; readonly clientSecret?: undefined }
  )

/** A program on its own behalf. */
export function clientCredentials(options: ClientCredentialsOptions): ClientAuth {
  return silentAuth({
    options,
    async identify({ target, store }) {
      const identity = await findIdentity(target.issuer, options, store, target.resource)
      if (identity !== undefined && (identity.secret ?? identity.key) !== undefined) return identity
      throw new AuthError(
        'client_id_needed',
        `no key and no secret is set for ${target.issuer.id}`,
        {
          step: 'token',
          issuer: target.issuer.id,
        },
      )
    },
    present: async () => ({ kind: 'other', grantType: 'client_credentials', parameters: {} }),
  })
}
