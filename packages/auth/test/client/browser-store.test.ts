import { createBrowserTokenStore, type WebStorage } from '@parley/auth/client'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'

import { describeTokenStore } from '../../../../test-support/token-store-contract.ts'

/** As `sessionStorage` is, where there is none. */
function createStorage(): WebStorage & { readonly items: Map<string, string> } {
  const items = new Map<string, string>()
  return {
    items,
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
    removeItem: (name) => void items.delete(name),
  }
}

/** As `navigator.locks` is, which Node has from 24 on. */
function createLocks() {
  const running = new Map<string, Promise<unknown>>()
  return {
    async request(
      name: string,
      { signal, ifAvailable }: { signal?: AbortSignal; ifAvailable?: boolean },
      work: (lock: object | null) => Promise<unknown>,
    ): Promise<unknown> {
      if (ifAvailable && running.has(name)) return work(null)
      for (let before = running.get(name); before !== undefined; before = running.get(name)) {
        const aborted = new Promise<never>((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
        })
        await Promise.race([before, aborted])
      }
      const run = (async () => work({}))()
      const done = run
        .then(
          () => undefined,
          () => undefined,
        )
        .then(() => void running.delete(name))
      running.set(name, done)
      return run
    },
  }
}

describe('where it has none', () => {
  beforeAll(() => vi.stubGlobal('navigator', {}))
  afterAll(() => void vi.unstubAllGlobals())

  describeTokenStore('a browser', async () => createBrowserTokenStore({ storage: createStorage() }))
})

describe('where the browser has locks', () => {
  beforeAll(() => vi.stubGlobal('navigator', { locks: createLocks() }))
  afterAll(() => void vi.unstubAllGlobals())

  describeTokenStore('a browser', async () =>
    createBrowserTokenStore({ storage: createStorage(), prefix: crypto.randomUUID() }),
  )
})

test('two stores with one storage, as of two tabs, see the same; another prefix sees nothing', async () => {
  const storage = createStorage()
  const key = { kind: 'grant', issuer: 'https://as.example' } as const
  await createBrowserTokenStore({ storage }).set(key, { version: '1', value: 'a' })

  expect(await createBrowserTokenStore({ storage }).get(key)).toEqual({ version: '1', value: 'a' })
  expect(await createBrowserTokenStore({ storage, prefix: 'other' }).get(key)).toBeUndefined()
})

test('what is not ours in the storage is nothing', async () => {
  const storage = createStorage()
  const store = createBrowserTokenStore({ storage })
  const key = { kind: 'grant', issuer: 'https://as.example' } as const
  await store.set(key, { version: '1', value: 'a' })

  for (const text of ['', 'not json', '[]', '{"version":1,"value":"a"}']) {
    for (const name of storage.items.keys()) storage.items.set(name, text)
    expect(await store.get(key)).toBeUndefined()
  }
})

test('a storage that takes nothing is told as such', async () => {
  const storage = createStorage()
  vi.spyOn(storage, 'setItem').mockImplementation(() => {
    throw new Error('quota')
  })

  const set = createBrowserTokenStore({ storage }).set(
    { kind: 'server', issuer: '' },
    { version: '1', value: '' },
  )

  await expect(set).rejects.toMatchObject({ code: 'store_failed' })
})

test('without a browser it says what to pass', () => {
  vi.stubGlobal('sessionStorage', undefined)
  onTestFinished(() => void vi.unstubAllGlobals())

  expect(() => createBrowserTokenStore()).toThrow('pass storage where there is no sessionStorage')
})
