import { createHash, timingSafeEqual } from 'node:crypto'

import type { StoreCluster } from '@parley/cluster'
import { RpcError, type OnError } from '@parley/mcp'
import { BoundedMap } from '@parley/mcp/internal'

import { createForwardCipher } from '../cluster/forward-seal.ts'

/**
 * What is remembered of sign-ins under way, for ten minutes: by this process, or by all processes of a gateway. Names are
 * digests of what a browser brings, so that nobody who reads the store can go on with a sign-in.
 */
export interface SignInState {
  get(kind: SignInRecord, name: string): Promise<unknown>
  set(kind: SignInRecord, name: string, value: unknown): Promise<void>
  /** False if there is one already: of many at the same time one hears true. */
  add(kind: SignInRecord, name: string, value: unknown): Promise<boolean>
  /** Returns the value and removes it: of many at the same time one gets it. */
  take(kind: SignInRecord, name: string): Promise<unknown>
  delete(kind: SignInRecord, name: string): Promise<void>
}

/** A link, the browser that opened it, how often it was tried, proofs and sign-ins under way, and the newest link of an account. */
export type SignInRecord = 'ticket' | 'browser' | 'try' | 'proof' | 'waiting' | 'newest'

/** How long a sign-in may take. */
export const signInMs = 600_000

/** Records of one kind that a process keeps. */
const maxRecords = 10_000

/** Remembers in this process. */
export function createLocalSignInState(): SignInState {
  const kinds = new Map<SignInRecord, BoundedMap<string, Kept>>()

  function recordsOf(kind: SignInRecord): BoundedMap<string, Kept> {
    const found = kinds.get(kind) ?? new BoundedMap<string, Kept>(maxRecords)
    kinds.set(kind, found)
    return found
  }

  function find(kind: SignInRecord, name: string): unknown {
    const found = recordsOf(kind).get(name)
    return found !== undefined && found.until > Date.now() ? found.value : undefined
  }

  function write(kind: SignInRecord, name: string, value: unknown): void {
    recordsOf(kind).set(name, { value, until: Date.now() + signInMs })
  }

  return {
    get: async (kind, name) => find(kind, name),
    set: async (kind, name, value) => write(kind, name, value),
    async add(kind, name, value) {
      if (find(kind, name) !== undefined) return false
      write(kind, name, value)
      return true
    },
    async take(kind, name) {
      const found = find(kind, name)
      recordsOf(kind).delete(name)
      return found
    },
    delete: async (kind, name) => void recordsOf(kind).delete(name),
  }
}

interface Kept {
  readonly value: unknown
  readonly until: number
}

/** Remembers in the store of the cluster, sealed with its secrets. Rejects with `overloaded` while it cannot be reached. */
export function createSharedSignInState(
  { values, secrets }: Pick<StoreCluster, 'values' | 'secrets'>,
  onError: OnError,
): SignInState {
  const seal = createForwardCipher(secrets, 'sign-in')

  async function reach<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    try {
      return await ask()
    } catch (error) {
      onError(error, { severity: 'error', operation: 'store' })
      throw new RpcError('overloaded', 'the store of the gateway cannot be reached: try again soon')
    }
  }

  const sealed = (kind: SignInRecord, name: string, value: unknown): string =>
    seal.encrypt(JSON.stringify(value), boundTo(kind, name)).toString('base64')

  async function get(kind: SignInRecord, name: string): Promise<unknown> {
    const found = await reach(() => values.get(storedAs(kind), name))
    if (typeof found !== 'string') return undefined
    const text = seal.open(Buffer.from(found, 'base64'), boundTo(kind, name))
    return text === undefined ? undefined : JSON.parse(text)
  }

  return {
    get,
    set: (kind, name, value) =>
      reach(() => values.set(storedAs(kind), name, sealed(kind, name, value), signInMs)),
    add: (kind, name, value) =>
      reach(() => values.add(storedAs(kind), name, sealed(kind, name, value), signInMs)),
    async take(kind, name) {
      const found = await get(kind, name)
      if (found === undefined) return undefined
      // The mark stays: what was removed and written again by somebody is not taken twice.
      const isFirst = await reach(() => values.add(`${storedAs(kind)}-taken`, name, 1, signInMs))
      if (!isFirst) return undefined
      await reach(() => values.delete(storedAs(kind), name))
      return found
    },
    delete: (kind, name) => reach(() => values.delete(storedAs(kind), name)),
  }
}

function storedAs(kind: SignInRecord): string {
  return `gateway-sign-in-${kind}`
}

/** A record opens under its own name alone. */
function boundTo(kind: SignInRecord, name: string): string {
  return `${kind} ${name}`
}

/** What a secret is remembered as. */
export function nameOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

/** Whether this is the secret that has that name. */
export function isNamed(secret: string | undefined, name: unknown): boolean {
  if (secret === undefined || typeof name !== 'string') return false
  const [given, wanted] = [Buffer.from(nameOf(secret)), Buffer.from(name)]
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
