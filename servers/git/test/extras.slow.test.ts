import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Progress } from '@parley/mcp'
import { describe, expect, test } from 'vitest'

import { testOnPosix } from '../../../test-support/on-posix.ts'
import { triedRevisions } from '../../../test-support/revisions.ts'
import { extras, type GitOptions } from '../src/git.ts'
import { freshFolder, freshWork, openGit, plainWork, textsOf, type Work } from './support.ts'

async function openAll(
  work: Work,
  options: GitOptions = {},
  elicit?: (message: string) => boolean,
) {
  const client = await openGit(
    { repository: work.folder, enable: extras, ...options },
    elicit && {
      elicit: (request) =>
        elicit(request.message)
          ? { action: 'accept', content: { confirm: true } }
          : { action: 'decline' },
    },
  )
  const call = (tool: string, args = {}) =>
    client.callTool(tool, { repo_path: work.folder, ...args })
  return Object.assign(client, { call })
}

test('nothing of this is there unless it is switched on', async () => {
  await using plain = await openGit()
  await using some = await openGit({ enable: ['blame', 'worktree'] })

  expect(await plain.listTools().toArray()).toHaveLength(12)
  const names = (await some.listTools().toArray()).map(({ name }) => name)
  expect(names.slice(12)).toEqual([
    'git_blame',
    'git_worktree_list',
    'git_worktree_add',
    'git_worktree_remove',
  ])
})

test('stash puts changes away and brings them back', async () => {
  const work = await freshWork()
  work.write('a.txt', 'changed\n')
  await using client = await openAll(work)

  const pushed = await client.call('git_stash', { action: 'push', message: '--later' })
  expect(work.git('status', '--short')).toBe('')
  const shown = await client.call('git_stash', { action: 'show' })
  const popped = await client.call('git_stash', { action: 'pop' })
  const none = await client.call('git_stash', { action: 'drop' })

  expect(pushed.structuredContent).toEqual({ stashes: ['On main: --later'], isCut: false })
  expect(textsOf(shown)[0]).toContain('+changed')
  expect(popped.structuredContent).toEqual({ stashes: [], isCut: false })
  expect(work.git('status', '--short')).toBe(' M a.txt')
  expect(textsOf(none)).toEqual(['Unknown stash 0. Use list to see all stashes.'])
})

test('tags are made, listed and deleted', async () => {
  const work = await freshWork()
  await using client = await openAll(work)

  await client.call('git_tag', { action: 'create', name: 'v1', target: 'HEAD~1' })
  const both = await client.call('git_tag', { action: 'create', name: 'v2', message: 'second' })
  const one = await client.call('git_tag', { action: 'delete', name: 'v1' })
  const refused = await client.call('git_tag', { action: 'create', name: '--force' })

  expect(both.structuredContent).toEqual({ tags: ['v1', 'v2'], isCut: false })
  expect(work.git('cat-file', '-t', 'v2')).toBe('tag')
  expect(one.structuredContent).toEqual({ tags: ['v2'], isCut: false })
  expect(textsOf(refused)[0]).toContain('Invalid tag')
})

test('blame shows where lines are from', async () => {
  const work = await freshWork()
  work.write('a.txt', 'one\n2\nthree\n')
  const hash = work.commit('third')
  await using client = await openAll(work)

  const result = await client.call('git_blame', { path: 'a.txt', start_line: 2, end_line: 3 })

  expect(result.structuredContent).toMatchObject({
    lines: [
      { line: 2, hash, author: 'Ada Lovelace', text: '2' },
      { line: 3, hash: work.git('rev-parse', 'HEAD~2'), text: 'three' },
    ],
  })
})

test('merge merges, shows conflicts, and gives up', async () => {
  const work = await freshWork()
  work.git('checkout', '-q', '-b', 'side')
  work.write('a.txt', 'side\n')
  work.commit('side')
  work.git('checkout', '-q', 'main')
  work.write('c.txt', 'c\n')
  work.commit('main')
  work.git('branch', 'clean')
  work.write('a.txt', 'main\n')
  work.commit('conflicting')
  await using client = await openAll(work)

  const conflict = await client.call('git_merge', { branch: 'side' })
  const aborted = await client.call('git_merge', { abort: true })
  work.git('checkout', '-q', 'clean')
  const merged = await client.call('git_merge', { branch: 'side', message: 'together' })

  expect(conflict.structuredContent).toMatchObject({ conflicted: ['a.txt'] })
  expect(textsOf(conflict)[0]).toContain('CONFLICT')
  expect(aborted.structuredContent).toMatchObject({ conflicted: [] })
  expect(merged.structuredContent).toMatchObject({
    head: work.git('rev-parse', 'HEAD'),
    conflicted: [],
  })
  expect(work.git('log', '-1', '--format=%s')).toBe('together')
})

describe('rebase', () => {
  async function stopped() {
    const work = await freshWork()
    work.git('checkout', '-q', '-b', 'side', 'HEAD~1')
    work.write('b.txt', 'other\n')
    work.commit('side')
    try {
      work.git('rebase', 'main')
    } catch {
      // stops at a conflict, as it should
    }
    return work
  }

  test('is given up', async () => {
    const work = await stopped()
    await using client = await openAll(work)

    const result = await client.call('git_rebase', { action: 'abort' })

    expect(result.structuredContent).toMatchObject({ conflicted: [] })
    expect(work.git('log', '-1', '--format=%s')).toBe('side')
  })

  test('goes on, and runs no step that is a program', async () => {
    const work = await stopped()
    const plan = join(work.folder, '.git/rebase-merge/git-rebase-todo')
    const trace = join(work.folder, '.git/it-ran')
    work.write('b.txt', 'both\n')
    work.git('add', 'b.txt')
    await using client = await openAll(work)

    writeFileSync(plan, `exec touch ${trace}\n`)
    const refused = await client.call('git_rebase', { action: 'continue' })
    writeFileSync(plan, 'noop\n')
    const done = await client.call('git_rebase', { action: 'continue' })

    expect(textsOf(refused)[0]).toContain('a step that is not taken: exec')
    expect(existsSync(trace)).toBe(false)
    expect(done.isError).toBeUndefined()
    expect(work.git('show', 'HEAD:b.txt')).toBe('both')
  })

  testOnPosix('does not merge by a program of the repository', async () => {
    const work = await stopped()
    const trace = join(work.folder, '.git/it-ran')
    work.write('git-merge-x/evil', `#!/bin/sh\ntouch ${trace}\n`)
    chmodSync(join(work.folder, 'git-merge-x/evil'), 0o755)
    work.write('.git/rebase-merge/git-rebase-todo', `pick ${work.git('rev-parse', 'side')}\n`)
    work.write('b.txt', 'both\n')
    work.git('add', 'b.txt')
    await using client = await openAll(work)

    work.write('.git/rebase-merge/strategy', 'x/evil\n')
    const refused = await client.call('git_rebase', { action: 'continue' })
    work.write('.git/rebase-merge/strategy', 'ort\n')
    const done = await client.call('git_rebase', { action: 'continue' })

    expect(textsOf(refused)[0]).toContain('merges by "x/evil", which is a program')
    expect(existsSync(trace)).toBe(false)
    expect(done.isError).toBeUndefined()
  })
})

test('restore brings files back, or unstages them', async () => {
  const work = await freshWork()
  work.write('a.txt', 'changed\n')
  work.git('add', 'a.txt')
  await using client = await openAll(work)

  await client.call('git_restore', { files: ['a.txt'], staged: true })
  expect(work.git('status', '--short')).toBe(' M a.txt')
  await client.call('git_restore', { files: ['a.txt'] })
  expect(work.git('status', '--short')).toBe('')
  const outside = await client.call('git_restore', { files: ['../x'] })
  expect(outside.isError).toBe(true)
})

test('work trees are made in the folder for that, used, and removed', async () => {
  const work = await freshWork()
  const directory = await freshFolder()
  await using client = await openAll(work, { directory })
  await using without = await openAll(work)

  const added = await client.call('git_worktree_add', { name: 'side', branch: 'side' })
  const path = join(directory, 'side')
  const status = await client.callTool('git_status', { repo_path: path })
  const removed = await client.call('git_worktree_remove', { path })

  expect(added.structuredContent).toMatchObject({
    worktrees: [{ path: work.folder }, { path, branch: 'side' }],
  })
  expect(status.structuredContent).toMatchObject({ branch: 'side' })
  expect(removed.structuredContent).toMatchObject({ worktrees: [{ path: work.folder }] })
  for (const name of ['../x', '/x', '.git', 'a/b', '-x', '']) {
    expect((await client.call('git_worktree_add', { name, branch: 'x' })).isError).toBe(true)
  }
  expect((await client.call('git_worktree_remove', { path: work.folder })).isError).toBe(true)
  const nowhere = await without.call('git_worktree_add', { name: 'x', branch: 'x' })
  expect(textsOf(nowhere)[0]).toContain('--directory')
})

describe('transfers', () => {
  async function withRemote() {
    const work = await freshWork()
    const folder = await freshFolder()
    const bare = plainWork(join(folder, 'bare.git'))
    mkdirSync(bare.folder)
    bare.git('init', '-q', '--bare', '-b', 'main', '--template=')
    work.git('remote', 'add', 'origin', bare.folder)
    return { work, bare, folder }
  }

  test('reach only what was allowed, and only when the user agrees', async () => {
    const { work, bare, folder } = await withRemote()
    const asked: string[] = []
    const says = { yes: false }
    await using client = await openAll(work, { remotes: [folder] }, (message) => {
      asked.push(message)
      return says.yes
    })
    await using strict = await openAll(work, { remotes: ['https://example.com/'] }, () => true)
    await using mute = await openAll(work, { remotes: [folder] })

    const declined = await client.call('git_push')
    const forbidden = await strict.call('git_push')
    const unasked = await mute.call('git_push').catch(() => ({ isError: true }))
    expect(bare.git('for-each-ref')).toBe('')
    says.yes = true
    const pushed = await client.call('git_push')

    expect(textsOf(declined)).toEqual(['The user did not agree. Nothing was transferred.'])
    expect(textsOf(forbidden)[0]).toContain('is not allowed')
    expect(unasked.isError).toBe(true)
    expect(pushed.isError).toBeUndefined()
    const hash = work.git('rev-parse', 'HEAD')
    expect(asked[0]).toBe(`Push main (${hash.slice(0, 8)}) to ${bare.folder}?`)
    expect(bare.git('rev-parse', 'main')).toBe(hash)
  })

  test.each(triedRevisions.filter((revision) => revision >= '2025-06-18'))(
    'are agreed to once, and push what was agreed to, in %s',
    async (revision) => {
      const { work, bare, folder } = await withRemote()
      const asked: string[] = []
      const before = work.git('rev-parse', 'HEAD')
      await using client = await openGit(
        { repository: work.folder, enable: ['push'], remotes: [folder] },
        {
          revision,
          elicit({ message }) {
            asked.push(message)
            work.commit('made while the user was thinking')
            return { action: 'accept', content: { confirm: true } }
          },
        },
      )

      const pushed = await client.callTool('git_push', { repo_path: work.folder })

      expect(asked).toHaveLength(1)
      expect(pushed.structuredContent).toEqual({ hash: before, branch: 'main' })
      expect(bare.git('rev-parse', 'main')).toBe(before)
    },
  )

  test('clone, fetch and pull bring what is there', async () => {
    const { work, bare, folder } = await withRemote()
    work.git('push', '-q', 'origin', 'main')
    const directory = await freshFolder()
    await using client = await openAll(work, { remotes: [folder], directory, askConsent: false })

    const told: Progress[] = []
    const cloned = await client.callTool(
      'git_clone',
      { url: bare.folder },
      { onProgress: (progress) => told.push(progress) },
    )
    const path = join(directory, 'bare')
    work.write('c.txt', 'c\n')
    const hash = work.commit('third')
    work.git('push', '-q', 'origin', 'main')
    const fetched = await client.callTool('git_fetch', { repo_path: path })
    const pulled = await client.callTool('git_pull', { repo_path: path })

    expect(cloned.structuredContent).toEqual({ repo_path: path })
    expect(told.map(({ message }) => message)).toContain('Receiving objects: 100%')
    expect(textsOf(fetched)[0]).toMatch(
      /^From .*\n +[0-9a-f]+\.\.[0-9a-f]+ +main +-> origin\/main$/,
    )
    expect(pulled.structuredContent).toEqual({ hash })
    expect(readFileSync(join(path, 'c.txt'), 'utf8')).toBe('c\n')
  })

  test('move no branch, whatever the repository says to move beside them', async () => {
    const { work, folder } = await withRemote()
    work.git('push', '-q', 'origin', 'main')
    work.git('config', 'remote.origin.fetch', '+refs/heads/main:refs/heads/moved')
    await using client = await openAll(work, { remotes: [folder], askConsent: false })

    const fetched = await client.call('git_fetch')

    expect(fetched.isError).toBeUndefined()
    expect(work.git('branch', '--all', '--format=%(refname:short)').split('\n')).toEqual([
      'main',
      'origin/main',
    ])
  })

  test('are refused when the repository says how they are made', async () => {
    const { work, folder } = await withRemote()
    await using client = await openAll(work, { remotes: [folder], askConsent: false })

    for (const key of [
      'remote.origin.uploadpack',
      'remote.origin.vcs',
      'http.proxy',
      'http.https://x.sslVerify',
    ]) {
      work.git('config', key, 'evil')
      const result = await client.call('git_fetch')
      work.git('config', '--unset', key)
      expect(textsOf(result)[0], key).toContain('which would change what a transfer does')
    }
    work.git('config', 'http..proxy', 'evil')
    expect(textsOf(await client.call('git_fetch'))[0]).toContain('http..proxy')
    work.git('config', '--unset', 'http..proxy')
    work.git('config', 'url./elsewhere/.insteadOf', folder)
    expect(textsOf(await client.call('git_fetch'))[0]).toContain('is not allowed')
  })
})
