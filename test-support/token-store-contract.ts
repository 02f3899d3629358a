import type { StoreKey, TokenStore } from '@parley/auth/client'
import { describe, expect, test } from 'vitest'

const key: StoreKey = {
  kind: 'grant',
  issuer: 'https://as.example',
  resource: 'https://h.example/mcp',
}

/** What every store promises. */
export function describeTokenStore(name: string, open: () => Promise<TokenStore>): void {
  describe(`${name} keeps grants`, () => {
    test('by all parts of their key', async () => {
      const store = await open()
      const keys: readonly StoreKey[] = [
        key,
        { ...key, account: 'ann' },
        { ...key, resource: 'https://h.example/other' },
        { ...key, issuer: 'https://as.example/' },
        { kind: 'registration', issuer: 'https://as.example' },
        { ...key, kind: 'sign-in' },
      ]
      for (const [index, one] of keys.entries()) {
        await store.set(one, { version: `v${index}`, value: `value ${index}` })
      }

      const found = await Promise.all(keys.map((one) => store.get(one)))

      expect(found).toEqual(
        keys.map((_, index) => ({ version: `v${index}`, value: `value ${index}` })),
      )
      expect(await store.get({ ...key, account: 'bob' })).toBeUndefined()
    })

    test('and changes them only if nobody else did', async () => {
      const store = await open()
      const versions: string[] = []
      expect(await store.set(key, { version: '1', value: 'a' }, 'missing')).toBe(false)
      expect(await store.set(key, { version: '1', value: 'a' })).toBe(true)
      expect(await store.set(key, { version: '2', value: 'b' }, '1')).toBe(true)
      expect(await store.set(key, { version: '3', value: 'c' }, '1')).toBe(false)
      versions.push((await store.get(key))?.version ?? '')
      expect(await store.delete(key, '1')).toBe(false)
      expect(await store.delete(key, '2')).toBe(true)
      expect(await store.delete(key)).toBe(false)

      expect(versions).toEqual(['2'])
      expect(await store.get(key)).toBeUndefined()
    })

    test('of many who change it at once, one wins', async () => {
      const store = await open()
      await store.set(key, { version: '0', value: 'start' })

      const wins = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          store.set(key, { version: `v${index}`, value: 'x' }, '0'),
        ),
      )

      expect(wins.filter(Boolean)).toHaveLength(1)
    })

    test('and lets one work at a time, in spite of failures', async () => {
      const store = await open()
      let inside = 0
      let most = 0
      const work = (fails: boolean) => () =>
        store
          .withLock(
            key,
            async () => {
              inside += 1
              most = Math.max(most, inside)
              await new Promise((resolve) => setTimeout(resolve, 5))
              inside -= 1
              if (fails) throw new Error('work failed')
              return 'done'
            },
            { timeoutMs: 10_000 },
          )
          .catch((error: Error) => error.message)

      const results = await Promise.all([true, false, true, false].map((fails) => work(fails)()))

      expect(results).toEqual(['work failed', 'done', 'work failed', 'done'])
      expect(most).toBe(1)
    })

    test('and does not let anybody wait for ever', async () => {
      const store = await open()
      let release = () => {}
      const left = new Promise<void>((resolve) => (release = resolve))
      let held: Promise<void> | undefined
      await new Promise<void>((entered) => {
        const work = (): Promise<void> => {
          entered()
          return left
        }
        held = store.withLock(key, work, { timeoutMs: 30_000 })
      })

      await expect(store.withLock(key, async () => 1, { timeoutMs: 50 })).rejects.toMatchObject({
        code: 'store_failed',
      })
      await expect(store.withLock(key, async () => 1, { timeoutMs: 0 })).rejects.toMatchObject({
        code: 'store_failed',
      })
      const other = { ...key, account: 'ann' }
      await expect(store.withLock(other, async () => 0, { timeoutMs: 0 })).resolves.toBe(0)
      await expect(store.withLock(other, async () => 2, { timeoutMs: 30_000 })).resolves.toBe(2)
      release()
      await held
      await expect(store.withLock(key, async () => 3, { timeoutMs: 30_000 })).resolves.toBe(3)
    })
  })
}
