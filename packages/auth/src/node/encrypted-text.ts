import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

import { parseJsonObject } from '@parley/mcp/json'

const algorithm = 'aes-256-gcm'

/** What a file holds: text encrypted by a key, good only under one name. */
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
export function decryptText(sealed: string, key: Buffer, name: string): string | undefined {
  const { format, iv, tag, data } = parseJsonObject(sealed) ?? {}
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
