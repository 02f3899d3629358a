import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'

import { createGitRunner } from '@parley/server-kit/git'
import { describe, expect, onTestFinished, test } from 'vitest'

import { testOnPosix } from '../../../test-support/on-posix.ts'
import { createRepositories } from '../src/repositories.ts'
import { freshFolder, freshWork, openGit, plainWork, textsOf } from './support.ts'

describe('CVE-2025-68143: any folder made a repository', () => {
  test('no tool makes one, and a folder that is none is refused', async () => {
    const folder = await freshFolder()
    writeFileSync(join(folder, 'secret.txt'), 'secret')
    await using client = await openGit()

    const names = (await client.listTools().toArray()).map(({ name }) => name)
    const status = await client.callTool('git_status', { repo_path: folder })
    const added = await client.callTool('git_add', { repo_path: folder, files: ['.'] })

    expect(names).not.toContain('git_init')
    expect(textsOf(status)).toEqual([`${folder} is not a git repository.`])
    expect(added.isError).toBe(true)
    expect(existsSync(join(folder, '.git'))).toBe(false)
  })
})

describe('CVE-2025-68144: arguments that git takes for options', () => {
  const flags = (file: string) =>
    [
      ['git_diff', { target: `--output=${file}` }],
      ['git_diff', { target: `HEAD..--output=${file}` }],
      ['git_diff', { target: '--no-index' }],
      ['git_checkout', { branch_name: '--force' }],
      ['git_checkout', { branch_name: '-b' }],
      ['git_create_branch', { branch_name: '--force' }],
      ['git_create_branch', { branch_name: 'x', base_branch: '--help' }],
      ['git_show', { revision: `--output=${file}` }],
      ['git_show', { revision: '-p' }],
      ['git_log', { start_timestamp: `--output=${file}` }],
      ['git_log', { end_timestamp: '-n' }],
      ['git_branch', { branch_type: 'local', contains: '--edit-description' }],
      ['git_branch', { branch_type: 'local', not_contains: '-D' }],
      ['git_branch', { branch_type: '--all' }],
    ] as const

  test('are refused, and write nothing', async () => {
    const work = await freshWork()
    const file = join(dirname(work.folder), 'written')
    await using client = await openGit()

    for (const [tool, args] of flags(file)) {
      const result = await client.callTool(tool, { repo_path: work.folder, ...args })
      expect(result.isError, JSON.stringify(args)).toBe(true)
      expect(textsOf(result)[0]).toMatch(/^(Invalid|There is no) /)
    }

    expect(existsSync(file)).toBe(false)
    expect(work.git('branch')).toBe('* main')
  })

  test('names that only look like one are names', async () => {
    const work = await freshWork()
    work.write('--force', 'x')
    await using client = await openGit()

    const result = await client.callTool('git_add', { repo_path: work.folder, files: ['--force'] })

    expect(result.structuredContent).toEqual({ staged: ['--force'], isCut: false })
  })
})

describe('CVE-2025-68145: another repository than the one that was allowed', () => {
  test('is refused, by whatever name', async () => {
    const work = await freshWork()
    const other = await freshWork('work-other')
    symlinkSync(other.folder, join(work.folder, 'link'))
    mkdirSync(join(work.folder, 'sub'))
    writeFileSync(join(work.folder, 'sub/.git'), `gitdir: ${other.folder}/.git\n`)
    await using client = await openGit({ repository: work.folder })

    for (const path of [
      other.folder,
      `${work.folder}-other`,
      join(work.folder, '..'),
      `${work.folder}/../work-other`,
      join(work.folder, 'link'),
      join(work.folder, 'sub'),
      '/',
      '../work-other',
    ]) {
      const result = await client.callTool('git_log', { repo_path: path })
      expect(result.isError, path).toBe(true)
      expect(textsOf(result)[0]).toMatch(/outside the allowed repository|not an allowed place/)
    }
  })

  describe.each(['../..', '/'])('by core.worktree, which names %s', (named) => {
    /** A repository that makes the folder around it its own, and what its tools say there. */
    async function moved() {
      const work = await freshWork()
      const outside = dirname(work.folder)
      work.write('victim.txt', 'written by the repository\n')
      work.commit('what a checkout would write')
      work.git('branch', 'evil')
      work.git('reset', '-q', '--hard', 'HEAD~1')
      writeFileSync(join(outside, 'victim.txt'), 'precious\n')
      const move = () => work.git('config', 'core.worktree', named)
      const unharmed = () =>
        expect(readFileSync(join(outside, 'victim.txt'), 'utf8')).toBe('precious\n')
      const attack = async (client: Awaited<ReturnType<typeof openGit>>) => {
        const call = (tool: string, args: object) =>
          client.callTool(tool, { repo_path: work.folder, ...args })
        const results = [
          await call('git_status', {}),
          await call('git_add', { files: [join(outside, 'victim.txt')] }),
          await call('git_diff_unstaged', {}),
          await call('git_checkout', { branch_name: 'evil' }),
        ]
        expect(results.map(({ isError }) => isError)).toEqual([true, true, true, true])
        expect(JSON.stringify(results)).not.toContain('victim.txt')
      }
      return { work, move, attack, unharmed }
    }

    test('nothing outside is read or written', async () => {
      const { move, attack, unharmed } = await moved()
      move()
      await using client = await openGit()

      await attack(client)

      unharmed()
    })

    test('with --repository neither, and the program does not start with it', async () => {
      const { work, move, attack, unharmed } = await moved()
      await using client = await openGit({ repository: work.folder })
      move()

      await attack(client)

      unharmed()
      await expect(openGit({ repository: work.folder })).rejects.toThrow('Remove core.worktree')
    })
  })

  test('cannot be borrowed from by the one that was allowed', async () => {
    const work = await freshWork()
    const other = await freshWork('other')
    await using client = await openGit({ repository: work.folder })
    const revision = other.commit('secret of somebody else')
    work.write('.git/objects/info/alternates', `${other.folder}/.git/objects\n`)

    const result = await client.callTool('git_show', { repo_path: work.folder, revision })

    expect(textsOf(result)[0]).toContain('uses objects of')
  })

  test('ends the program when it is no repository', async () => {
    await expect(openGit({ repository: await freshFolder() })).rejects.toThrow(
      'not a git repository',
    )
  })

  test('without --repository a .git file still cannot lend the repository of somebody else', async () => {
    const victim = await freshWork('victim')
    const folder = await freshFolder()
    writeFileSync(join(folder, '.git'), `gitdir: ${victim.folder}/.git\n`)
    await using client = await openGit()

    const result = await client.callTool('git_log', { repo_path: folder })

    expect(textsOf(result)[0]).toContain('not an allowed place')
  })
})

describe('CVE-2026-27735: files from outside staged by git_add', () => {
  test.each([
    '../secret.txt',
    '/etc/passwd',
    'out/secret.txt',
    'leaf',
    'a/../../secret.txt',
    '.git/config',
  ])('%s is refused, and nothing is staged', async (path) => {
    const work = await freshWork()
    const outside = dirname(work.folder)
    writeFileSync(join(outside, 'secret.txt'), 'secret')
    symlinkSync(outside, join(work.folder, 'out'))
    symlinkSync('/etc/passwd', join(work.folder, 'leaf'))
    work.write('a.txt', 'changed\n')
    await using client = await openGit()

    const result = await client.callTool('git_add', {
      repo_path: work.folder,
      files: ['a.txt', path],
    })

    expect(textsOf(result)).toEqual([`Path ${JSON.stringify(path)} is outside the work tree.`])
    expect(work.git('diff', '--cached', '--name-only')).toBe('')
  })
})

testOnPosix('nothing that a submodule brings along runs', async () => {
  const work = await freshWork()
  const trace = join(dirname(work.folder), 'it-ran')
  const program = join(dirname(work.folder), 'trap.sh')
  writeFileSync(program, `#!/bin/sh\ntouch '${trace}'\ncat\n`)
  chmodSync(program, 0o755)
  work.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', work.folder, 'sub')
  work.commit('with a submodule')
  const sub = plainWork(join(work.folder, 'sub'))
  sub.write('.gitattributes', '* filter=evil\n')
  sub.git('config', 'filter.evil.clean', program)
  sub.git('config', 'core.fsmonitor', program)
  sub.write('a.txt', 'two\none\nthree\n') // as long as before, so that git must look inside
  await using client = await openGit({
    repository: work.folder,
    enable: ['stash', 'merge', 'restore'],
  })
  const call = (tool: string, args = {}) =>
    client.callTool(tool, { repo_path: work.folder, ...args })

  const calls = [
    ['git_status'],
    ['git_commit', { message: 'nothing is staged' }],
    ['git_diff_unstaged'],
    ['git_diff', { target: 'HEAD~1' }],
    ['git_add', { files: ['.'] }],
    ['git_add', { files: ['sub'] }],
    ['git_create_branch', { branch_name: 'before', base_branch: 'HEAD~1' }],
    ['git_stash', { action: 'push' }],
    ['git_checkout', { branch_name: 'before' }],
    ['git_checkout', { branch_name: 'main' }],
    ['git_merge', { branch: 'before' }],
    ['git_restore', { files: ['sub'] }],
    ['git_reset'],
    ['git_show', { revision: 'HEAD' }],
  ] as const
  for (const [tool, args] of calls) {
    await call(tool, args)
    expect(existsSync(trace), `${tool} ${JSON.stringify(args)}`).toBe(false)
  }
})

testOnPosix('nothing that a repository brings along runs', async () => {
  const work = await freshWork()
  const trace = join(dirname(work.folder), 'it-ran')
  const program = join(dirname(work.folder), 'trap.sh')
  writeFileSync(program, `#!/bin/sh\ntouch '${trace}'\n`)
  chmodSync(program, 0o755)
  mkdirSync(join(work.folder, '.git/hooks'), { recursive: true })
  for (const hook of [
    'pre-commit',
    'commit-msg',
    'post-commit',
    'post-checkout',
    'reference-transaction',
    'post-index-change',
    'prepare-commit-msg',
  ]) {
    writeFileSync(join(work.folder, '.git/hooks', hook), readFileSync(program), { mode: 0o755 })
  }
  work.write('.gitattributes', '* filter=evil diff=evil merge=evil\n')
  await using client = await openGit({
    repository: work.folder,
    enable: ['stash', 'tag', 'blame', 'merge', 'restore'],
  })
  for (const key of [
    'core.fsmonitor',
    'core.pager',
    'core.editor',
    'diff.external',
    'gpg.program',
    'filter.evil.clean',
    'filter.evil.smudge',
    'filter.evil.process',
    'diff.evil.textconv',
    'diff.evil.command',
    'merge.evil.driver',
  ]) {
    work.write(
      '.git/config',
      `${readFileSync(join(work.folder, '.git/config'), 'utf8')}\n[${section(key)}]\n${key.split('.').at(-1)} = ${program}\n`,
    )
  }
  work.write(
    '.git/config',
    `${readFileSync(join(work.folder, '.git/config'), 'utf8')}\n[commit]\ngpgSign = true\n[log]\nshowSignature = true\n`,
  )
  const call = (tool: string, args = {}) =>
    client.callTool(tool, { repo_path: work.folder, ...args })

  work.write('a.txt', 'changed\n')
  const results = [
    await call('git_status'),
    await call('git_diff_unstaged'),
    await call('git_add', { files: ['.'] }),
    await call('git_diff_staged'),
    await call('git_commit', { message: 'third' }),
    await call('git_log'),
    await call('git_show', { revision: 'HEAD' }),
    await call('git_diff', { target: 'HEAD~2' }),
    await call('git_create_branch', { branch_name: 'side', base_branch: 'HEAD~1' }),
    await call('git_checkout', { branch_name: 'side' }),
    await call('git_branch', { branch_type: 'all' }),
    await call('git_merge', { branch: 'main' }),
    await call('git_blame', { path: 'a.txt' }),
    await call('git_tag', { action: 'create', name: 'v1', message: 'one' }),
    await call('git_reset'),
  ]

  expect(results.map((result) => result.isError && textsOf(result))).toEqual(
    results.map(() => undefined),
  )
  expect(existsSync(trace)).toBe(false)
})

function section(key: string): string {
  const [first, middle, last] = key.split('.')
  return last === undefined ? `${first}` : `${first} "${middle}"`
}

describe('an address that reads as another than it is', () => {
  async function listening() {
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.writeHead(404).end()
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo // it listens on a port
    return { asked, port }
  }
  const remotes = ['http://allowed.example/team/']

  test.each([
    (port: number) => `http://allowed.example\\team\\@127.0.0.1:${port}/x.git`,
    (port: number) => `http://allowed.example/team/\t@127.0.0.1:${port}/x.git`,
    (port: number) => `http://127.0.0.1:${port}#@allowed.example/team/x.git`,
    (port: number) => `http://127.0.0.1:${port}%2f@allowed.example/team/x.git`,
    () => 'http://allowed.example/team/%zz',
  ])('is neither cloned nor pushed to, and nobody is asked about it (%#)', async (write) => {
    const { asked, port } = await listening()
    const work = await freshWork()
    const questions: string[] = []
    work.write('.git/config', configWith(work.folder, write(port)))
    const directory = await freshFolder()
    await using client = await openGit(
      { enable: ['clone', 'fetch', 'push'], directory, remotes },
      {
        elicit({ message }) {
          questions.push(message)
          return { action: 'accept', content: { confirm: true } }
        },
      },
    )

    const cloned = await client.callTool('git_clone', { url: write(port), name: 'x' })
    const fetched = await client.callTool('git_fetch', { repo_path: work.folder })
    const pushed = await client.callTool('git_push', { repo_path: work.folder })

    for (const { isError } of [cloned, fetched, pushed]) expect(isError).toBe(true)
    expect(textsOf(pushed)[0]).toContain('It is not a plain address.')
    expect([asked, questions]).toEqual([[], []])
  })
})

function configWith(folder: string, url: string): string {
  const own = readFileSync(join(folder, '.git/config'), 'utf8')
  return `${own}\n[remote "origin"]\n\turl = ${JSON.stringify(url)}\n`
}

describe('settings that hold only somewhere else', () => {
  test.each(['gitdir:**/worktrees/**', 'onbranch:side'])(
    'run nothing in a new work tree, by %s',
    async (condition) => {
      const { work, trace, directory, opened } = await withConditional(condition, 'elsewhere')
      await using client = opened

      const added = await client.callTool('git_worktree_add', {
        repo_path: work.folder,
        name: 'tree',
        branch: 'side',
      })

      expect(added.isError).toBeUndefined()
      expect(readFileSync(join(directory, 'tree/b.txt'), 'utf8')).toBe('b\n')
      expect(existsSync(trace)).toBe(false)
    },
  )

  test('forbid to change anything when they are among the files of the repository', async () => {
    const { work, trace, directory, opened } = await withConditional('onbranch:side', 'own')
    await using client = opened
    const call = (tool: string, args: object) =>
      client.callTool(tool, { repo_path: work.folder, ...args })

    const added = await call('git_worktree_add', { name: 'tree', branch: 'side' })
    const switched = await call('git_checkout', { branch_name: 'main' })
    const log = await call('git_log', { max_count: 1 })

    expect(textsOf(added)[0]).toContain('which git could change while it works')
    expect(textsOf(switched)[0]).toContain('which git could change while it works')
    expect(log.isError).toBeUndefined()
    expect([existsSync(trace), existsSync(join(directory, 'tree'))]).toEqual([false, false])
  })

  async function withConditional(condition: string, place: 'elsewhere' | 'own') {
    const work = await freshWork()
    const [outside, directory] = [dirname(work.folder), await freshFolder()]
    const trace = join(outside, 'it-ran')
    const file = place === 'own' ? join(work.folder, '.git/evil') : join(outside, 'evil')
    const run = `touch ${trace}; cat`
    writeFileSync(file, `[filter "evil"]\n\tsmudge = "${run}"\n\tclean = "${run}"\n`)
    work.write('.gitattributes', '* filter=evil\n')
    work.commit('attributes')
    work.git('config', `includeIf.${condition}.path`, file)
    const opened = await openGit({
      repository: work.folder,
      directory,
      settingsFiles: [outside],
      enable: ['worktree'],
    })
    return { work, trace, directory, opened }
  }
})

test('a repository on another computer is refused on Windows before it is looked at', async () => {
  const work = await freshWork()
  const repositories = await createRepositories(
    createGitRunner({ userSettings: false }),
    { repository: work.folder },
    'win32',
  )

  for (const path of ['//evil.example/share', String.raw`\\evil.example\share`]) {
    await expect(repositories.open(path)).rejects.toThrow('is on another computer')
  }
  await expect(repositories.open('.')).resolves.toBeDefined()
})
