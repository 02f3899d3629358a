import { parseJsonObject } from '@parley/mcp/json'

import { type JsonObject } from '../../shared/json-document.ts'
import type { StoreKey, TokenStore } from './token-store.ts'

/** The key that seals what is in the hands of others; one for each store. */
const keyName: StoreKey = { kind: 'sign-in', issuer: '' }
const algorithm = 'AES-GCM'

/** Text that only who has the store can read, and nobody can change. */
export async function encryptState(value: object, store: TokenStore): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const plain = new TextEncoder().encode(JSON.stringify(value))
  const closed = await crypto.subtle.encrypt({ name: algorithm, iv }, await keyOf(store), plain)
  return `${toBase64(iv)}.${toBase64(new Uint8Array(closed))}`
}

/** Decrypts a text; `undefined` if this store did not encrypt it, or if it was changed. */
export async function decryptState(
  text: string,
  store: TokenStore,
): Promise<JsonObject | undefined> {
  const [iv, closed] = text.split('.').map(fromBase64)
  if (iv?.length !== 12 || closed === undefined) return undefined
  try {
    const key = await keyOf(store)
    const plain = await crypto.subtle.decrypt({ name: algorithm, iv }, key, closed)
    return parseJsonObject(new TextDecoder().decode(plain))
  } catch {
    return undefined // changed, or sealed by somebody else
  }
}

async function keyOf(store: TokenStore) {
  const bytes = await store.withLock(
    keyName,
    async () => {
      const stored = await store.get(keyName)
      if (stored !== undefined) return fromBase64(stored.value)
      const fresh = crypto.getRandomValues(new Uint8Array(32))
      await store.set(keyName, { version: crypto.randomUUID(), value: toBase64(fresh) })
      return fresh
    },
    { timeoutMs: 10_000 },
  )
  return crypto.subtle.importKey('raw', bytes, algorithm, false, ['encrypt', 'decrypt'])
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return new Uint8Array() // not Base64, so nothing of ours
  }
}
