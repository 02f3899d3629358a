import { Buffer } from 'node:buffer'
import { appendFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { createGitRunner, unsafeForTransfer } from '@parley/server-kit/git'
import { expect, test } from 'vitest'

import { describeOnPosix, testOnPosix } from '../../../../test-support/on-posix.ts'
import { freshRepository, plainRepository, trap, type PlainRepository } from './support.ts'

const runner = createGitRunner({ userSettings: false })
const writing = { isWriting: true }

/** A repository whose files all have a filter that is set in a file of its own. */
async function withFilter(file: string) {
  const repository = await freshRepository()
  repository.write('.gitattributes', '* filter=evil\n')
  repository.commit('attributes')
  const outside = dirname(repository.folder)
  const { program, hasSprung, reset } = trap(outside)
  const path = join(repository.folder, '.git', file)
  const evil = `[filter "evil"]\n\tclean = ${program}\n\tsmudge = ${program}\n`
  const plant = () => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, evil)
  }
  return { repository, outside, evil, plant, hasSprung, reset }
}
const worktreeAdd = (repository: PlainRepository, name: string) => [
  'worktree',
  'add',
  '-q',
  '-b',
  name,
  join(dirname(repository.folder), name),
]
const refused = { code: 'refused', message: expect.stringContaining('could change') as string }

describeOnPosix('settings of another file', () => {
  test.each(['gitdir:**/worktrees/**', 'onbranch:second'])(
    'that are included if %s run nothing in a work tree',
    async (condition) => {
      const { repository, outside, plant, hasSprung, reset } = await withFilter('../../elsewhere')
      plant()
      const path = join(outside, 'elsewhere')
      repository.git('config', `includeIf.${condition}.path`, path)
      repository.git('branch', 'second')

      repository.tryGit(['worktree', 'add', join(outside, 'first'), 'second'])
      expect(hasSprung()).toBe(true)
      reset()
      repository.tryGit(['worktree', 'remove', '--force', join(outside, 'first')])
      reset()
      const opened = await runner.open(repository.folder, { includes: [path] })
      await opened.run(['worktree', 'add', join(outside, 'tree'), 'second'], writing)

      expect(hasSprung()).toBe(false)
      expect(existsSync(join(outside, 'tree/a.txt'))).toBe(true)
    },
  )

  test('run nothing on the branch a rebase comes back to', async () => {
    const { repository, outside, plant, hasSprung } = await withFilter('../../elsewhere')
    repository.write('other.txt', 'o\n')
    repository.commit('other')
    repository.git('checkout', '-q', '-b', 'side')
    repository.write('a.txt', 'side\n')
    repository.commit('side')
    repository.git('checkout', '-q', 'main')
    repository.write('a.txt', 'main\n')
    repository.commit('main')
    repository.git('checkout', '-q', 'side')
    repository.write('other.txt', 'put away meanwhile\n')
    repository.tryGit(['-c', 'rebase.autoStash=true', 'rebase', 'main'])
    repository.write('a.txt', 'both\n')
    repository.git('add', 'a.txt')
    plant()
    repository.git('config', 'includeIf.onbranch:side.path', join(outside, 'elsewhere'))

    const opened = await runner.open(repository.folder, { includes: [outside] })
    await opened.run(['rebase', '--continue'], writing)

    expect(hasSprung()).toBe(false)
    expect(repository.git('branch', '--show-current')).toBe('side')
  })

  test.each([
    ['that is there', true],
    ['that may come', false],
  ])('are read, and nothing is changed, by a file among its own %s', async (_, isThere) => {
    const { repository, plant, hasSprung } = await withFilter('evil')
    repository.git('config', 'include.path', 'evil')
    if (isThere) plant()
    repository.write('a.txt', 'changed\n')
    const opened = await runner.open(repository.folder)

    const { text } = await opened.run(['diff', '--no-ext-diff', '--no-textconv'])

    expect(text).toContain('+changed')
    await expect(opened.run(['add', '.'], writing)).rejects.toMatchObject(refused)
    await expect(opened.run(worktreeAdd(repository, 'x'), writing)).rejects.toMatchObject(refused)
    expect(hasSprung()).toBe(false)
  })

  test.each([
    ['in the work tree', (folder: string) => `${folder}/evil`],
    ['by way of a link in the work tree', (folder: string) => `${folder}/out/evil`],
    ['by way of a link to the work tree', (folder: string) => `${dirname(folder)}/in/evil`],
    ['with .. behind a link', (folder: string) => `${dirname(folder)}/in/../work/evil`],
    ['that depends on who includes it', () => '../../evil'],
    ['of the message of the last commit', () => 'COMMIT_EDITMSG'],
  ])('forbid to write when they are %s', async (_, path) => {
    const { folder, git } = await freshRepository()
    symlinkSync(dirname(folder), join(folder, 'out'))
    symlinkSync(folder, join(dirname(folder), 'in'))
    git('config', 'includeIf.onbranch:later.path', path(folder))
    const opened = await runner.open(folder, { includes: [dirname(folder)] })

    await expect(opened.run(['add', '.'], writing)).rejects.toMatchObject(refused)
  })

  test('forbid to write where another repository may be written, too', async () => {
    const { folder, git } = await freshRepository()
    const other = join(dirname(folder), 'other')
    git('config', 'include.path', join(other, 'evil'))
    const opened = await runner.open(folder, { within: [folder, other] })

    await expect(opened.run(['add', '.'], writing)).rejects.toMatchObject(refused)
  })

  test.each([
    ['by its full name', (folder: string) => join(dirname(folder), 'more')],
    ['by way of ..', () => '../../more'],
    ['by way of a link', () => '../link'],
    ['from the home of the user', () => '~/more'],
  ])('are refused outside of the repository, %s', async (_, path) => {
    const { folder, git, write } = await freshRepository()
    write('../more', '[user]\n\tname = somebody else\n')
    symlinkSync(join(dirname(folder), 'more'), join(folder, 'link'))
    git('config', 'includeIf.onbranch:later.path', path(folder))

    for (const within of [undefined, [folder]]) {
      const opening = runner.open(folder, { within })
      await expect(opening).rejects.toMatchObject({
        code: 'outside',
        message: expect.stringContaining('which is outside of it') as string,
      })
    }
  })

  test('are found behind each other, and decide about transfers', async () => {
    const { folder, git, write } = await freshRepository()
    const outside = dirname(folder)
    write('../first', `[includeIf "onbranch:x"]\n\tpath = ${outside}/second\n`)
    write('../second', `[include]\n\tpath = ${outside}/first\n[http]\n\tproxy = evil\n`)
    git('config', 'include.path', join(outside, 'first'))

    const opened = await runner.open(folder, { includes: [outside] })
    await opened.run(['add', '.'], writing)

    expect(unsafeForTransfer(opened.settings.keys())).toBe('http.proxy')
  })

  test.each(['~nobody/x', '%(prefix)/x'])('are not followed to %s', async (path) => {
    const { folder, git } = await freshRepository()
    git('config', 'includeIf.onbranch:x.path', path)

    await expect(runner.open(folder)).rejects.toThrow('not followed')
  })
})

testOnPosix('what is no file is not included', async () => {
  const { folder, git } = await freshRepository()
  git('config', 'includeIf.onbranch:x.path', '/dev/zero')

  await expect(runner.open(folder)).rejects.toThrow('cannot be read')
})

test('a submodule that includes files is not looked into by what writes', async () => {
  const repository = await freshRepository()
  const inner = plainRepository(join(repository.folder, 'inner'))
  mkdirSync(inner.folder)
  inner.git('init', '-q', '-b', 'main')
  inner.git('commit', '-q', '--allow-empty', '-m', 'inner')
  repository.git('-c', 'advice.addEmbeddedRepo=false', 'add', 'inner')
  inner.git('config', 'include.path', '../../evil')
  const opened = await runner.open(repository.folder)

  await expect(opened.run(['add', '.'], writing)).rejects.toMatchObject(refused)
  expect((await opened.run(['status', '--short'])).text).toBe('A  inner\n')
})

test('a name that is not UTF-8 cannot be overridden, so the repository is refused', async () => {
  const repository = await freshRepository()
  const { program, hasSprung, reset } = trap(dirname(repository.folder))
  const name = Buffer.from([0x61, 0xff])
  const config = join(repository.folder, '.git/config')
  appendFileSync(config, Buffer.concat([Buffer.from('[filter "'), name, Buffer.from('"]\n')]))
  appendFileSync(config, `clean = ${program}\n`)
  const attributes = Buffer.concat([Buffer.from('* filter='), name, Buffer.from('\n')])
  writeFileSync(join(repository.folder, '.gitattributes'), attributes)
  repository.write('a.txt', 'changed\n')

  repository.tryGit(['diff'])
  expect(hasSprung()).toBe(process.platform !== 'win32')
  reset()

  await expect(runner.open(repository.folder)).rejects.toThrow('cannot be read')
})
