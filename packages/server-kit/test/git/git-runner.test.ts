import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { createGitRunner, requireNewName } from '@parley/server-kit/git'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { describeOnPosix, testOnPosix } from '../../../../test-support/on-posix.ts'
import { tries } from '../../../../test-support/thorough.ts'
import { freshFolder, freshRepository } from './support.ts'

const runner = createGitRunner({ userSettings: false })

test('a program that is not there is an error when the runner is made', () => {
  expect(() => createGitRunner({ git: 'no-such-git' })).toThrow('was not found')
})

testOnPosix('a git that would not hear our settings is not used', async () => {
  const { folder } = await freshRepository()
  const program = join(dirname(folder), 'git')
  // What one before 2.31 says to `rev-parse --path-format=absolute --show-toplevel …`.
  writeFileSync(
    program,
    `#!/bin/sh\necho --path-format=absolute\nexec git rev-parse --show-toplevel\n`,
  )
  chmodSync(program, 0o755)

  const opening = createGitRunner({ git: program, userSettings: false }).open(folder)

  await expect(opening).rejects.toThrow('git is too old: 2.31 is needed.')
})

test('runs git, and says what it said when it fails', async () => {
  const { folder } = await freshRepository()
  const repository = await runner.open(folder)

  const { text } = await repository.run(['log', '--format=%s'])
  const failing = repository.run(['checkout', 'no-such-branch'])

  expect(text).toBe('first\n')
  await expect(failing).rejects.toMatchObject({ code: 'failed', exitCode: 1 })
  await expect(failing).rejects.toThrow("pathspec 'no-such-branch' did not match")
})

test('ends a command that says too much, and keeps what it said first', async () => {
  const plain = await freshRepository()
  plain.write('large.txt', 'line\n'.repeat(200_000))
  plain.commit('large')
  const repository = await runner.open(plain.folder)

  const { bytes, isCut, exitCode } = await repository.run(['show', 'HEAD'], { outputBytes: 1000 })

  expect([bytes.length, isCut, exitCode]).toEqual([1000, true, 0])
})

describeOnPosix('a command that hangs', () => {
  async function hanging() {
    const folder = await freshFolder()
    const program = join(folder, 'git')
    // Starts a child of its own that would go on, and listens to nobody.
    const script = `#!/bin/sh\ncase "$*" in *hang*) trap '' TERM; sleep 60 & wait; sleep 60;; *) exec git "$@";; esac\n`
    writeFileSync(program, script, { mode: 0o755 })
    const { folder: work } = await freshRepository()
    return createGitRunner({ git: program, userSettings: false }).open(work)
  }

  test('is ended when its time is over', async () => {
    const repository = await hanging()

    const running = repository.run(['hang'], { timeoutMs: 50 })

    await expect(running).rejects.toMatchObject({ code: 'timeout' })
  })

  test('is ended with everything it started when nobody waits any more', async () => {
    const repository = await hanging()
    const controller = new AbortController()

    const running = repository.run(['hang'], { signal: controller.signal })
    setTimeout(() => controller.abort(), 50)

    await expect(running).rejects.toMatchObject({ code: 'cancelled' })
  })
})

testOnPosix('a lock that a stopped git left is named, and no other', async () => {
  const { folder } = await freshRepository()
  const program = join(await freshFolder(), 'git')
  // Takes the lock and, like git on Windows, has no chance to give it back.
  const script = `#!/bin/sh\ncase "$*" in *hang*) : > .git/index.lock; exec sleep 60;; *) exec git "$@";; esac\n`
  writeFileSync(program, script, { mode: 0o755 })
  const repository = await createGitRunner({ git: program, userSettings: false }).open(folder)
  const stopped = () => repository.run(['hang'], { timeoutMs: 300, isWriting: true })

  await expect(stopped()).rejects.toThrow(/index\.lock: delete that when no git runs/)
  await expect(stopped()).rejects.toThrow(/took longer than 300 ms\.$/) // it was there before
})

describe('a revision', () => {
  test.each(['HEAD', 'main', 'HEAD~0', '@', 'v1'])('%s is resolved', async (name) => {
    const plain = await freshRepository()
    plain.git('tag', 'v1')
    const repository = await runner.open(plain.folder)

    expect(await repository.commit(name)).toBe(plain.git('rev-parse', 'HEAD'))
  })

  test.each(['--output=/tmp/x', '-p', '--help', '', 'a\nb', 'a\0b', 'x'.repeat(2000)])(
    '%j is refused before git sees it',
    async (name) => {
      const { folder } = await freshRepository()
      const repository = await runner.open(folder)

      await expect(repository.commit(name)).rejects.toMatchObject({ code: 'refused' })
    },
  )

  test.each(['nobody', 'HEAD:a.txt', 'main..main', '^main', 'HEAD --output=x', 'a b'])(
    '%j is unknown',
    async (name) => {
      const { folder } = await freshRepository()
      const repository = await runner.open(folder)

      await expect(repository.commit(name)).rejects.toMatchObject({ code: 'unknown_revision' })
    },
  )
})

test('names that git would not have are refused for new branches', () => {
  const wrong = [
    '-b',
    'a b',
    'a..b',
    '.a',
    'a/.b',
    'a.lock',
    'a~1',
    'a^',
    'a:b',
    'a@{1}',
    '@',
    'HEAD',
    'a/',
  ]

  for (const name of wrong) expect(() => requireNewName(name, 'branch')).toThrow('Invalid branch')
  for (const name of ['main', 'feature/x', 'v1.2', 'ünï']) requireNewName(name, 'branch')
})

describe('a path', () => {
  test('is one from the top of the work tree', async () => {
    const plain = await freshRepository()
    plain.write('a dir/b.txt', '')
    const repository = await runner.open(plain.folder)

    const paths = [
      '.',
      'a.txt',
      './a dir/b.txt',
      join(plain.folder, 'a.txt'),
      'not/there/yet',
      '-x',
    ]
    expect(await repository.paths(paths)).toEqual([
      '.',
      'a.txt',
      'a dir/b.txt',
      'a.txt',
      'not/there/yet',
      '-x',
    ])
  })

  test.each([
    '../x',
    '/etc/passwd',
    'a/../../x',
    'out/x',
    'leaf',
    '.git/config',
    '.GIT/hooks',
    'a\0',
  ])('%j is refused', async (path) => {
    const plain = await freshRepository()
    symlinkSync(dirname(plain.folder), join(plain.folder, 'out'))
    symlinkSync('/etc/passwd', join(plain.folder, 'leaf'))
    const repository = await runner.open(plain.folder)

    await expect(repository.paths([path])).rejects.toMatchObject({ code: 'outside' })
  })

  test('never leaves the work tree, whatever it is made of', async () => {
    const plain = await freshRepository()
    mkdirSync(join(plain.folder, 'sub'))
    symlinkSync('..', join(plain.folder, 'sub/up'))
    symlinkSync('../..', join(plain.folder, 'sub/out'))
    const repository = await runner.open(plain.folder)
    const part = fc.constantFrom('..', '.', 'sub', 'up', 'out', 'a.txt', '', '.git', 'new', '~')

    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), async (parts) => {
        const [path = '.'] = await repository.paths([parts.join('/')]).catch(() => [])
        expect(`${join(plain.folder, path)}/`.startsWith(`${plain.folder}/`)).toBe(true)
        expect(path.split('/')).not.toContain('.git')
      }),
      { numRuns: tries(200) },
    )
  })
})

test('patterns are taken for names of files', async () => {
  const plain = await freshRepository()
  plain.write('b.txt', '')
  plain.write('[ab].txt', '')
  const repository = await runner.open(plain.folder)

  await repository.run(['add', '--', '[ab].txt'], { isWriting: true })

  const { text } = await repository.run(['diff', '--cached', '--name-only'])
  expect(text).toBe('[ab].txt\n')
})

test('variables of git in the environment mean nothing', async () => {
  const { folder } = await freshRepository()
  const other = await freshRepository('other')
  process.env['GIT_DIR'] = join(other.folder, '.git')
  process.env['GIT_EXTERNAL_DIFF'] = '/bin/false'
  try {
    expect((await runner.open(folder)).gitDirectory).toBe(join(folder, '.git'))
  } finally {
    delete process.env['GIT_DIR']
    delete process.env['GIT_EXTERNAL_DIFF']
  }
})
