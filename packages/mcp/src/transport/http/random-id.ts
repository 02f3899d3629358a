const idBytes = 32
/** Asking the system costs more than all else about an id, so it is asked for many at once. */
const pool = new Uint8Array(idBytes * 64)
let used = pool.length

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** 256 bits from a secure source, in visible ASCII. */
export function randomId(): string {
  if (used === pool.length) {
    globalThis.crypto.getRandomValues(pool)
    used = 0
  }
  let id = ''
  for (const end = used + idBytes; used < end; used++) {
    id += hex[pool[used] ?? 0]
    pool[used] = 0 // given out once, and not kept
  }
  return id
}
