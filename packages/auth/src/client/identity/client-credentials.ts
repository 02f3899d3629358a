import type { ClientAuth } from '@parley/mcp/client'

import { AuthError } from '../../shared/auth-error.ts'
import type { PrivateJwk, TokenOptions } from '../options.ts'
import { silentAuth } from '../sign-in/silent.ts'
import { findIdentity } from './choose-identity.ts'

/** An id with its secret or its key, as registered by hand. */
export type ClientCredentialsAuthOptions = TokenOptions & {
  /** The id that was registered for this program. */
  readonly clientId: string
} & (
    | {
        /** The secret that belongs to the id. */
        readonly clientSecret: string
        /** Not together with a secret. */
        readonly key?: undefined
      }
    | {
        /** The private key that belongs to the id: signs for the program (`private_key_jwt`). */
        readonly key: PrivateJwk
        /** Not together with a key. */
        readonly clientSecret?: undefined
      }
  )

/** A program on its own behalf. */
export function clientCredentialsAuth(options: ClientCredentialsAuthOptions): ClientAuth {
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

/** A token you already have; asked for again after a 401. */
export function bearerAuth(token: string | (() => string | Promise<string>)): ClientAuth {
  const read = typeof token === 'string' ? () => token : token

  async function header(): Promise<string> {
    const value = await read()
    // Text that could end the header, or start another one, is rejected; the value itself is not reported to anybody.
    if (typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)) return `Bearer ${value}`
    throw new AuthError(
      'token_invalid',
      'the token given to bearer() is empty, or contains characters that no token may contain',
      {
        step: 'token',
      },
    )
  }

  return {
    partition: crypto.randomUUID(),
    authorize: async () => ({ authorization: await header() }),
    async challenged({ status, given }) {
      return status === 401 && (await header()) !== given['authorization']
    },
  }
}
