import { isJsonObject, parseJsonObject } from '@parley/mcp/json'

import type { StoreKey, TokenStore } from '../grants/token-store.ts'
import type { StartedSignIn } from './two-step.ts'

/** A sign-in that a page left for. */
export interface PendingPage {
  readonly signIn: StartedSignIn
  readonly server: string
  readonly returnTo: string
}

/** Sign-ins that pages left for and have not come back from, in the store. */
export interface PendingList {
  /** Takes the place of an earlier one for the same server. */
  add(pending: PendingPage): Promise<void>
  /** Once. */
  take(state: string): Promise<PendingPage | undefined>
}

const key: StoreKey = { kind: 'sign-in', issuer: '', resource: 'pages' }
const most = 20
const validMs = 600_000

export function createPendingList(store: TokenStore): PendingList {
  async function read(): Promise<readonly (PendingPage & { readonly until: number })[]> {
    const { pages } = parseJsonObject((await store.get(key))?.value ?? '') ?? {}
    return Array.isArray(pages)
      ? pages.filter((page) => isPending(page) && page.until > Date.now())
      : []
  }

  async function write(pages: readonly object[]): Promise<void> {
    await store.set(key, { version: crypto.randomUUID(), value: JSON.stringify({ pages }) })
  }

  return {
    add: (pending) =>
      store.withLock(
        key,
        async () => {
          const others = (await read()).filter(({ server }) => server !== pending.server)
          await write([...others, { ...pending, until: Date.now() + validMs }].slice(-most))
        },
        { timeoutMs: 10_000 },
      ),

    take: (state) =>
      store.withLock(
        key,
        async () => {
          const all = await read()
          const found = all.find(({ signIn }) => signIn.state === state)
          if (found !== undefined) await write(all.filter((candidate) => candidate !== found))
          return found
        },
        { timeoutMs: 10_000 },
      ),
  }
}

function isPending(value: unknown): value is PendingPage & { readonly until: number } {
  if (!isJsonObject(value) || !isJsonObject(value['signIn'])) return false
  const { signIn, server, returnTo, until } = value
  const texts = [server, returnTo, signIn['state'], signIn['encrypted'], signIn['authorizationUrl']]
  return typeof until === 'number' && texts.every((text) => typeof text === 'string')
}
