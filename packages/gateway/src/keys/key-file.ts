import { isJsonObject } from '@parley/mcp/json'

/** A key as the file keeps it: everything but the key. */
export interface StoredKey {
  /** Part of the key, and no secret. */
  readonly id: string
  /** Whose it is. Several keys may have the same holder. */
  readonly name: string
  /** What the holder may do. */
  readonly scopes: readonly string[]
  /** ISO dates. */
  readonly created: string
  /** When it ends, as an ISO date; absent if it does not. */
  readonly expires?: string | undefined
  /** When it was revoked, as an ISO date; absent if it was not. */
  readonly revoked?: string | undefined
  /** SHA-256 of the whole key, in hexadecimal. */
  readonly hash: string
}

export type StoredKeys = ReadonlyMap<string, StoredKey>

/** Throws with what is wrong: a file that cannot be read must not look like one without keys. */
export function readKeys(text: string | undefined, path: string): StoredKeys {
  if (text === undefined) return new Map()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error(`${path} is not JSON: restore it, or make new keys in another file`)
  }
  const keys = isJsonObject(value) && value['version'] === 1 ? value['keys'] : undefined
  if (!Array.isArray(keys) || !(keys as readonly unknown[]).every(isStoredKey)) {
    throw new Error(`${path} is no file of API keys: make one by parley gateway keys create`)
  }
  return new Map((keys as readonly StoredKey[]).map((key) => [key.id, key])) // each was looked at
}

export function writeKeys(keys: StoredKeys): string {
  return `${JSON.stringify({ version: 1, keys: [...keys.values()] }, undefined, 2)}\n`
}

function isStoredKey(value: unknown): value is StoredKey {
  if (!isJsonObject(value)) return false
  const { id, name, scopes, created, expires, revoked, hash } = value
  return (
    [id, name, created].every((each) => typeof each === 'string') &&
    [expires, revoked].every((each) => each === undefined || isDate(each)) &&
    Array.isArray(scopes) &&
    scopes.every((scope: unknown) => typeof scope === 'string') &&
    typeof hash === 'string' &&
    /^[0-9a-f]{64}$/.test(hash)
  )
}

/** A date that nobody can read would make a key that never ends. */
function isDate(value: unknown): boolean {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value))
}
