import { mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { StoreKey } from '@parley/auth/client'
import { createFileTokenStore } from '@parley/auth/node'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'

import { openWorld } from '../support/world.ts'

vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
const folders: string[] = []
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

const evil: StoreKey = {
  kind: 'grant',
  issuer: 'https://evil.example',
  resource: 'https://evil.example/mcp',
}
const good: StoreKey = {
  kind: 'grant',
  issuer: 'https://as.example',
  resource: 'https://h.example/mcp',
}
let directory = ''

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'auth-tampering-'))
  folders.push(directory)
})

async function files(): Promise<readonly string[]> {
  return (await readdir(directory)).filter((name) => /^[0-9a-f]{64}$/.test(name))
}

describe('store tampering: somebody changes what is kept', () => {
  test('a grant moved to another server is none', async () => {
    const store = createFileTokenStore({ directory })
    await store.set(good, { version: '1', value: 'token' })
    const [from = ''] = await files()
    await store.set(evil, { version: '1', value: 'other' })
    const [to = ''] = (await files()).filter((name) => name !== from)
    await rename(join(directory, from), join(directory, to))

    expect(await store.get(evil)).toBeUndefined()
  })

  test('no byte of a file can be changed, none left out', async () => {
    const store = createFileTokenStore({ directory })
    await store.set(good, { version: '1', value: 'token' })
    const [name = ''] = await files()
    const text = await readFile(join(directory, name), 'utf8')
    const encrypted = JSON.parse(text) as Record<string, string> // we wrote it

    for (const part of ['iv', 'tag', 'data']) {
      const bytes = Buffer.from(encrypted[part] ?? '', 'base64')
      bytes[0] = (bytes[0] ?? 0) ^ 1
      for (const changed of [
        bytes.toString('base64'),
        bytes.subarray(0, 4).toString('base64'),
        '',
        undefined,
      ]) {
        await writeFile(join(directory, name), JSON.stringify({ ...encrypted, [part]: changed }))
        expect(await store.get(good), `${part}: ${changed}`).toBeUndefined()
      }
    }
    await writeFile(join(directory, name), text)
    expect(await store.get(good)).toEqual({ version: '1', value: 'token' })
  })

  test.each(['', '{}', 'null', '{"format":2}', '\0'])(
    '%j in place of a grant is none',
    async (text) => {
      const store = createFileTokenStore({ directory })
      await store.set(good, { version: '1', value: 'token' })
      const [name = ''] = await files()
      await writeFile(join(directory, name), text)

      expect(await store.get(good)).toBeUndefined()
      expect(await store.set(good, { version: '2', value: 'new' })).toBe(true)
      expect((await store.get(good))?.value).toBe('new')
    },
  )

  test('a link in place of a grant is neither read nor written through', async () => {
    const store = createFileTokenStore({ directory })
    await store.set(good, { version: '1', value: 'token' })
    const [name = ''] = await files()
    const outside = join(directory, 'outside')
    await writeFile(outside, 'untouched')
    await rm(join(directory, name))
    await symlink(outside, join(directory, name))

    await expect(store.get(good)).rejects.toMatchObject({ code: 'store_failed' })
    await store.set(good, { version: '2', value: 'new' })

    expect(await readFile(outside, 'utf8')).toBe('untouched')
    expect((await store.get(good))?.value).toBe('new')
  })

  test('a link in place of the key is refused', async () => {
    const outside = `${directory}-key`
    folders.push(outside)
    await writeFile(outside, Buffer.alloc(32).toString('base64'), { mode: 0o600 })
    await symlink(outside, join(directory, 'key'))

    await expect(createFileTokenStore({ directory }).get(good)).rejects.toMatchObject({
      code: 'store_failed',
    })
  })

  test('a client signs in anew, as if nothing had been kept', async () => {
    await using world = await openWorld()
    const store = createFileTokenStore({ directory })
    await (await world.connect({ store })).close()
    for (const name of await files()) await writeFile(join(directory, name), 'garbage')

    await (await world.connect({ store })).close()

    expect(world.person.visited).toHaveLength(2)
    expect(world.issuer.reuses).toBe(0)
  })
})
