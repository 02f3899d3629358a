import { createHash, randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { createMemoryTokenStore, type TokenStore } from '@parley/auth/client'
import { createFileTokenStore } from '@parley/auth/node'
import type { SecretStore } from '@parley/foundation/secrets'

/** The tokens of one server. */
export interface ServerTokens {
  readonly store: TokenStore
  /** Signs out: there are none any more. */
  forget(): Promise<void>
}

const passphraseName = 'inspector-tokens'

/**
 * Tokens are kept in files that a secret of the secret store encrypts. Where that store holds nothing beyond this process,
 * neither do we: people sign in again after a restart.
 */
export async function tokenStores(
  secrets: SecretStore,
  stateDirectory: string,
): Promise<(name: string, url: string) => ServerTokens> {
  const passphrase = secrets.kind === 'memory' ? undefined : await readPassphrase(secrets)
  const opened = new Map<string, ServerTokens>()

  return (name, url) => {
    const text = JSON.stringify([name, url])
    const store = opened.get(text)
    if (store !== undefined) return store
    const id = createHash('sha256').update(text).digest('hex').slice(0, 32)
    const directory = join(stateDirectory, 'auth', id)
    const tokens: ServerTokens = {
      store:
        passphrase === undefined
          ? createMemoryTokenStore()
          : createFileTokenStore({ directory, passphrase }),
      async forget() {
        opened.delete(text)
        await rm(directory, { recursive: true, force: true })
      },
    }
    opened.set(text, tokens)
    return tokens
  }
}

async function readPassphrase(secrets: SecretStore): Promise<string> {
  const passphrase = await secrets.get(passphraseName)
  if (passphrase !== undefined) return passphrase
  const made = randomBytes(32).toString('base64url')
  await secrets.set(passphraseName, made)
  return made
}
