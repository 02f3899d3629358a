import type { ClientAuth } from '@parley/mcp/client'

import { AuthError } from '../shared/auth-error.ts'

/** A token you already have; asked for again after a 401. */
export function bearer(token: string | (() => string | Promise<string>)): ClientAuth {
  const read = typeof token === 'string' ? () => token : token

  async function header(): Promise<string> {
    const value = await read()
    // What could end the header, or start another one, never gets there; the value itself is not told to anybody.
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
