import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts what a store must not be able to read. `bound` is not part of the text and must be the same when it is opened. */
export interface EncryptedTexts {
  encrypt(text: string, bound: string): string
  /** Undefined for what was not sealed with one of these secrets, or was changed. */
  open(encrypted: string, bound: string): string | undefined
}

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16
const maxKeys = 32

/** The first secret seals, all of them open. `purpose` keeps texts apart that are sealed for different things. */
export function createEncryptedTexts(
  secrets: () => readonly string[],
  purpose: string,
): EncryptedTexts {
  const keys = new Map<string, Buffer>()

  function keyOf(secret: string): Buffer {
    const existing = keys.get(secret)
    if (existing) return existing
    if (keys.size >= maxKeys) keys.clear()
    const key = Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(32), `parley ${purpose}`, 32))
    keys.set(secret, key)
    return key
  }

  function openWith(key: Buffer, bytes: Buffer, bound: string): string | undefined {
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes))
    decipher.setAAD(Buffer.from(bound))
    decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
    try {
      const text = decipher.update(bytes.subarray(ivBytes + tagBytes))
      return Buffer.concat([text, decipher.final()]).toString()
    } catch {
      return undefined // sealed with another secret, or changed
    }
  }

  return {
    encrypt(text, bound) {
      const [secret] = secrets()
      if (secret === undefined) throw new TypeError('there is no secret to seal with')
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv(algorithm, keyOf(secret), iv)
      cipher.setAAD(Buffer.from(bound))
      const encrypted = Buffer.concat([cipher.update(text), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64')
    },

    open(encrypted, bound) {
      const bytes = Buffer.from(encrypted, 'base64')
      if (bytes.length < ivBytes + tagBytes) return undefined
      for (const secret of secrets()) {
        const text = openWith(keyOf(secret), bytes, bound)
        if (text !== undefined) return text
      }
      return undefined
    },
  }
}
