import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createLocalUsers } from '@parley/auth/server'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'

import { testOnPosix } from '../../../../test-support/on-posix.ts'

describe('people in a file', () => {
  let file = ''
  beforeEach(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'users-'))
    file = join(folder, 'users.json')
    onTestFinished(() => rm(folder, { recursive: true }))
  })

  test('sign in with their password, however their name is written', async () => {
    const users = createLocalUsers(file)
    const { subject } = await users.add('Ada', 'correct horse', { name: 'Ada L.' })

    expect(await users.verify(' aDA ', 'correct horse')).toEqual({
      subject,
      claims: { name: 'Ada L.' },
    })
    expect(await users.verify('ada', 'correct horse ')).toBeUndefined()
    expect(await users.verify('ada', '')).toBeUndefined()
    expect(await users.verify('bob', 'correct horse')).toBeUndefined()
  })

  test('keep their subject and claims with a new password, and are signed out', async () => {
    const users = createLocalUsers(file)
    const before = await users.add('ada', 'one', { groups: ['a'] })

    const after = await users.add('ada', 'two')

    expect(before).not.toHaveProperty('signedOutAt')
    expect(after).toEqual({ ...before, signedOutAt: expect.any(Number) })
    expect(await users.verify('ada', 'one')).toBeUndefined()
    expect(await users.verify('ada', 'two')).toEqual(after)
  })

  test('are not signed out when they are added once more with the password they have', async () => {
    const users = createLocalUsers(file)
    const first = await users.add('ada', 'one')
    const same = await users.add('ada', 'one', { name: 'Ada' })

    expect(same).toEqual({ ...first, claims: { name: 'Ada' } })
  })

  test('are gone when they are removed', async () => {
    const users = createLocalUsers(file)
    const { subject } = await users.add('ada', 'one')

    expect(await users.remove('ada')).toBe(true)
    expect(await users.remove('ada')).toBe(false)
    expect(await users.find(subject)).toBeUndefined()
    expect(await users.verify('ada', 'one')).toBeUndefined()
  })

  test('are all there when they are added at once', async () => {
    const users = createLocalUsers(file)

    await Promise.all(['a', 'b', 'c'].map((name) => users.add(name, 'password')))

    for (const name of ['a', 'b', 'c']) expect(await users.verify(name, 'password')).toBeDefined()
  })

  test('are written without their passwords', async () => {
    await createLocalUsers(file).add('ada', 'password-canary')

    const text = await readFile(file, 'utf8')

    expect(text).not.toContain('canary')
    expect(text).toContain('scrypt$16$8$1$')
  })

  testOnPosix('are refused if others can read the file', async () => {
    const users = createLocalUsers(file)
    await users.add('ada', 'one')

    expect((await stat(file)).mode & 0o777).toBe(0o600)
    await chmod(file, 0o644)
    await expect(users.verify('ada', 'one')).rejects.toMatchObject({ code: 'store_failed' })
    expect(() => createLocalUsers(file)).toThrow('other users can read it')
  })
})
