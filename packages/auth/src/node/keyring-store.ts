import { randomBytes } from 'node:crypto'

import { errorMessage } from '@parley/mcp/json'

import type { TokenStore } from '../client/grants/token-store.ts'
import { warnOnce } from '../shared/warn.ts'
import { createFileStore, defaultDirectory, createFileTokenStore } from './file-store.ts'
import { openPrivateFiles } from './private-files.ts'

/** The part of `@napi-rs/keyring` that is used. */
interface Keyring {
  readonly Entry: new (service: string, account: string) => KeyringEntry
}

interface KeyringEntry {
  /** Null if there is none. */
  getPassword(): string | null
  setPassword(password: string): void
}

/**
 * The system's keyring; falls back to `createFileTokenStore` and says so. Needs `@napi-rs/keyring`. The keyring holds the key and
 * files hold the grants: keyrings limit the size of what they keep, and none has a lock.
 */
export async function createKeyringTokenStore(): Promise<TokenStore> {
  return openKeyringStore(loadKeyring, defaultDirectory())
}

/** The same with another keyring and folder. */
export async function openKeyringStore(
  load: () => Promise<unknown>,
  directory: string,
): Promise<TokenStore> {
  const folder = `${directory}/keyring`
  let key: Buffer
  try {
    const { Entry } = (await load()) as Keyring // what is not one fails just below
    key = await keyIn(new Entry('parley', 'token store key'), folder)
  } catch (error) {
    warnOnce(
      `no system keyring is available (${reasonOf(error)}); tokens are kept in files instead`,
    )
    return createFileTokenStore({ directory })
  }
  return createFileStore(folder, async () => key)
}

/** Written where there surely is none, by one process at a time: another key would make all sign-ins unreadable. */
async function keyIn(entry: KeyringEntry, folder: string): Promise<Buffer> {
  const there = readKey(entry)
  if (there !== undefined) return there
  const files = await openPrivateFiles(folder)
  return files.withLock(
    'keyring.lock',
    async () => {
      const written = readKey(entry)
      if (written !== undefined) return written
      entry.setPassword(randomBytes(32).toString('base64'))
      const storedKey = readKey(entry)
      if (storedKey === undefined) throw new Error('it does not keep what is stored in it')
      return storedKey
    },
    30_000,
  )
}

/** Undefined if there is none. A keyring that is locked, or that somebody may not look into, throws. */
function readKey(entry: KeyringEntry): Buffer | undefined {
  let password: string | null
  try {
    password = entry.getPassword()
  } catch (error) {
    if (/no (?:matching )?entry/i.test(reasonOf(error))) return undefined // how some say it
    throw error
  }
  if (password === null) return undefined
  const key = Buffer.from(password, 'base64')
  if (key.length !== 32) throw new Error('its entry is not a key of this store')
  return key
}

function loadKeyring(): Promise<unknown> {
  const name = '@napi-rs/keyring' // an optional peer: not to be resolved when this is compiled
  return import(name)
}

function reasonOf(error: unknown): string {
  const [line = ''] = errorMessage(error).split('\n')
  return line.slice(0, 120)
}
