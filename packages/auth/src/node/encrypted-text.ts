import { createCipheriv, createDecipheriv, createHash, randomBytes, scrypt } from 'node:crypto'

import { parseJsonObject } from '@parley/mcp/json'

import { AuthError } from '../shared/auth-error.ts'
import { warnOnce } from '../shared/warn.ts'
import type { PrivateFiles } from './private-files.ts'

const algorithm = 'aes-256-gcm'

/** Encrypts the content of a file with a key, for one name only. */
export function encryptText(text: string, key: Buffer, name: string): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv(algorithm, key, iv)
  cipher.setAAD(Buffer.from(name))
  const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  const parts = { iv, tag: cipher.getAuthTag(), data }
  const encoded = Object.entries(parts).map(([part, bytes]) => [part, bytes.toString('base64')])
  return JSON.stringify({ format: 1, keyId: keyId(key), ...Object.fromEntries(encoded) })
}

/** The text, or `undefined` if it was changed, belongs to another name, or needs another key. Total. */
export function decryptText(encrypted: string, key: Buffer, name: string): string | undefined {
  const { format, iv, tag, data } = parseJsonObject(encrypted) ?? {}
  if (
    format !== 1 ||
    typeof iv !== 'string' ||
    typeof tag !== 'string' ||
    typeof data !== 'string'
  ) {
    return undefined
  }
  try {
    const mark = Buffer.from(tag, 'base64')
    const decipher = createDecipheriv(algorithm, key, Buffer.from(iv, 'base64'), {
      authTagLength: 16,
    })
    decipher.setAAD(Buffer.from(name))
    decipher.setAuthTag(mark)
    const plain = Buffer.concat([decipher.update(data, 'base64'), decipher.final()])
    return plain.toString('utf8')
  } catch {
    return undefined // not what was written
  }
}

/** Says which key a file needs without saying the key. */
function keyId(key: Buffer): string {
  return createHash('sha256').update('parley key id').update(key).digest('hex').slice(0, 16)
}

/** Where the key that encrypts the files is from. */
export type KeySource = (files: PrivateFiles) => Promise<Buffer>

/** From words a person knows; what they are salted with lies beside the files. */
export function passphraseKey(passphrase: string): KeySource {
  return async (files) => {
    const salt = Buffer.from(await readOrCreate(files, 'salt', 16), 'base64')
    return new Promise((resolve, reject) => {
      const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
      scrypt(passphrase, salt, 32, cost, (error, key) => (error ? reject(error) : resolve(key)))
    })
  }
}

/** From a file beside the others: it keeps out who can read a backup, not who can read this folder. */
export const keyFile: KeySource = async (files) => {
  warnOnce(
    `tokens in ${files.path('')} are encrypted with a key that is stored beside them; a keyring or a passphrase would be safer`,
  )
  return Buffer.from(await readOrCreate(files, 'key', 32), 'base64')
}

/** Two processes may be the first at once; the one that was later takes what the other wrote. */
async function readOrCreate(files: PrivateFiles, name: string, bytes: number): Promise<string> {
  const there = await files.read(name)
  if (there !== undefined && Buffer.from(there, 'base64').length === bytes) return there
  const temporary = `${name}.${crypto.randomUUID()}`
  await files.create(temporary, randomBytes(bytes).toString('base64'))
  await files.publish(temporary, name)
  const written = await files.read(name)
  if (written !== undefined && Buffer.from(written, 'base64').length === bytes) return written
  throw new AuthError('store_failed', `${files.path(name)} is not a key of this store`, {
    step: 'store',
  })
}
