import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/**
 * What processes of one gateway say to each other, encrypted and authenticated with the secrets of the cluster. `bound` is
 * not part of it, and must be the same when it is opened: whom it is for, who sent it, and its place in the exchange.
 */
export interface ForwardCipher {
  encrypt(text: string, bound: string): Buffer
  /** Undefined for what was not sealed with one of the secrets, was changed, or was bound to something else. */
  open(encrypted: Buffer, bound: string): string | undefined
}

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16
/** Secrets are replaced now and then; nobody needs many. */
const maxKeys = 32

/** The first secret seals, all of them open. What is sealed for one `purpose` opens for no other. */
export function createForwardCipher(
  secrets: () => readonly string[],
  purpose: 'forward' | 'sign-in' = 'forward',
): ForwardCipher {
  const keys = new Map<string, Buffer>()

  function keyOf(secret: string): Buffer {
    const existing = keys.get(secret)
    if (existing) return existing
    if (keys.size >= maxKeys) keys.clear()
    const salt = Buffer.alloc(32)
    const key = Buffer.from(hkdfSync('sha256', secret, salt, `parley gateway ${purpose}`, 32))
    keys.set(secret, key)
    return key
  }

  return {
    encrypt(text, bound) {
      const [secret] = secrets()
      if (secret === undefined) throw new TypeError('there is no secret to seal with')
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv(algorithm, keyOf(secret), iv).setAAD(Buffer.from(bound))
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), encrypted])
    },

    open(encrypted, bound) {
      if (encrypted.length < ivBytes + tagBytes) return undefined
      for (const secret of secrets()) {
        const iv = encrypted.subarray(0, ivBytes)
        const decipher = createDecipheriv(algorithm, keyOf(secret), iv).setAAD(Buffer.from(bound))
        decipher.setAuthTag(encrypted.subarray(ivBytes, ivBytes + tagBytes))
        try {
          const text = decipher.update(encrypted.subarray(ivBytes + tagBytes))
          return Buffer.concat([text, decipher.final()]).toString()
        } catch {
          continue // sealed with another secret, or changed
        }
      }
      return undefined
    },
  }
}
