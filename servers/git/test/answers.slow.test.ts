import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { testOnPosix } from '../../../test-support/on-posix.ts'
import { freshFolder, freshWork, openGit, plainWork, textsOf, type Work } from './support.ts'

/** One documented answer: what to do first, the call, and what it says. */
interface Case {
  readonly name: string
  readonly before?: (work: Work) => void
  readonly tool: string
  readonly args?: Record<string, unknown>
  readonly says: (work: Work) => string | RegExp
  readonly data?: (work: Work) => object
  readonly isError?: true
}

const head = (work: Work) => work.git('rev-parse', 'HEAD')
const change = (work: Work) => work.write('a.txt', 'one\n2\nthree\n')
const stage = (work: Work) => {
  change(work)
  work.git('add', 'a.txt')
}
const hunk = '@@ -1,3 +1,3 @@\n one\n-two\n+2\n three'
const hunkWithoutContext = '@@ -2 +2 @@ one\n-two\n+2'
const log = (work: Work, ...args: string[]) =>
  work.git('log', '--format=Commit: %H%nAuthor: %an <%ae>%nDate: %aI%nMessage: %B', ...args)
function branchOff(work: Work) {
  work.git('checkout', '-q', '-b', 'side')
  work.write('c.txt', 'c\n')
  work.commit('on the side')
  work.git('checkout', '-q', 'main')
}

const cases: readonly Case[] = [
  {
    name: 'a clean work tree',
    tool: 'git_status',
    says: () => 'Repository status:\nOn branch main\nnothing to commit, working tree clean',
    data: (work) => ({ branch: 'main', head: head(work), staged: [], untracked: [] }),
  },
  {
    name: 'what is staged, changed and new',
    before(work) {
      stage(work)
      work.write('b.txt', 'B\n')
      work.write('new file.txt', '')
    },
    tool: 'git_status',
    says: () =>
      /^Repository status:\n[^]*modified: {3}a\.txt[^]*modified: {3}b\.txt[^]*new file\.txt/,
    data: () => ({ staged: ['a.txt'], unstaged: ['b.txt'], untracked: ['new file.txt'] }),
  },
  {
    name: 'a rename',
    before: (work) => void work.git('mv', 'a.txt', 'renamed.txt'),
    tool: 'git_status',
    says: () => /renamed: {4}a\.txt -> renamed\.txt/,
    data: () => ({ staged: ['renamed.txt'] }),
  },
  {
    name: 'no branch',
    before: (work) => void work.git('checkout', '-q', '--detach'),
    tool: 'git_status',
    says: () => /HEAD detached at/,
    data: () => ({ staged: [] }),
  },
  {
    name: 'a conflict',
    before(work) {
      branchOff(work)
      work.git('checkout', '-q', 'side')
      work.write('a.txt', 'side\n')
      work.commit('s')
      work.git('checkout', '-q', 'main')
      work.write('a.txt', 'main\n')
      work.commit('m')
      try {
        work.git('merge', 'side')
      } catch {
        /* as meant */
      }
    },
    tool: 'git_status',
    says: () => /both modified: {3}a\.txt/,
    data: () => ({ conflicted: ['a.txt'] }),
  },
  {
    name: 'nothing unstaged',
    tool: 'git_diff_unstaged',
    says: () => 'Unstaged changes:\n',
    data: () => ({ files: [], isCut: false }),
  },
  {
    name: 'a change',
    before: change,
    tool: 'git_diff_unstaged',
    says: (work) => `Unstaged changes:\n${work.git('diff')}`,
    data: () => ({ files: [{ path: 'a.txt', added: 1, deleted: 1 }] }),
  },
  {
    name: 'a change with its hunk',
    before: change,
    tool: 'git_diff_unstaged',
    says: () => new RegExp(escape(hunk)),
  },
  {
    name: 'a change without lines around it',
    before: change,
    tool: 'git_diff_unstaged',
    args: { context_lines: 0 },
    says: () => new RegExp(escape(hunkWithoutContext)),
  },
  {
    name: 'nothing that is only staged',
    before: stage,
    tool: 'git_diff_unstaged',
    says: () => 'Unstaged changes:\n',
  },
  {
    name: 'a binary file',
    before: (work) => work.write('b.txt', 'a\0b'),
    tool: 'git_diff_unstaged',
    says: () => /Binary files a\/b\.txt and b\/b\.txt differ/,
    data: () => ({ files: [{ path: 'b.txt' }] }),
  },
  {
    name: 'nothing staged',
    before: change,
    tool: 'git_diff_staged',
    says: () => 'Staged changes:\n',
  },
  {
    name: 'what is staged',
    before: stage,
    tool: 'git_diff_staged',
    says: (work) => `Staged changes:\n${work.git('diff', '--cached')}`,
  },
  {
    name: 'what is staged, in full',
    before: stage,
    tool: 'git_diff_staged',
    args: { context_lines: 100 },
    says: () => new RegExp(escape(hunk)),
  },
  {
    name: 'a new file that is staged',
    before(work) {
      work.write('n.txt', 'n\n')
      work.git('add', 'n.txt')
    },
    tool: 'git_diff_staged',
    says: () => /new file mode 100644/,
    data: () => ({ files: [{ path: 'n.txt', added: 1, deleted: 0 }] }),
  },
  {
    name: 'how it differs from a commit',
    tool: 'git_diff',
    args: { target: 'HEAD~1' },
    says: (work) => `Diff with HEAD~1:\n${work.git('diff', 'HEAD~1')}`,
    data: () => ({ files: [{ path: 'b.txt', added: 1, deleted: 0 }] }),
  },
  {
    name: 'how it differs from a branch',
    before: branchOff,
    tool: 'git_diff',
    args: { target: 'side' },
    says: (work) => `Diff with side:\n${work.git('diff', 'side')}`,
  },
  {
    name: 'how two branches differ',
    before: branchOff,
    tool: 'git_diff',
    args: { target: 'main..side' },
    says: (work) => `Diff with main..side:\n${work.git('diff', 'main..side')}`,
  },
  {
    name: 'what a branch did since it left',
    before(work) {
      branchOff(work)
      work.write('d.txt', '')
      work.commit('later')
    },
    tool: 'git_diff',
    args: { target: 'main...side' },
    says: (work) => `Diff with main...side:\n${work.git('diff', 'main...side')}`,
  },
  {
    name: 'a rename since',
    before(work) {
      work.git('mv', 'a.txt', 'z.txt')
      work.commit('moved')
    },
    tool: 'git_diff',
    args: { target: 'HEAD~1' },
    says: () => /rename from a\.txt\nrename to z\.txt/,
    data: () => ({ files: [{ path: 'z.txt', oldPath: 'a.txt', added: 0, deleted: 0 }] }),
  },
  {
    name: 'no difference from a branch that is not there',
    tool: 'git_diff',
    args: { target: 'nobody' },
    says: () => 'There is no target "nobody".',
    isError: true,
  },
  {
    name: 'the commit it made',
    before: stage,
    tool: 'git_commit',
    args: { message: 'third' },
    says: (work) => `Changes committed successfully with hash ${head(work)}`,
    data: (work) => ({ hash: head(work) }),
  },
  {
    name: 'that there is nothing to commit',
    tool: 'git_commit',
    args: { message: 'nothing' },
    says: () => /nothing to commit/,
    isError: true,
  },
  {
    name: 'that a message is missing',
    before: stage,
    tool: 'git_commit',
    args: { message: '  ' },
    says: () => 'A commit needs a message.',
    isError: true,
  },
  {
    name: 'that files are staged',
    before: change,
    tool: 'git_add',
    args: { files: ['a.txt'] },
    says: () => 'Files staged successfully',
    data: () => ({ staged: ['a.txt'] }),
  },
  {
    name: 'that everything is staged',
    before(work) {
      change(work)
      work.write('x/y.txt', '')
      rmSync(join(work.folder, 'b.txt'))
    },
    tool: 'git_add',
    args: { files: ['.'] },
    says: () => 'Files staged successfully',
    data: () => ({ staged: ['a.txt', 'b.txt', 'x/y.txt'] }),
  },
  {
    name: 'that a deletion is staged',
    before: (work) => rmSync(join(work.folder, 'b.txt')),
    tool: 'git_add',
    args: { files: ['b.txt'] },
    says: () => 'Files staged successfully',
    data: () => ({ staged: ['b.txt'] }),
  },
  {
    name: 'that a file whose name looks like an option is staged',
    before: (work) => work.write('--force', ''),
    tool: 'git_add',
    args: { files: ['--force'] },
    says: () => 'Files staged successfully',
    data: () => ({ staged: ['--force'] }),
  },
  {
    name: 'that a file is not there',
    tool: 'git_add',
    args: { files: ['nobody.txt'] },
    says: () => /pathspec 'nobody\.txt' did not match/,
    isError: true,
  },
  {
    name: 'that a pattern is no file',
    tool: 'git_add',
    args: { files: ['*.txt'] },
    says: () => /did not match/,
    isError: true,
  },
  {
    name: 'that all is unstaged',
    before: stage,
    tool: 'git_reset',
    says: () => 'All staged changes reset',
    data: () => ({ success: true }),
  },
  {
    name: 'the history',
    tool: 'git_log',
    says: (work) => `Commit history:\n${log(work)}\n`,
    data: (work) => ({
      commits: [
        {
          hash: head(work),
          author: 'Ada Lovelace',
          email: 'ada@example.com',
          message: 'second\n\nwith a reason',
        },
        { message: 'first', parents: [] },
      ],
    }),
  },
  {
    name: 'the last commit',
    tool: 'git_log',
    args: { max_count: 1 },
    says: (work) => `Commit history:\n${log(work, '-1')}\n`,
  },
  {
    name: 'the history since a time',
    tool: 'git_log',
    args: { start_timestamp: '1 hour ago' },
    says: (work) => `Commit history:\n${log(work)}\n`,
  },
  {
    name: 'no history of the future',
    tool: 'git_log',
    args: { start_timestamp: '2090-01-01' },
    says: () => 'Commit history:\n',
    data: () => ({ commits: [] }),
  },
  {
    name: 'no history before git',
    tool: 'git_log',
    args: { end_timestamp: '2001-01-01T00:00:00Z' },
    says: () => 'Commit history:\n',
  },
  {
    name: 'a merge in the history',
    before(work) {
      branchOff(work)
      work.git('merge', '-q', '--no-ff', '-m', 'merged', 'side')
    },
    tool: 'git_log',
    args: { max_count: 1 },
    says: () => /Message: merged/,
    data: (work) => ({
      commits: [{ parents: [work.git('rev-parse', 'HEAD^1'), work.git('rev-parse', 'HEAD^2')] }],
    }),
  },
  {
    name: 'the branch it made',
    tool: 'git_create_branch',
    args: { branch_name: 'feature/x' },
    says: () => "Created branch 'feature/x' from 'main'",
    data: (work) => ({ branch: 'feature/x', base: 'main', hash: head(work) }),
  },
  {
    name: 'the branch it made from another',
    before: branchOff,
    tool: 'git_create_branch',
    args: { branch_name: 'again', base_branch: 'side' },
    says: () => "Created branch 'again' from 'side'",
  },
  {
    name: 'that the branch is there already',
    tool: 'git_create_branch',
    args: { branch_name: 'main' },
    says: () => /already exists/,
    isError: true,
  },
  {
    name: 'that there is no such base',
    tool: 'git_create_branch',
    args: { branch_name: 'x', base_branch: 'nobody' },
    says: () => 'There is no base branch "nobody".',
    isError: true,
  },
  {
    name: 'the branch it switched to',
    before: branchOff,
    tool: 'git_checkout',
    args: { branch_name: 'side' },
    says: () => "Switched to branch 'side'",
    data: (work) => ({ branch: 'side', hash: head(work) }),
  },
  {
    name: 'the tag it switched to',
    before: (work) => void work.git('tag', 'v1', 'HEAD~1'),
    tool: 'git_checkout',
    args: { branch_name: 'v1' },
    says: () => "Switched to branch 'v1'",
    data: (work) => ({ hash: work.git('rev-parse', 'v1') }),
  },
  {
    name: 'that a change would be lost',
    before(work) {
      branchOff(work)
      work.write('c.txt', 'mine\n')
    },
    tool: 'git_checkout',
    args: { branch_name: 'side' },
    says: () => /would be overwritten by checkout/,
    isError: true,
  },
  {
    name: 'that a file is no branch',
    tool: 'git_checkout',
    args: { branch_name: 'a.txt' },
    says: () => 'There is no branch "a.txt".',
    isError: true,
  },
  {
    name: 'a commit',
    tool: 'git_show',
    args: { revision: 'HEAD' },
    says: (work) => `${log(work, '-1')}\n\n--- b.txt\n+++ b.txt\n@@ -0,0 +1 @@\n+b\n`,
    data: () => ({ files: [{ path: 'b.txt', added: 1, deleted: 0 }], isCut: false }),
  },
  {
    name: 'the first commit',
    tool: 'git_show',
    args: { revision: 'HEAD~1' },
    says: (work) =>
      `${log(work, '-1', 'HEAD~1')}\n\n--- a.txt\n+++ a.txt\n@@ -0,0 +1,3 @@\n+one\n+two\n+three\n`,
  },
  {
    name: 'a rename with a change',
    before(work) {
      work.git('mv', 'a.txt', 'z.txt')
      work.write('z.txt', 'one\ntwo\nthree\nfour\n')
      work.commit('moved')
    },
    tool: 'git_show',
    args: { revision: 'main' },
    says: () => /\n--- a\.txt\n\+\+\+ z\.txt\n@@ -1,3 \+1,4 @@/,
  },
  {
    name: 'a merge, as it changed its first parent',
    before(work) {
      branchOff(work)
      work.git('merge', '-q', '--no-ff', '-m', 'merged', 'side')
    },
    tool: 'git_show',
    args: { revision: 'HEAD' },
    says: () => /Message: merged\n\n--- c\.txt\n\+\+\+ c\.txt\n@@ -0,0 \+1 @@\n\+c\n$/,
  },
  {
    name: 'what an annotated tag names',
    before: (work) => void work.git('tag', '-a', 'v1', '-m', 'note'),
    tool: 'git_show',
    args: { revision: 'v1' },
    says: () => /^Commit: [^]*Message: second/,
  },
  {
    name: 'that there is no such commit',
    tool: 'git_show',
    args: { revision: 'deadbeef' },
    says: () => 'There is no revision "deadbeef".',
    isError: true,
  },
  {
    name: 'the branches',
    before: branchOff,
    tool: 'git_branch',
    args: { branch_type: 'local' },
    says: () => '* main\n  side',
    data: () => ({
      branches: [
        { name: 'main', isCurrent: true, isRemote: false },
        { name: 'side', isCurrent: false },
      ],
    }),
  },
  {
    name: 'the branches that contain a commit',
    before: branchOff,
    tool: 'git_branch',
    args: { branch_type: 'local', contains: 'side' },
    says: () => '  side',
  },
  {
    name: 'the branches that do not',
    before: branchOff,
    tool: 'git_branch',
    args: { branch_type: 'all', not_contains: 'side' },
    says: () => '* main',
  },
  {
    name: 'branches of a remote',
    before: (work) => void work.git('update-ref', 'refs/remotes/origin/main', 'HEAD'),
    tool: 'git_branch',
    args: { branch_type: 'remote' },
    says: () => '  origin/main',
    data: () => ({ branches: [{ name: 'origin/main', isRemote: true }] }),
  },
  {
    name: 'all branches',
    before: (work) => void work.git('update-ref', 'refs/remotes/origin/main', 'HEAD'),
    tool: 'git_branch',
    args: { branch_type: 'all' },
    says: () => '* main\n  remotes/origin/main',
  },
  {
    name: 'that there is no such kind of branch',
    tool: 'git_branch',
    args: { branch_type: 'toString' },
    says: () => 'Invalid branch type: toString',
    isError: true,
  },
]

describe('answers', () => {
  test.each(cases)('$tool shows $name', async ({ before, tool, args, says, data, isError }) => {
    const work = await freshWork()
    before?.(work)
    await using client = await openGit({ repository: work.folder })

    const result = await client.callTool(tool, { repo_path: work.folder, ...args })

    const expected = says(work)
    const [text = ''] = textsOf(result)
    if (typeof expected === 'string') expect(text).toBe(expected)
    else expect(text).toMatch(expected)
    expect(result.isError ?? false).toBe(isError ?? false)
    if (data) expect(result.structuredContent).toMatchObject(data(work))
  })
})

test('works before the first commit', async () => {
  const work = plainWork(await freshFolder())
  work.git('init', '-q', '-b', 'main')
  work.git('config', 'user.name', 'Ada')
  work.git('config', 'user.email', 'ada@example.com')
  work.write('a.txt', '')
  await using client = await openGit()
  const call = (tool: string, args = {}) =>
    client.callTool(tool, { repo_path: work.folder, ...args })

  expect(textsOf(await call('git_status'))[0]).toContain('No commits yet')
  expect((await call('git_log')).isError).toBe(true)
  expect((await call('git_add', { files: ['a.txt'] })).structuredContent).toEqual({
    staged: ['a.txt'],
    isCut: false,
  })
  expect((await call('git_reset')).isError).toBeUndefined()
  await call('git_add', { files: ['.'] })
  expect((await call('git_commit', { message: 'first' })).isError).toBeUndefined()
})

test('works in a linked work tree, a submodule and a folder below', async () => {
  const work = await freshWork()
  const tree = join(await freshFolder(), 'tree')
  work.git('worktree', 'add', '-q', '-b', 'side', tree)
  work.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', work.folder, 'sub')
  mkdirSync(join(work.folder, 'x/y'), { recursive: true })
  await using client = await openGit()
  await using confined = await openGit({ repository: work.folder })
  const branchAt = async (path: string, from = client) => {
    const { structuredContent } = await from.callTool('git_status', { repo_path: path })
    return (structuredContent as { branch: string }).branch // an answer of ours
  }

  expect(await branchAt(tree)).toBe('side')
  expect(await branchAt(join(work.folder, 'sub'))).toBe('main')
  expect(await branchAt(join(work.folder, 'x/y'))).toBe('main')
  expect(await branchAt(join(work.folder, 'sub'), confined)).toBe('main')
  expect(await branchAt('.', confined)).toBe('main')
  const outside = await confined.callTool('git_status', { repo_path: tree })
  expect(textsOf(outside)).toEqual([
    `Repository path '${tree}' is outside the allowed repository '${work.folder}'`,
  ])
})

test('a large difference is cut, and says so', async () => {
  const work = await freshWork()
  work.write('a.txt', 'long line of text\n'.repeat(400_000))
  await using client = await openGit()

  const result = await client.callTool('git_diff_unstaged', { repo_path: work.folder })

  expect(textsOf(result)[0]).toMatch(/\[cut after 4194304 bytes\]$/)
  expect(result.structuredContent).toMatchObject({ isCut: true, files: [{ added: 400_000 }] })
})

/** A thousand letters, so that a few thousand of them are more than is kept of an answer. */
const longName = (index: number) =>
  `${String(index).padStart(4, '0')}${`/${'x'.repeat(250)}`.repeat(4)}`
const names = Array.from({ length: 4_500 }, (_, index) => longName(index))

test('lists that are too long end with a whole entry, and say that they are cut', async () => {
  const work = await freshWork()
  const [blob, hash] = [work.git('rev-parse', 'HEAD:b.txt'), head(work)]
  execFileSync('git', ['update-index', '--index-info'], {
    cwd: work.folder,
    input: names.map((name) => `100644 ${blob}\t${name}\n`).join(''),
  })
  const refs = names.map((name) => `${hash} refs/heads/${name}\n`).join('')
  work.write('.git/packed-refs', `# pack-refs with: peeled fully-peeled sorted \n${refs}`)
  await using client = await openGit()
  const call = async (tool: string, args = {}) => {
    const result = await client.callTool(tool, { repo_path: work.folder, ...args })
    const data = result.structuredContent as Lists // the client has checked it by the schema
    return { text: textsOf(result)[0] ?? '', data }
  }

  const status = await call('git_status')
  const added = await call('git_add', { files: [] })
  const branches = await call('git_branch', { branch_type: 'local' })

  for (const { text, data } of [status, added, branches]) {
    expect(data.isCut).toBe(true)
    expect(text.slice(-60)).toContain('[cut')
  }
  for (const list of [
    status.data.staged,
    added.data.staged,
    branches.data.branches?.map(({ name }) => name),
  ]) {
    expect(list?.length).toBeGreaterThan(1_000)
    expect(list).toEqual(names.slice(0, list?.length))
  }
})

interface Lists {
  readonly isCut: boolean
  readonly staged?: readonly string[]
  readonly branches?: readonly { readonly name: string }[]
}

test('a history that is too long ends with a whole commit, and says that it is cut', async () => {
  const work = await freshWork()
  const file = join(work.folder, '../message')
  for (const letter of ['a', 'b', 'c']) {
    writeFileSync(file, letter.repeat(2_000_000))
    work.git('commit', '-q', '--allow-empty', '--file', file)
  }
  await using client = await openGit()

  const result = await client.callTool('git_log', { repo_path: work.folder })

  expect(result.structuredContent).toMatchObject({
    commits: [{ message: 'c'.repeat(2_000_000) }, { message: 'b'.repeat(2_000_000) }],
    isCut: true,
  })
  expect(textsOf(result)[0]?.slice(-30)).toContain('\n[cut: there is more]')
})

describe('what a commit changed is shown under the name of what was changed', () => {
  async function show(work: Work) {
    await using client = await openGit()
    const result = await client.callTool('git_show', { repo_path: work.folder, revision: 'HEAD' })
    return textsOf(result)[0] ?? ''
  }

  test.each(['\r', '\u2028', '\u2029'])(
    'with %j before what looks like a new file',
    async (end) => {
      const work = await freshWork()
      work.write('cr.txt', `first${end}diff --git a/x b/x\n@@ -1 +1 @@${end}@@ x\nsecond\n`)
      work.write('zz.txt', 'last\n')
      work.commit('tricky')

      const text = await show(work)

      expect(text.slice(text.indexOf('\n--- '))).toBe(
        `\n--- cr.txt\n+++ cr.txt\n@@ -0,0 +1,3 @@\n+first${end}diff --git a/x b/x\n+@@ -1 +1 @@${end}@@ x\n+second\n` +
          '\n--- zz.txt\n+++ zz.txt\n@@ -0,0 +1 @@\n+last\n',
      )
    },
  )

  test('when a file becomes a link', async () => {
    const work = await freshWork()
    rmSync(join(work.folder, 'a.txt'))
    symlinkSync('b.txt', join(work.folder, 'a.txt'))
    work.write('b.txt', 'changed\n')
    work.commit('a link')

    const text = await show(work)

    const [, ofLink = '', ofFile] = text.split(/\n--- [ab]\.txt\n/)
    expect(ofLink).toContain('-one\n-two\n-three\n')
    expect(ofLink).toContain('+b.txt\n\\ No newline')
    expect(ofFile).toBe('+++ b.txt\n@@ -1 +1 @@\n-b\n+changed\n')
  })

  test('when its name would read as several lines', async () => {
    const work = await freshWork()
    work.write('a\n+++ b.txt', 'x\n')
    work.commit('tricky')

    expect(await show(work)).toContain('\n--- "a\\n+++ b.txt"\n+++ "a\\n+++ b.txt"\n@@')
  })
})

testOnPosix('tools that are called side by side take turns', async () => {
  const work = await freshWork()
  const files = Array.from({ length: 6 }, (_, index) => `${index}.txt`)
  for (const file of files) work.write(file, file)
  // A git that takes its time, and fails as the real one does if another is at work.
  const program = join(work.folder, '../git')
  const lock = join(work.folder, '../lock')
  const slowly = `mkdir ${lock} || exit 1; git "$@"; sleep 0.1; rmdir ${lock}`
  const script = `#!/bin/sh\ncase "$*" in *' add -- '*) ${slowly};; *) exec git "$@";; esac\n`
  writeFileSync(program, script, { mode: 0o755 })
  await using client = await openGit({ git: program })
  const call = (tool: string, args: object) =>
    client.callTool(tool, { repo_path: work.folder, ...args })

  const results = await Promise.all([
    ...files.map((file) => call('git_add', { files: [file] })),
    call('git_status', {}),
    call('git_create_branch', { branch_name: 'side' }),
  ])

  expect(results.filter(({ isError }) => isError).map(textsOf)).toEqual([])
  expect(work.git('diff', '--cached', '--name-only').split('\n')).toEqual(files)
})

test('links are shown as links', async () => {
  const work = await freshWork()
  symlinkSync('/etc/passwd', join(work.folder, 'link'))
  await using client = await openGit()

  await client.callTool('git_add', { repo_path: work.folder, files: ['.'] })
  const result = await client.callTool('git_diff_staged', { repo_path: work.folder })

  expect(textsOf(result)[0]).toContain('+/etc/passwd\n\\ No newline')
  expect(textsOf(result)[0]).not.toContain('root:')
})

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
