import type { TokenStore } from '@parley/auth/client'
import { createMemoryClusterStore } from '@parley/cluster'
import { expect, test } from 'vitest'

import { describeTokenStore } from '../../../test-support/token-store-contract.ts'
import { createStoredGrants } from '../src/cluster/stored-grants.ts'

const secret = 'the first secret of this cluster, long enough'
const key = {
  kind: 'grant',
  issuer: 'https://id.example',
  resource: 'https://notes.example',
} as const
const grant = { version: '1', value: 'refresh-token-of-ada' }

describeTokenStore('cluster', async () =>
  createStoredGrants(createMemoryClusterStore(), () => [secret]),
)

test('a store sees no token', async () => {
  const store = createMemoryClusterStore()
  const written: string[] = []
  const records = {
    ...store.records,
    put(...args: Parameters<typeof store.records.put>) {
      written.push(JSON.stringify(args))
      return store.records.put(...args)
    },
  }

  await createStoredGrants({ records }, () => [secret]).set(key, grant)

  expect(written).toHaveLength(1)
  expect(written[0]).not.toContain('ada')
})

test('grants outlive a new secret, and end with the old one', async () => {
  const store = createMemoryClusterStore()
  const newer = 'the second secret of this cluster, long enough'
  const withSecrets = (...secrets: string[]): TokenStore => createStoredGrants(store, () => secrets)
  await withSecrets(secret).set(key, grant)

  expect(await withSecrets(newer, secret).get(key)).toEqual(grant)
  expect(await withSecrets(newer).get(key)).toBeUndefined()
})

test('two processes refresh one after the other', async () => {
  const store = createMemoryClusterStore()
  const [a, b] = [
    createStoredGrants(store, () => [secret]),
    createStoredGrants(store, () => [secret]),
  ]
  const steps: string[] = []
  let finish = (): void => undefined
  const first = a.withLock(
    key,
    async () => {
      steps.push('a begins')
      await new Promise<void>((resolve) => (finish = resolve))
      steps.push('a ends')
    },
    { timeoutMs: 30_000 },
  )
  await expect.poll(() => steps).toEqual(['a begins'])
  const second = b.withLock(key, async () => void steps.push('b'), { timeoutMs: 30_000 })
  finish()
  await Promise.all([first, second])

  expect(steps).toEqual(['a begins', 'a ends', 'b'])
})

test('who waits too long for a lock is told', async () => {
  const store = createMemoryClusterStore()
  const grants = createStoredGrants(store, () => [secret])
  let finish = (): void => undefined
  const first = grants.withLock(key, () => new Promise<void>((resolve) => (finish = resolve)), {
    timeoutMs: 30_000,
  })

  await expect(grants.withLock(key, async () => 1, { timeoutMs: 20 })).rejects.toThrow(
    'another process has held the lock for 20 ms',
  )
  finish()
  await first
})
