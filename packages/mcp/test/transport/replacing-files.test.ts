import { mkdtempSync, readFileSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { replaceFile, withFileLock, type LockSystem, type ReplaceSystem } from '@parley/mcp/system'
import { describe, expect, test } from 'vitest'

const newFolder = () => mkdtempSync(join(tmpdir(), 'files-'))

const failure = (code: string) =>
  Object.assign(new Error(`${code}: operation not permitted, rename`), { code })

/** A Windows on which another program has the file open for the first `refusals` looks. */
function busyWindows(rejections: number, { code = 'EPERM', isFolder = false, mode = 0o666 } = {}) {
  let left = rejections
  const pauses: number[] = []
  const system: ReplaceSystem = {
    platform: 'win32',
    async rename(from, to) {
      if (left-- > 0) throw failure(code)
      await rename(from, to)
    },
    lstat: async () => ({ isDirectory: () => isFolder, mode }),
    sleep: async (ms) => void pauses.push(ms),
  }
  return { system, pauses }
}

describe('replacing a file', () => {
  async function replaceOn(system: ReplaceSystem): Promise<string> {
    const folder = newFolder()
    writeFileSync(join(folder, 'new'), 'new')
    writeFileSync(join(folder, 'old'), 'old')
    await replaceFile(join(folder, 'new'), join(folder, 'old'), { system })
    return readFileSync(join(folder, 'old'), 'utf8')
  }

  test.each(['EPERM', 'EACCES', 'EBUSY'])(
    'waits on Windows while another program has it open (%s), with growing pauses',
    async (code) => {
      const { system, pauses } = busyWindows(7, { code })

      expect(await replaceOn(system)).toBe('new')
      expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 200])
    },
  )

  test('gives up in the end, and says that another program has it open', async () => {
    const { system, pauses } = busyWindows(Infinity)

    await expect(replaceOn(system)).rejects.toMatchObject({
      code: 'EPERM',
      message: expect.stringMatching(
        /^EPERM: another program has .*old open.* tried for 2\.\d+ s$/,
      ),
    })
    expect(pauses.reduce((sum, ms) => sum + ms)).toBeLessThan(2_300)
  })

  test('does not wait for what never passes: a folder, a read-only file, another error, another system', async () => {
    const hopeless = [
      busyWindows(1, { isFolder: true }),
      busyWindows(1, { mode: 0o444 }),
      busyWindows(1, { code: 'ENOENT' }),
    ]
    for (const { system, pauses } of hopeless) {
      await expect(replaceOn(system)).rejects.toThrow('rename')
      expect(pauses).toEqual([])
    }
    const { system } = busyWindows(1)
    await expect(replaceOn({ ...system, platform: 'linux' })).rejects.toThrow('EPERM')
  })
})

describe('a lock', () => {
  /** A Windows that is still removing the last lock, and where a scanner looks at ours when it is given back. */
  function busySystem(rejections: number, unlinkCode = 'EBUSY'): LockSystem {
    const reject = { create: rejections, unlink: rejections }
    const real: Omit<LockSystem, 'platform'> = {
      create: (path, text) => writeFileSync(path, text, { flag: 'wx' }),
      unlink: (path) => unlinkSync(path),
    }
    return {
      platform: 'win32',
      create(path, text) {
        if (reject.create-- > 0) throw failure('EPERM')
        real.create(path, text)
      },
      unlink(path) {
        if (reject.unlink-- > 0) throw failure(unlinkCode)
        real.unlink(path)
      },
    }
  }

  test('waits for a file that Windows is removing, and is given back though a scanner looks at it', async () => {
    const folder = newFolder()
    const options = { timeoutMs: 10_000, system: busySystem(2) }

    expect(await withFileLock(join(folder, 'lock'), async () => 'done', options)).toBe('done')
    expect(await readdir(folder)).toEqual([])
  })

  test('that cannot be given back fails no work that is done, and is taken over when it is old', async () => {
    const path = join(newFolder(), 'lock')
    const stuck = {
      timeoutMs: 10_000,
      system: {
        ...busySystem(0),
        unlink: () => {
          throw failure('EPERM')
        },
      },
    }

    expect(await withFileLock(path, async () => 'done', stuck)).toBe('done')
    const past = new Date(Date.now() - 60_000)
    utimesSync(path, past, past)
    expect(await withFileLock(path, async () => 'next', { timeoutMs: 10_000 })).toBe('next')
  })

  test('says why it cannot be had: held by another process, or refused by the system', async () => {
    const path = join(newFolder(), 'lock')
    writeFileSync(path, 'another process')

    await expect(withFileLock(path, async () => {}, { timeoutMs: 0 })).rejects.toThrow(
      `another process has held ${path}`,
    )
    const refusing = {
      ...busySystem(0),
      create: () => {
        throw failure('EPERM')
      },
    }
    await mkdir(`${path}.d`)
    await expect(
      withFileLock(join(`${path}.d`, 'lock'), async () => {}, { timeoutMs: 0, system: refusing }),
    ).rejects.toThrow('EPERM')
  })

  test('of a clock that was set back since is taken over', async () => {
    const path = join(newFolder(), 'lock')
    writeFileSync(path, 'of a dead process')
    const future = new Date(Date.now() + 3_600_000)
    utimesSync(path, future, future)

    expect(await withFileLock(path, async () => 'done', { timeoutMs: 10_000 })).toBe('done')
  })

  /** A lock of a dead process whose taking over was cut short. */
  async function halfBroken(): Promise<string> {
    const path = join(newFolder(), 'lock')
    writeFileSync(path, 'of a dead process')
    await mkdir(`${path}.break`)
    for (const one of [path, `${path}.break`]) utimesSync(one, 1, 1)
    return path
  }

  test('is taken over although a folder is where the taking over is noted', async () => {
    const path = await halfBroken()

    expect(await withFileLock(path, async () => 'done', { timeoutMs: 10_000 })).toBe('done')
  })

  test('that cannot be taken over ends the waiting all the same', async () => {
    const path = await halfBroken()
    await mkdir(join(`${path}.break`, 'full'))
    utimesSync(`${path}.break`, 1, 1)

    await expect(withFileLock(path, async () => {}, { timeoutMs: 50 })).rejects.toThrow(
      `another process has held ${path}`,
    )
  })
})
