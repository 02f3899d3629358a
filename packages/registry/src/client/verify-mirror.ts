import type { RegistryClient } from './registry-client.ts'
import { documentHash, findIndexProblem, isIndex, type SignedIndex } from './signed-index.ts'

/** What a copy of a registry has that its index does not say. */
export interface MirrorVerification {
  /** Why the index itself is not believed; then nothing was compared. */
  readonly fault?: string
  /** Which key signed the index. */
  readonly keyId?: string
  /** When the index was made, as an ISO date. */
  readonly at?: string
  /** The number of the last change in it. */
  readonly sequence?: number
  /** Versions that were compared. */
  readonly compared: number
  /** Whose document is another one, `name@version`. */
  readonly changed: readonly string[]
  /** Which the index does not have. */
  readonly unknown: readonly string[]
  /** Which the index says are deleted, and the copy still lists. */
  readonly restored: readonly string[]
  /** How many the copy does not list; a mirror of a part has some. */
  readonly missing: number
}

/** How many of each kind are named. */
const maxNamed = 100

/** Compares all versions that a registry lists with an index that was signed with this key. */
export async function verifyMirror(
  mirror: Pick<RegistryClient, 'list'>,
  index: unknown,
  publicKey: string,
): Promise<MirrorVerification> {
  const none = { compared: 0, changed: [], unknown: [], restored: [], missing: 0 }
  const problem = findIndexProblem(index, publicKey)
  if (problem !== undefined || !isIndex(index))
    return { fault: problem ?? 'it is not an index', ...none }
  const { keyId, at, sequence } = index
  const servers = byKey(index)
  const listed = [...servers.values()].filter(({ status }) => status !== 'deleted').length
  const found = { changed: [] as string[], unknown: [] as string[], restored: [] as string[] }
  const add = (list: string[], key: string) => {
    if (list.length < maxNamed) list.push(key)
  }
  const seen = new Set<string>()
  for await (const { server } of mirror.list()) {
    const key = `${server.name}@${server.version}`
    if (seen.has(key)) continue
    seen.add(key)
    const entry = servers.get(key)
    if (entry === undefined) add(found.unknown, key)
    else if (entry.hash !== documentHash(server)) add(found.changed, key)
    else if (entry.status === 'deleted') add(found.restored, key)
  }
  const present = [...seen].filter((key) => (servers.get(key)?.status ?? 'deleted') !== 'deleted')
  return { keyId, at, sequence, compared: seen.size, ...found, missing: listed - present.length }
}

function byKey({ entries }: SignedIndex) {
  return new Map(
    entries.map(([name, version, status, hash]) => [`${name}@${version}`, { status, hash }]),
  )
}
