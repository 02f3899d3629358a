/** Names of keys. All keys of one owner (a session, a group, a feed) are in one slot of a Redis Cluster. */
export interface RedisKeys {
  /** A key of the whole store. */
  shared(kind: string): string
  /** A key of one owner, or of something it owns. Different names never make the same key. */
  owned(kind: string, owner: string, name?: string): string
}

export function createRedisKeys(prefix: string): RedisKeys {
  if (/[{}]/.test(prefix) || prefix === '') {
    throw new Error(
      `prefix ${JSON.stringify(prefix)} is invalid: it must not be empty or contain braces`,
    )
  }
  return {
    shared: (kind) => `${prefix}${kind}`,
    // The text in braces decides on the slot. The length marks the end of the owner, whatever it contains.
    owned: (kind, owner, name = '') => `${prefix}${kind}:{${owner.length}:${owner}}${name}`,
  }
}
