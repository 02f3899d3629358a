import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { StoreKey } from '@parley/auth/client'
import { createFileTokenStore } from '@parley/auth/node'
import { afterAll, describe, expect, test, vi } from 'vitest'

import { describeTokenStore } from '../../../../test-support/token-store-contract.ts'
import { defaultDirectory } from '../../src/node/file-store.ts'
import { openKeyringStore } from '../../src/node/keyring-store.ts'

vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
const folders: string[] = []
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'auth-store-'))
  folders.push(folder)
  return join(folder, 'store')
}

const key: StoreKey = {
  kind: 'grant',
  issuer: 'https://as.example',
  resource: 'https://h.example/mcp',
}

describeTokenStore('a folder', async () => createFileTokenStore({ directory: await newFolder() }))
describeTokenStore('a folder with a passphrase', async () =>
  createFileTokenStore({ directory: await newFolder(), passphrase: 'correct horse' }),
)

describe('files with grants', () => {
  test('are readable by nobody else, and by nobody without the key [ASEC-04] [R0326A-16]', async () => {
    const directory = await newFolder()
    await createFileTokenStore({ directory }).set(key, { version: '1', value: 'canary-secret' })

    const names = await readdir(directory)
    const modes = await Promise.all(
      names.map(async (name) => (await stat(join(directory, name))).mode & 0o777),
    )
    const texts = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')))

    expect((await stat(directory)).mode & 0o777).toBe(0o700)
    expect(new Set(modes)).toEqual(new Set([0o600]))
    expect(texts.join()).not.toContain('canary')
    expect([...names, ...texts].join()).not.toContain('h.example')
  })

  test('are found by another process with the same key, and only by it', async () => {
    const directory = await newFolder()
    await createFileTokenStore({ directory, passphrase: 'one' }).set(key, {
      version: '1',
      value: 'x',
    })

    expect(await createFileTokenStore({ directory, passphrase: 'one' }).get(key)).toEqual({
      version: '1',
      value: 'x',
    })
    expect(await createFileTokenStore({ directory, passphrase: 'two' }).get(key)).toBeUndefined()
  })

  test('leave nothing behind but themselves', async () => {
    const directory = await newFolder()
    const store = createFileTokenStore({ directory })
    await store.set(key, { version: '1', value: 'x' })
    await store.withLock(key, async () => store.set(key, { version: '2', value: 'y' }, '1'), {
      timeoutMs: 1000,
    })

    expect((await readdir(directory)).toSorted()).toEqual([
      expect.stringMatching(/^[0-9a-f]{64}$/),
      'key',
    ])
  })

  test('one key, however many are first at once', async () => {
    const directory = await newFolder()
    const stores = Array.from({ length: 5 }, () => createFileTokenStore({ directory }))

    await Promise.all(
      stores.map((store, index) =>
        store.set({ ...key, account: `${index}` }, { version: '1', value: `${index}` }),
      ),
    )

    const first = createFileTokenStore({ directory })
    const values = await Promise.all(
      stores.map((_, index) => first.get({ ...key, account: `${index}` })),
    )
    expect(values.map((one) => one?.value)).toEqual(['0', '1', '2', '3', '4'])
  })

  test('the folder is the one of the platform', () => {
    expect(defaultDirectory('linux', { XDG_STATE_HOME: '/state' })).toBe('/state/parley/auth')
    expect(defaultDirectory('win32', { LOCALAPPDATA: '/local' })).toBe('/local/parley/auth')
    expect(defaultDirectory('darwin', {})).toMatch(/Library\/Application Support\/parley\/auth$/)
  })

  test('a folder that is a link, and a file that others can read, are refused [ASEC-04]', async () => {
    const directory = await newFolder()
    await createFileTokenStore({ directory }).set(key, { version: '1', value: 'x' })
    const linked = `${directory}-link`
    await symlink(directory, linked)
    await expect(createFileTokenStore({ directory: linked }).get(key)).rejects.toMatchObject({
      code: 'store_failed',
    })

    const [name = ''] = (await readdir(directory)).filter((one) => one !== 'key')
    await chmod(join(directory, name), 0o644)
    await expect(createFileTokenStore({ directory }).get(key)).rejects.toMatchObject({
      code: 'store_failed',
    })
  })

  test('a folder that others can look into is closed to them', async () => {
    const directory = await newFolder()
    await mkdir(directory, { mode: 0o755 })
    await createFileTokenStore({ directory }).set(key, { version: '1', value: 'x' })

    expect((await stat(directory)).mode & 0o777).toBe(0o700)
  })

  test('a lock whose owner died is taken away, by one of those who wait', async () => {
    const directory = await newFolder()
    const store = createFileTokenStore({ directory })
    await store.set(key, { version: '1', value: 'x' })
    const [name = ''] = (await readdir(directory)).filter((one) => one !== 'key')
    const lock = join(directory, `${name}.lock`)
    await writeFile(lock, '{"pid":1}', { mode: 0o600 })
    const past = new Date(Date.now() - 60_000)
    await utimes(lock, past, past)
    let inside = 0
    let most = 0

    await Promise.all(
      Array.from({ length: 5 }, () =>
        createFileTokenStore({ directory }).withLock(
          key,
          async () => {
            most = Math.max(most, (inside += 1))
            await new Promise((resolve) => setTimeout(resolve, 10))
            inside -= 1
          },
          { timeoutMs: 10_000 },
        ),
      ),
    )

    expect(most).toBe(1)
    expect((await readdir(directory)).filter((one) => one.includes('lock'))).toEqual([])
  })
})

describe('a keyring', () => {
  /** Works like `@napi-rs/keyring`. */
  function fakeKeyring(passwords: Map<string, string>) {
    return {
      Entry: class {
        readonly #name: string
        constructor(service: string, account: string) {
          this.#name = `${service}/${account}`
        }
        getPassword(): string | null {
          return passwords.get(this.#name) ?? null
        }
        setPassword(password: string): void {
          passwords.set(this.#name, password)
        }
      },
    }
  }

  test('holds the key, so that the folder alone says nothing [ASEC-04]', async () => {
    const directory = await newFolder()
    const passwords = new Map<string, string>()
    const load = async () => fakeKeyring(passwords)
    await (await openKeyringStore(load, directory)).set(key, { version: '1', value: 'x' })

    expect(await (await openKeyringStore(load, directory)).get(key)).toEqual({
      version: '1',
      value: 'x',
    })
    expect(passwords.size).toBe(1)
    const files = await readdir(join(directory, 'keyring'))
    expect(files).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)])
    expect(
      await (await openKeyringStore(async () => fakeKeyring(new Map()), directory)).get(key),
    ).toBeUndefined()
  })

  test('that was locked for a moment keeps its key, and sign-ins stay readable', async () => {
    vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const directory = await newFolder()
    const passwords = new Map<string, string>()
    const working = async () => fakeKeyring(passwords)
    await (await openKeyringStore(working, directory)).set(key, { version: '1', value: 'x' })
    let isLocked = true
    const { Entry } = fakeKeyring(passwords)
    class Sleepy extends Entry {
      override getPassword(): string | null {
        if (!isLocked) return super.getPassword()
        isLocked = false
        throw new Error('the prompt was dismissed')
      }
    }

    await openKeyringStore(async () => ({ Entry: Sleepy }), directory)

    expect(await (await openKeyringStore(working, directory)).get(key)).toMatchObject({
      value: 'x',
    })
  })

  test('gets one key, however many are the first at once', async () => {
    const directory = await newFolder()
    const passwords = new Map<string, string>()
    let written = 0
    const { Entry } = fakeKeyring(passwords)
    class Counting extends Entry {
      override setPassword(password: string): void {
        written += 1
        super.setPassword(password)
      }
    }
    const load = async () => ({ Entry: Counting })

    await Promise.all(Array.from({ length: 5 }, () => openKeyringStore(load, directory)))

    expect(written).toBe(1)
  })

  test.each<[string, () => Promise<unknown>]>([
    ['is not installed', () => Promise.reject(new Error('Cannot find package'))],
    ['is no keyring', async () => ({})],
    [
      'has nobody to unlock it',
      async () => ({
        Entry: class {
          getPassword() {
            throw new Error('locked')
          }
          setPassword() {
            throw new Error('locked')
          }
        },
      }),
    ],
    [
      'forgets',
      async () => ({
        Entry: class {
          getPassword() {
            return null
          }
          setPassword() {}
        },
      }),
    ],
  ])('that %s leaves files, and says so', async (_, load) => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const directory = await newFolder()

    const store = await openKeyringStore(load, directory)
    await store.set(key, { version: '1', value: 'x' })

    expect(await createFileTokenStore({ directory }).get(key)).toEqual({ version: '1', value: 'x' })
    expect(
      warn.mock.calls.some(([text]) => String(text).includes('no system keyring is available')),
    ).toBe(true)
  })
})
