import { join } from 'node:path'

import {
  createGitRunner,
  currentBranch,
  type GitProgress,
  readBlame,
  readBranches,
  readChangedFiles,
  readCommits,
  readStatus,
  readWorktrees,
  type Repository,
} from '@parley/server-kit/git'
import { expect, test } from 'vitest'

import { freshFolder, freshRepository } from './support.ts'

const runner = createGitRunner({ userSettings: false })

/** One commit more than a fresh one, with a name that git would quote. */
async function openRepository() {
  const plain = await freshRepository()
  plain.write('a.txt', 'one\ntwo\nchanged\n')
  plain.write('dir/ä "b".txt', 'new\n')
  const hash = plain.commit('second\n\nwith a reason')
  return { plain, hash, repository: await runner.open(plain.folder) }
}

test('the status is data, with names as they are', async () => {
  const { plain, hash, repository } = await openRepository()
  plain.git('mv', 'dir/ä "b".txt', 'dir/c d.txt')
  plain.write('a.txt', 'again\n')
  plain.write('new file', '')

  expect(await readStatus(repository)).toEqual({
    branch: 'main',
    head: hash,
    staged: ['dir/c d.txt'],
    unstaged: ['a.txt'],
    untracked: ['new file'],
    conflicted: [],
    isCut: false,
  })
})

test('commits are data, with all of their messages', async () => {
  const { hash, repository } = await openRepository()

  const { commits } = await readCommits(repository, ['--max-count=10'])
  const [second, first, ...others] = commits

  expect(second).toMatchObject({
    hash,
    author: 'Ada',
    email: 'ada@example.com',
    message: 'second\n\nwith a reason',
    parents: [first?.hash],
  })
  expect([first?.parents, others]).toEqual([[], []])
})

test('files that differ come with how many lines came and went', async () => {
  const { repository } = await openRepository()

  expect(await readChangedFiles(repository, ['diff', 'HEAD~1', 'HEAD'])).toEqual({
    files: [
      { path: 'a.txt', added: 1, deleted: 1 },
      { path: 'dir/ä "b".txt', added: 1, deleted: 0 },
    ],
    isCut: false,
  })
})

test('a file that was renamed says what it was called', async () => {
  const { plain, repository } = await openRepository()
  plain.git('mv', 'a.txt', 'z.txt')

  expect(await readChangedFiles(repository, ['diff', '--cached'])).toEqual({
    files: [{ path: 'z.txt', oldPath: 'a.txt', added: 0, deleted: 0 }],
    isCut: false,
  })
})

test('every line has the commit it is from', async () => {
  const { hash, repository } = await openRepository()

  const { lines } = await readBlame(repository, { path: 'a.txt', commit: hash, start: 2 })

  expect(lines.map(({ line, text }) => [line, text])).toEqual([
    [2, 'two'],
    [3, 'changed'],
  ])
  expect(lines[1]).toMatchObject({ hash, author: 'Ada' })
  expect(lines[0]?.hash).not.toBe(hash)
})

test('branches and work trees are data', async () => {
  const { plain, hash, repository } = await openRepository()
  plain.git('branch', 'other', 'HEAD~1')
  plain.git('branch', 'a\u2028b')
  const tree = join(await freshFolder(), 'tree')
  plain.git('worktree', 'add', '-q', tree, 'other')

  expect(await currentBranch(repository)).toBe('main')
  expect(await readBranches(repository)).toMatchObject({
    branches: [
      { name: 'a\u2028b', isCurrent: false, isRemote: false },
      { name: 'main', hash, isCurrent: true, isRemote: false },
      { name: 'other', isCurrent: false, isRemote: false },
    ],
    isCut: false,
  })
  expect(await readWorktrees(repository)).toMatchObject({
    worktrees: [
      { path: plain.folder, hash, branch: 'main' },
      { path: tree, branch: 'other' },
    ],
    isCut: false,
  })
})

test('a transfer tells how far it has come, and its words are without that', async () => {
  const { plain } = await openRepository()
  const directory = await freshFolder()
  const told: GitProgress[] = []

  const { errors } = await runner.run(
    ['clone', '--progress', '--no-local', '--', plain.folder, join(directory, 'copy')],
    { directory, isWriting: true, protocols: ['file'], onProgress: (one) => told.push(one) },
  )

  // Two commits, three trees, and three versions of files.
  expect(told.at(-1)).toEqual({ step: 'Receiving objects', done: 8, total: 8 })
  expect(errors.trim()).toMatch(/^Cloning into '.*'\.\.\.$/)
})

test('what is cut anywhere has only whole entries', async () => {
  const { plain } = await openRepository()
  plain.git('mv', 'a.txt', 'renamed.txt')
  plain.git('branch', 'other')
  const whole = await readLists(await runner.open(plain.folder))
  let cuts = 0

  for (let outputBytes = 1; outputBytes < 700; outputBytes += 61) {
    const cutting = createGitRunner({ userSettings: false, outputBytes })
    const lists = await readLists(await cutting.open(plain.folder))
    for (const [index, list] of lists.entries()) {
      expect(list).toEqual(whole[index]?.slice(0, list.length))
      if (list.length < (whole[index]?.length ?? 0)) cuts += 1
    }
  }

  expect(cuts).toBeGreaterThan(10)
})

async function readLists(repository: Repository): Promise<readonly (readonly unknown[])[]> {
  const { staged } = await readStatus(repository)
  const { commits } = await readCommits(repository, ['--max-count=10'])
  const { files } = await readChangedFiles(repository, ['diff', '--cached', 'HEAD~1'])
  const { branches } = await readBranches(repository)
  const { worktrees } = await readWorktrees(repository)
  return [staged, commits, files, branches, worktrees]
}
