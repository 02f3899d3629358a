import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

import { parseJsonObject } from '@parley/mcp/json'

import {
  storeKeyText,
  type StoredGrant,
  type StoreKey,
  type TokenStore,
} from '../client/grants/token-store.ts'
import { warnOnce } from '../shared/warn.ts'
import {
  decryptText,
  encryptText,
  keyFile,
  passphraseKey,
  type KeySource,
} from './encrypted-text.ts'
import { openPrivateFiles, type PrivateFiles } from './private-files.ts'

/** Where the files are, and what encrypts them. */
export interface FileTokenStoreOptions {
  /** @defaultValue a folder of yours, by the custom of the platform */
  readonly directory?: string | undefined
  /** Encrypts the files. @defaultValue a key in a file beside them, with a warning */
  readonly passphrase?: string | undefined
}

/** Encrypted files, 0600, locked across processes. */
export function createFileTokenStore(options: FileTokenStoreOptions = {}): TokenStore {
  const { directory = defaultDirectory(), passphrase } = options
  return createFileStore(directory, passphrase === undefined ? keyFile : passphraseKey(passphrase))
}

/** The same with a key from elsewhere. */
export function createFileStore(directory: string, source: KeySource): TokenStore {
  let opened: Promise<{ readonly files: PrivateFiles; readonly key: Buffer }> | undefined

  function open() {
    opened ??= openPrivateFiles(directory).then(async (files) => ({
      files,
      key: await source(files),
    }))
    opened.catch(() => (opened = undefined)) // the next one may have more luck
    return opened
  }

  async function read(storeKey: StoreKey): Promise<StoredGrant | undefined> {
    const { files, key } = await open()
    const name = storeKeyText(storeKey)
    const encrypted = await files.read(fileName(name))
    if (encrypted === undefined) return undefined
    const { version, value } = parseJsonObject(decryptText(encrypted, key, name) ?? '') ?? {}
    if (typeof version === 'string' && typeof value === 'string') return { version, value }
    warnOnce(
      `${files.path(fileName(name))} was changed or is encrypted with another key; it is ignored`,
    )
    return undefined
  }

  /** Comparing and setting is one step for other processes; it takes a few milliseconds. */
  async function ifCurrent(
    storeKey: StoreKey,
    expectedVersion: string | undefined,
    change: (files: PrivateFiles, key: Buffer) => Promise<boolean>,
  ): Promise<boolean> {
    const { files, key } = await open()
    const lock = `${fileName(storeKeyText(storeKey))}.write`
    const work = async () => {
      if (expectedVersion === undefined) return change(files, key)
      return (await read(storeKey))?.version === expectedVersion && change(files, key)
    }
    return files.withLock(lock, work, 30_000)
  }

  return {
    get: read,

    set(storeKey, { version, value }, expectedVersion) {
      return ifCurrent(storeKey, expectedVersion, async (files, key) => {
        const name = storeKeyText(storeKey)
        await files.write(
          fileName(name),
          encryptText(JSON.stringify({ version, value }), key, name),
        )
        return true
      })
    },

    delete(storeKey, expectedVersion) {
      return ifCurrent(storeKey, expectedVersion, (files) =>
        files.remove(fileName(storeKeyText(storeKey))),
      )
    },

    async withLock(storeKey, work, limits) {
      const { files } = await open()
      return files.withLock(`${fileName(storeKeyText(storeKey))}.lock`, work, limits.timeoutMs)
    },
  }
}

/** Says nothing about the server, whose name may be private too. */
function fileName(name: string): string {
  return createHash('sha256').update(name).digest('hex')
}

/** Where programs keep such things on this platform. */
export function defaultDirectory(
  platform: NodeJS.Platform = process.platform,
  environment: NodeJS.ProcessEnv = process.env,
): string {
  const { LOCALAPPDATA, XDG_STATE_HOME } = environment
  const home = homedir()
  if (platform === 'win32') return join(LOCALAPPDATA ?? join(home, 'AppData/Local'), 'parley/auth')
  if (platform === 'darwin') return join(home, 'Library/Application Support/parley/auth')
  return join(XDG_STATE_HOME ?? join(home, '.local/state'), 'parley/auth')
}
