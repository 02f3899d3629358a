import { randomBytes } from 'node:crypto'

import type { TokenStore } from '../client/token-store.ts'
import { warnOnce } from '../shared/warn.ts'
import { createFileStore, defaultDirectory, fileStore } from './file-store.ts'

/** The part of `@napi-rs/keyring` that is used. */
interface Keyring {
  readonly Entry: new (
    service: string,
    account: string,
  ) => { getPassword(): string | null; setPassword(password: string): void }
}

/**
 * The system's keyring; falls back to `fileStore` and says so. Needs `@napi-rs/keyring`. The keyring holds the key and
 * files hold the grants: keyrings limit the size of what they keep, and none has a lock.
 */
export async function keyringStore(): Promise<TokenStore> {
  return openKeyringStore(loadKeyring, defaultDirectory())
}

/** The same with another keyring and folder. */
export async function openKeyringStore(
  load: () => Promise<unknown>,
  directory: string,
): Promise<TokenStore> {
  let key: Buffer
  try {
    key = keyFrom((await load()) as Keyring) // what is not one fails just below
  } catch (error) {
    warnOnce(`no keyring can be used (${reasonOf(error)}); tokens are kept in files instead`)
    return fileStore({ directory })
  }
  return createFileStore(`${directory}/keyring`, async () => key)
}

function keyFrom({ Entry }: Keyring): Buffer {
  const entry = new Entry('parley', 'token store key')
  const there = readEntry(entry)
  if (there !== undefined) return there
  entry.setPassword(randomBytes(32).toString('base64'))
  const written = readEntry(entry) // what another process wrote meanwhile counts for both
  if (written === undefined) throw new Error('it does not keep what is written')
  return written
}

function readEntry(entry: { getPassword(): string | null }): Buffer | undefined {
  let password: string | null
  try {
    password = entry.getPassword()
  } catch {
    return undefined // some say by an error that there is none; writing tells the two apart
  }
  const key = Buffer.from(password ?? '', 'base64')
  return key.length === 32 ? key : undefined
}

function loadKeyring(): Promise<unknown> {
  const name = '@napi-rs/keyring' // an optional peer: not to be resolved when this is compiled
  return import(name)
}

function reasonOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  return line.slice(0, 120)
}
