import { randomBytes } from 'node:crypto'

import { isJsonObject } from '@parley/mcp/json'
import { exportJWK, generateKeyPair, type JWK } from 'jose'

import type { AuthServerStore } from '../stores/memory-store.ts'

/** Keys of the moment. */
export interface KeySet {
  /** Private; the first one signs, the others are only published. */
  readonly signing: readonly JWK[]
  /** Signs cookies and forms. */
  readonly secret: string
  /** When another set is due. */
  readonly until: number
}

interface DatedKey {
  readonly jwk: JWK
  /** From then on it signs, until the next one does. */
  readonly from: number
}

/** Published so long before it signs, and after: everybody has fetched the keys again by then. */
const overlapMs = 86_400_000

/** Reads the keys, and adds the next one in time: published, then signing, then retired. */
export async function rotateKeys(
  store: AuthServerStore,
  { now, lifeMs }: { readonly now: number; readonly lifeMs: number },
): Promise<KeySet> {
  const stored = readKeys(await store.get('Keys', 'signing'))
  const keys = [...stored]
  if (keys.length === 0) keys.push(await createKey(now))
  const overlap = Math.min(overlapMs, lifeMs / 2)
  for (let newest = keys.at(-1); newest !== undefined && now >= newest.from + lifeMs - overlap;) {
    newest = await createKey(Math.max(newest.from + lifeMs, now + overlap))
    keys.push(newest)
  }
  const current = keys.findLastIndex(({ from }) => from <= now)
  // A key is let go of when what it signed last has long run out.
  const remaining = keys.filter((_, index) => isNeeded(index))
  if (
    remaining.length !== stored.length ||
    remaining.some(({ jwk }, at) => jwk.kid !== stored[at]?.jwk.kid)
  ) {
    await store.set('Keys', 'signing', remaining, Infinity)
  }

  const active = keys[current] ?? keys[0]
  const others = remaining.filter((key) => key !== active)
  const changes = remaining.flatMap(({ from }) => [from, from + overlap, from + lifeMs - overlap])
  return {
    signing: [...(active ? [active.jwk] : []), ...others.map(({ jwk }) => jwk)],
    secret: await readSecret(store),
    until: Math.min(...changes.filter((at) => at > now)),
  }

  function isNeeded(index: number): boolean {
    const successor = keys[index + 1]
    return successor === undefined || now < successor.from + overlap
  }
}

async function createKey(from: number): Promise<DatedKey> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = await exportJWK(privateKey)
  return { from, jwk: { ...jwk, kid: crypto.randomUUID(), alg: 'ES256', use: 'sig' } }
}

function readKeys(value: unknown): readonly DatedKey[] {
  if (!Array.isArray(value)) return []
  return value.filter((candidate): candidate is DatedKey => {
    return (
      isJsonObject(candidate) &&
      typeof candidate['from'] === 'number' &&
      isJsonObject(candidate['jwk'])
    )
  })
}

async function readSecret(store: AuthServerStore): Promise<string> {
  const stored = await store.get('Keys', 'secret')
  if (typeof stored === 'string') return stored
  const secret = randomBytes(32).toString('base64url')
  await store.set('Keys', 'secret', secret, Infinity)
  return secret
}
