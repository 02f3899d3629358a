import * as v from 'valibot'

/** A key as the file keeps it: everything but the key. */
export interface StoredKey {
  /** Part of the key, and no secret. */
  readonly id: string
  /** The owner. Several keys may have the same owner. */
  readonly name: string
  /** The scopes of the owner. */
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
  const file = v.safeParse(keysFile, value)
  if (!file.success) {
    throw new Error(`${path} is not a file of API keys: make one with parley gateway keys create`)
  }
  return new Map(file.output.keys.map((key) => [key.id, key]))
}

/** A date that cannot be read would make a key that never ends. */
const date = v.pipe(
  v.string(),
  v.check((text) => !Number.isNaN(Date.parse(text))),
)

const keysFile = v.looseObject({
  version: v.literal(1),
  keys: v.array(
    v.looseObject({
      id: v.string(),
      name: v.string(),
      scopes: v.array(v.string()),
      created: v.string(),
      expires: v.optional(date),
      revoked: v.optional(date),
      hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
    }),
  ),
})

export function writeKeys(keys: StoredKeys): string {
  return `${JSON.stringify({ version: 1, keys: [...keys.values()] }, undefined, 2)}\n`
}
