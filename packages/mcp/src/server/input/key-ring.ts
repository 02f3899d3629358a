import { fromBase64Url, toBase64Url } from '../../schema/base64.ts'

/**
 * Encrypts text that a client keeps for us, so that it can neither read nor change it. `bound` is not part of the text, and
 * must be the same when it is opened. The first secret seals, all of them open, so that secrets can be rotated.
 */
export interface KeyRing {
  encrypt(text: string, exposed: string): Promise<string>
  /**
   * Undefined for text that was not sealed with these secrets, was bound to something else, or was changed. All of these
   * take the same steps, so that the time it takes does not tell which.
   */
  open(encrypted: string, exposed: string): Promise<string | undefined>
  /** Tells whether a text names a key of today's secrets. Says nothing of a text that was changed. */
  current(): Promise<(encrypted: string) => boolean>
}

/** The secrets that keys are made from; a function is called again each time, since secrets may be replaced while we run. */
export type Secrets = readonly string[] | (() => readonly string[])

interface Key {
  readonly id: string
  readonly key: Awaited<ReturnType<typeof crypto.subtle.deriveKey>>
}

/**
 * What is sealed for one purpose is nothing for another. Without secrets a random one is used: then only this process can
 * open what it sealed.
 */
export function createKeyRing(secrets: Secrets = [], purpose = 'request state'): KeyRing {
  let used: string | undefined
  let keys: Promise<readonly Key[]> | undefined

  /** When first needed: most servers seal nothing, and loading cryptography takes as long as answering many calls. */
  function load(): Promise<readonly Key[]> {
    const current = typeof secrets === 'function' ? secrets() : secrets
    const name = JSON.stringify(current)
    if (keys !== undefined && name === used) return keys
    used = name
    const derived = current.length > 0 ? current : [toBase64Url(randomBytes(32))]
    keys = Promise.all(derived.map((secret) => deriveKey(secret, purpose)))
    return keys
  }

  return {
    async encrypt(text, exposed) {
      const [first] = await load()
      if (first === undefined) throw new TypeError('a key ring has at least one key')
      const iv = randomBytes(ivBytes)
      const algorithm = { name: 'AES-GCM', iv, additionalData: encode(exposed) }
      const encrypted = await crypto.subtle.encrypt(algorithm, first.key, encode(text))
      return `${format}.${first.id}.${toBase64Url(join(iv, new Uint8Array(encrypted)))}`
    },

    async open(encrypted, exposed) {
      const [version, id, body = '', ...more] = encrypted.split('.')
      const all = await load()
      const existing = all.find((each) => each.id === id)
      const isOurs = existing !== undefined && version === format && more.length === 0
      const decoded = fromBase64Url(body)
      const bytes = decoded && decoded.length >= noBytes.length ? decoded : noBytes
      const iv = bytes.slice(0, ivBytes)
      const algorithm = { name: 'AES-GCM', iv, additionalData: encode(exposed) }
      const key = existing ?? all[0]
      try {
        if (key === undefined) return undefined
        const text = await crypto.subtle.decrypt(algorithm, key.key, bytes.slice(ivBytes))
        return isOurs ? new TextDecoder().decode(text) : undefined
      } catch {
        return undefined // changed, bound to something else, or sealed by others
      }
    },

    async current() {
      const ids = new Set((await load()).map(({ id }) => id))
      return (encrypted) => ids.has(encrypted.split('.', 2)[1] ?? '')
    },
  }
}

/** The version of the format. */
const format = 'v1'
/** The size that AES-GCM recommends; random ones are safe for some billions of texts with one key. */
const ivBytes = 12
/** The shortest that can be opened; tried in place of what cannot be. */
const noBytes = new Uint8Array(ivBytes + 16)

async function deriveKey(secret: string, purpose: string): Promise<Key> {
  const material = await crypto.subtle.importKey('raw', encode(secret), 'HKDF', false, [
    'deriveKey',
    'deriveBits',
  ])
  const salt = new Uint8Array(32)
  const [key, id] = await Promise.all([
    crypto.subtle.deriveKey(
      { name: 'HKDF', hash: 'SHA-256', salt, info: encode(`parley ${purpose}`) },
      material,
      { name: 'AES-GCM', length: 256 },
      false,
      ['encrypt', 'decrypt'],
    ),
    crypto.subtle.deriveBits(
      { name: 'HKDF', hash: 'SHA-256', salt, info: encode('parley key id') },
      material,
      48,
    ),
  ])
  return { id: toBase64Url(new Uint8Array(id)), key }
}

function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(length))
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}
