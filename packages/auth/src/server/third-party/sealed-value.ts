import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

import { parseJsonObject, type JsonObject } from '../../shared/json.ts'

const algorithm = 'aes-256-gcm'

/** Text that is of no use to who reads the store but has not the server's secret. `about` must be the same again. */
export function sealValue(value: object, secret: string, about: string): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv(algorithm, keyFrom(secret), iv).setAAD(Buffer.from(about))
  const closed = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), closed]).toString('base64url')
}

/** Undefined if it was changed, moved, or sealed by somebody else. */
export function unsealValue(text: string, secret: string, about: string): JsonObject | undefined {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length < 28) return undefined
  try {
    const decipher = createDecipheriv(algorithm, keyFrom(secret), bytes.subarray(0, 12), {
      authTagLength: 16,
    })
    decipher.setAuthTag(bytes.subarray(12, 28)).setAAD(Buffer.from(about))
    const plain = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()])
    return parseJsonObject(plain.toString('utf8'))
  } catch {
    return undefined
  }
}

function keyFrom(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'what third parties gave us', 32))
}
