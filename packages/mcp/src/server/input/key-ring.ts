import { fromBase64Url, toBase64Url } from '../../schema/json/base64url.ts'

/**
 * Encrypts text that a client keeps for us, so that it can neither read nor change it. `bound` is not part of the text, and
 * must be the same when it is opened. The first secret seals, all of them open, so that secrets can be rotated.
 */
export interface KeyRing {
  seal(text: string, bound: string): Promise<string>
  /** Undefined for text that was not sealed with these secrets, was bound to something else, or was changed. */
  open(sealed: string, bound: string): Promise<string | undefined>
}

interface Key {
  readonly id: string
  readonly key: Awaited<ReturnType<typeof crypto.subtle.deriveKey>>
}

/** Without secrets a random one is used: then only this process can open what it sealed. */
export function createKeyRing(secrets: readonly string[] = []): KeyRing {
  let keys: Promise<readonly Key[]> | undefined

  function usedSecrets(): readonly string[] {
    return secrets.length > 0 ? secrets : [toBase64Url(randomBytes(32))]
  }

  /** When first needed: most servers seal nothing, and loading cryptography takes as long as answering many calls. */
  function load(): Promise<readonly Key[]> {
    keys ??= Promise.all(usedSecrets().map(deriveKey))
    return keys
  }

  return {
    async seal(text, bound) {
      const [first] = await load()
      if (first === undefined) throw new TypeError('a key ring has at least one key')
      const iv = randomBytes(ivBytes)
      const algorithm = { name: 'AES-GCM', iv, additionalData: encode(bound) }
      const sealed = await crypto.subtle.encrypt(algorithm, first.key, encode(text))
      return `${format}.${first.id}.${toBase64Url(join(iv, new Uint8Array(sealed)))}`
    },

    async open(sealed, bound) {
      const [version, id, body, ...more] = sealed.split('.')
      if (version !== format || body === undefined || more.length > 0) return undefined
      const key = (await load()).find((known) => known.id === id)
      const bytes = fromBase64Url(body)
      if (key === undefined || bytes === undefined || bytes.length < ivBytes) return undefined
      const iv = bytes.slice(0, ivBytes)
      const algorithm = { name: 'AES-GCM', iv, additionalData: encode(bound) }
      try {
        const text = await crypto.subtle.decrypt(algorithm, key.key, bytes.slice(ivBytes))
        return new TextDecoder().decode(text)
      } catch {
        return undefined // changed, or bound to something else
      }
    },
  }
}

/** The version of the format. */
const format = 'v1'
/** As AES-GCM recommends; random ones are safe for some billions of texts with one key. */
const ivBytes = 12

async function deriveKey(secret: string): Promise<Key> {
  const material = await crypto.subtle.importKey('raw', encode(secret), 'HKDF', false, [
    'deriveKey',
    'deriveBits',
  ])
  const salt = new Uint8Array(32)
  const [key, id] = await Promise.all([
    crypto.subtle.deriveKey(
      { name: 'HKDF', hash: 'SHA-256', salt, info: encode('parley request state') },
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
