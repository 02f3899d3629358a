import type { StoreKey, TokenStore } from '@parley/auth/client'

import { keyringPassphrase } from './keyring.ts'
import { stateFolder } from './state-folder.ts'

/** Keeps secrets by name. */
export interface SecretStore {
  /** Where they are kept: the keychain, files encrypted by a passphrase, files beside their key, or memory. */
  readonly kind: SecretStoreKind
  /** The secret; undefined if there is none of this name. */
  get(name: string): Promise<string | undefined>
  /** Keeps a secret, in place of an earlier one of this name. */
  set(name: string, value: string): Promise<void>
  /** False if there was none. */
  delete(name: string): Promise<boolean>
  /** The names of all secrets. */
  names(): Promise<readonly string[]>
  /** All values, for masking. */
  values(): Promise<readonly string[]>
}

/** Where secrets are: `keychain` and `passphrase` are encrypted files, `unprotected` ones anybody with your rights can read. */
export type SecretStoreKind = 'keychain' | 'passphrase' | 'unprotected' | 'memory'

/** Which places may be used. */
export interface SecretStoreOptions {
  /** @defaultValue a folder of yours, by the custom of the platform */
  readonly directory?: string | undefined
  /** Environment variables. @defaultValue process.env */
  readonly env?: { readonly [name: string]: string | undefined } | undefined
  /** Encrypts the files where there is no keychain. @defaultValue the variable MCP_SECRET_KEY */
  readonly passphrase?: string | undefined
  /** Files with their key beside them, if nothing better is there: only when the user said so. @defaultValue false */
  readonly allowUnprotected?: boolean | undefined
  /** @defaultValue the package `@napi-rs/keyring`, if it is installed */
  readonly loadKeyring?: (() => Promise<unknown>) | undefined
}

/** The best place there is: keychain, encrypted file, unprotected file if allowed, memory. */
export async function openSecretStore(options: SecretStoreOptions = {}): Promise<SecretStore> {
  const { env = process.env, allowUnprotected = false } = options
  const { directory = `${stateFolder({ env })}/secrets`, passphrase = env['MCP_SECRET_KEY'] } =
    options
  const fromKeyring = await keyringPassphrase(options.loadKeyring)
  // Loaded when a secret is needed: masking and the like, which most programs want of this folder, need none of it.
  const [{ createFileTokenStore }, { createMemoryTokenStore }] = await Promise.all([
    import('@parley/auth/node'),
    import('@parley/auth/client'),
  ])
  if (fromKeyring !== undefined) {
    return secretsIn(
      'keychain',
      createFileTokenStore({ directory: `${directory}/keychain`, passphrase: fromKeyring }),
    )
  }
  if (passphrase) return secretsIn('passphrase', createFileTokenStore({ directory, passphrase }))
  if (allowUnprotected) {
    return secretsIn('unprotected', createFileTokenStore({ directory: `${directory}/unprotected` }))
  }
  return secretsIn('memory', createMemoryTokenStore())
}

/** The names are a secret like the others: a store cannot be asked what it holds. */
function secretsIn(kind: SecretStoreKind, store: TokenStore): SecretStore {
  async function readNames(): Promise<readonly string[]> {
    const stored = await store.get(keyOf(''))
    return stored === undefined ? [] : (JSON.parse(stored.value) as readonly string[]) // only we write it
  }

  async function changeNames(change: (names: Set<string>) => void): Promise<void> {
    await store.withLock(
      keyOf(''),
      async () => {
        const names = new Set(await readNames())
        change(names)
        await put('', JSON.stringify([...names]))
      },
      { timeoutMs: 10_000 },
    )
  }

  function put(name: string, value: string): Promise<boolean> {
    return store.set(keyOf(name), { version: crypto.randomUUID(), value })
  }

  const secrets: SecretStore = {
    kind,
    get: async (name) => (await store.get(keyOf(name)))?.value,
    async set(name, value) {
      await put(name, value)
      await changeNames((names) => names.add(name))
    },
    async delete(name) {
      const isClosed = await store.delete(keyOf(name))
      await changeNames((names) => names.delete(name))
      return isClosed
    },
    async names() {
      return (await readNames()).toSorted()
    },
    async values() {
      const found = await Promise.all((await readNames()).map((name) => secrets.get(name)))
      return found.filter((value) => value !== undefined)
    },
  }
  return secrets
}

/** A place of our own among the grants such a store is made for. */
function keyOf(name: string): StoreKey {
  return { kind: 'registration', issuer: 'parley:secret', resource: name }
}
