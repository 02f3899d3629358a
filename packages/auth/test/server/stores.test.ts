import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import {
  type AuthServerStore,
  createFileAuthServerStore,
  createMemoryAuthServerStore,
} from '@parley/auth/server'
import { describe, expect, onTestFinished, test } from 'vitest'

import { testOnPosix } from '../../../../test-support/on-posix.ts'
import { obtainToken, requestToken, startAuthServer } from './harness.ts'

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'auth-server-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

const stores: [string, (now: () => number) => Promise<AuthServerStore>][] = [
  ['memory', async (now) => createMemoryAuthServerStore({ now })],
  ['files', async (now) => createFileAuthServerStore(await temporaryFolder(), now)],
]

describe.each(stores)('a store in %s', (_, open) => {
  test('keeps values apart by kind and id, until they are deleted', async () => {
    const store = await open(Date.now)
    await store.set('One', 'a', { value: 1 }, 60_000)
    await store.set('Two', 'a', { value: 2 }, 60_000)
    await store.set('One', '../../b', [3], Infinity)

    expect(await store.get('One', 'a')).toEqual({ value: 1 })
    expect(await store.get('Two', 'a')).toEqual({ value: 2 })
    expect(await store.get('One', '../../b')).toEqual([3])
    await store.delete('One', 'a')
    expect(await store.get('One', 'a')).toBeUndefined()
    expect(await store.get('Two', 'a')).toEqual({ value: 2 })
  })

  test('forgets what has run out, and not what never does', async () => {
    let time = 1_800_000_000_000
    const store = await open(() => time)
    await store.set('One', 'short', 1, 1000)
    await store.set('One', 'forever', 2, Infinity)

    time += 1000

    expect(await store.get('One', 'short')).toBeUndefined()
    expect(await store.get('One', 'forever')).toBe(2)
  })

  test('adds what is not there, for one of many who try at once', async () => {
    let time = 1_800_000_000_000
    const store = await open(() => time)
    const add = () => Promise.all([1, 2, 3, 4].map((value) => store.add('One', 'a', value, 1000)))

    const first = await add()
    const kept = await store.get('One', 'a')
    const late = await store.add('One', 'a', 5, 1000)
    time += 1000
    const afterwards = await add()

    expect(first.filter(Boolean)).toHaveLength(1)
    expect(kept).toBe(first.indexOf(true) + 1)
    expect(late).toBe(false)
    expect(afterwards.filter(Boolean)).toHaveLength(1)
  })

  test('does not share what it was given', async () => {
    const store = await open(Date.now)
    const value = { list: [1] }
    await store.set('One', 'a', value, 60_000)

    value.list.push(2)

    expect(await store.get('One', 'a')).toEqual({ list: [1] })
  })
})

describe('a store in files', () => {
  testOnPosix('is for its owner alone', async () => {
    const folder = join(await temporaryFolder(), 'inner')
    const store = createFileAuthServerStore(folder)
    await store.set('Session', 'secret-id', 1, 60_000)

    const names = await readdir(folder)

    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect(names).toHaveLength(1)
    expect(names.join()).not.toContain('secret-id')
    for (const name of names) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
  })

  test('decides between two processes what was there first', async () => {
    const folder = await temporaryFolder()
    const processes = [1, 2, 3, 4].map(() => createFileAuthServerStore(folder))

    const added = await Promise.all(processes.map((store) => store.add('One', 'a', 1, 60_000)))

    expect(added.filter(Boolean)).toHaveLength(1)
    expect(await readdir(folder)).toHaveLength(1)
  })

  test('sweeps out what has run out', async () => {
    let time = 1_800_000_000_000
    const folder = await temporaryFolder()
    const store = createFileAuthServerStore(folder, () => time)
    await store.set('Session', 'old', 1, 1000)
    time += 3_600_001

    await store.set('Session', 'new', 1, 60_000)

    await expect.poll(() => readdir(folder)).toHaveLength(1)
    expect(await store.get('Session', 'new')).toBe(1)
  })

  test('carries sign-ins and keys over to the next start', async () => {
    const folder = await temporaryFolder()
    const before = await startAuthServer({ store: createFileAuthServerStore(folder) })
    const { body } = await obtainToken(before)

    const after = await startAuthServer({ store: createFileAuthServerStore(folder) })
    const renewed = await requestToken(after, {
      grant_type: 'refresh_token',
      refresh_token: String(body['refresh_token']),
      client_id: 'app',
    })

    expect(renewed.status).toBe(200)
  })
})

test('a store in memory lets go of the oldest, but not of keys', async () => {
  const store = createMemoryAuthServerStore({ maxEntries: 2 })
  await store.set('Keys', 'signing', 'key', Infinity)
  await store.set('One', 'a', 1, 60_000)
  await store.set('One', 'b', 2, 60_000)

  expect(await store.get('Keys', 'signing')).toBe('key')
  expect(await store.get('One', 'a')).toBeUndefined()
  expect(await store.get('One', 'b')).toBe(2)
})
