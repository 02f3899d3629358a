import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

import { createGitRunner } from '@parley/server-kit/git'
import { describe, expect, test } from 'vitest'

import { describeOnPosix } from '../../../../test-support/on-posix.ts'
import {
  freshFolder,
  freshRepository,
  plainRepository,
  trap,
  type PlainRepository,
} from './support.ts'

const runner = createGitRunner({ userSettings: false })

/** A way to have git run a program: how to set it up, and the command that springs it. */
interface Trap {
  readonly name: string
  readonly set: (repository: PlainRepository, program: string) => void
  readonly args: readonly string[]
  readonly input?: string
  readonly protocols?: readonly string[]
}

const everyFile =
  (attribute: string) => (repository: PlainRepository, key: string, program: string) => {
    repository.write('.gitattributes', `* ${attribute}\n`)
    repository.git('config', key, program)
  }
const changeFile = (repository: PlainRepository) => repository.write('a.txt', 'changed\n')
function diverge(repository: PlainRepository): void {
  repository.commit('attributes')
  repository.git('checkout', '-q', '-b', 'other')
  repository.write('a.txt', 'theirs\n')
  repository.commit('theirs')
  repository.git('checkout', '-q', 'main')
  repository.write('a.txt', 'ours\n')
  repository.commit('ours')
}
const commitEverything = ['commit', '--all', '--message', 'x']

const traps: readonly Trap[] = [
  {
    name: 'a hook',
    set(repository, program) {
      copyFileSync(program, join(repository.folder, '.git/hooks/pre-commit'))
      changeFile(repository)
    },
    args: commitEverything,
  },
  {
    name: 'a hook in the work tree, by core.hooksPath',
    set(repository, program) {
      mkdirSync(join(repository.folder, 'hooks'))
      copyFileSync(program, join(repository.folder, 'hooks/post-commit'))
      repository.git('config', 'core.hooksPath', 'hooks')
      changeFile(repository)
    },
    args: commitEverything,
  },
  {
    name: 'core.fsmonitor',
    set: (repository, program) => repository.git('config', 'core.fsmonitor', program),
    args: ['status'],
  },
  ...(['clean', 'process'] as const).map((kind) => ({
    name: `filter.*.${kind}`,
    set(repository: PlainRepository, program: string) {
      everyFile('filter=evil')(repository, `filter.evil.${kind}`, program)
      changeFile(repository)
    },
    args: ['add', 'a.txt'],
  })),
  {
    name: 'a required filter whose name has a = in it',
    set(repository, program) {
      everyFile('filter=a=b')(repository, 'filter.a=b.clean', program)
      repository.git('config', 'filter.a=b.required', 'true')
      changeFile(repository)
    },
    args: ['add', 'a.txt'],
  },
  ...['', 'a\u2028b', 'A.é'].flatMap((name) =>
    (
      [
        ['filter', 'clean', ['add', 'a.txt']],
        ['filter', 'process', ['diff', '--no-ext-diff', '--no-textconv']],
        ['diff', 'textconv', ['diff', '--no-ext-diff', '--no-textconv']],
        ['diff', 'command', ['diff', '--no-ext-diff', '--no-textconv']],
      ] as const
    ).map(([section, last, args]) => ({
      name: `${section}.${JSON.stringify(name)}.${last}`,
      set(repository: PlainRepository, program: string) {
        everyFile(`${section}=${name}`)(repository, `${section}.${name}.${last}`, program)
        changeFile(repository)
      },
      args,
    })),
  ),
  ...['', 'a\u2028b'].map((name) => ({
    name: `merge.${JSON.stringify(name)}.driver`,
    set(repository: PlainRepository, program: string) {
      everyFile(`merge=${name}`)(repository, `merge.${name}.driver`, program)
      diverge(repository)
    },
    args: ['merge', '--no-edit', 'other'],
  })),
  {
    name: 'a filter from a file that is included',
    set(repository, program) {
      repository.write('.gitattributes', '* filter=evil\n')
      repository.write('more', `[filter "evil"]\n  clean = ${program}\n`)
      repository.git('config', 'include.path', '../more')
      changeFile(repository)
    },
    args: ['diff', '--no-ext-diff', '--no-textconv'],
  },
  {
    name: 'filter.*.smudge',
    set(repository, program) {
      everyFile('filter=evil')(repository, 'filter.evil.smudge', program)
      repository.git('add', '.gitattributes')
      rmSync(join(repository.folder, 'a.txt'))
    },
    args: ['checkout', '--', 'a.txt'],
  },
  {
    name: 'diff.external',
    set(repository, program) {
      repository.git('config', 'diff.external', program)
      changeFile(repository)
    },
    args: ['diff', '--no-ext-diff', '--no-textconv'],
  },
  ...(['command', 'textconv'] as const).map((kind) => ({
    name: `diff.*.${kind}`,
    set(repository: PlainRepository, program: string) {
      everyFile('diff=evil')(repository, `diff.evil.${kind}`, program)
      changeFile(repository)
    },
    args: ['diff', '--no-ext-diff', '--no-textconv'],
  })),
  {
    name: 'diff.*.textconv in blame',
    set: (repository, program) => everyFile('diff=evil')(repository, 'diff.evil.textconv', program),
    args: ['blame', '--no-textconv', 'a.txt'],
  },
  {
    name: 'merge.*.driver',
    set(repository, program) {
      everyFile('merge=evil')(repository, 'merge.evil.driver', program)
      diverge(repository)
    },
    args: ['merge', '--no-edit', 'other'],
  },
  {
    name: 'gpg.program when committing',
    set(repository, program) {
      repository.git('config', 'gpg.program', program)
      repository.git('config', 'commit.gpgSign', 'true')
      changeFile(repository)
    },
    args: commitEverything,
  },
  {
    name: 'gpg.program when reading the log',
    set(repository, program) {
      const tree = repository.git('rev-parse', 'HEAD^{tree}')
      const who = 'Ada <ada@example.com> 1700000000 +0000'
      const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----'
      const text = `tree ${tree}\nauthor ${who}\ncommitter ${who}\n${signature}\n\nsigned\n`
      const file = repository.write('.git/signed', text)
      const hash = repository.git('hash-object', '-t', 'commit', '-w', file)
      repository.git('update-ref', 'refs/heads/main', hash)
      repository.git('config', 'gpg.program', program)
      repository.git('config', 'log.showSignature', 'true')
    },
    args: ['log'],
  },
  {
    name: 'core.editor',
    set: (repository, program) => repository.git('config', 'core.editor', program),
    args: ['commit', '--amend'],
  },
  {
    name: 'sequence.editor',
    set(repository, program) {
      repository.commit('second')
      repository.git('config', 'sequence.editor', program)
    },
    args: ['rebase', '--interactive', 'HEAD~1'],
  },
  {
    name: 'credential.helper',
    set: (repository, program) => repository.git('config', 'credential.helper', program),
    args: ['credential', 'fill'],
    input: 'protocol=https\nhost=example.com\n\n',
  },
  {
    name: 'credential.<url>.helper',
    set: (repository, program) =>
      repository.git('config', 'credential.https://example.com.helper', `!${program}`),
    args: ['credential', 'fill'],
    input: 'protocol=https\nhost=example.com\n\n',
  },
  {
    name: 'core.askPass',
    set: (repository, program) => repository.git('config', 'core.askPass', program),
    args: ['credential', 'fill'],
    input: 'protocol=https\nhost=example.com\n\n',
  },
  {
    name: 'core.sshCommand',
    set: (repository, program) => repository.git('config', 'core.sshCommand', program),
    args: ['fetch', 'ssh://host.invalid/repository'],
    protocols: ['ssh'],
  },
  {
    name: 'core.gitProxy',
    set: (repository, program) => repository.git('config', 'core.gitProxy', program),
    args: ['fetch', 'git://host.invalid/repository'],
    protocols: ['git'],
  },
  {
    name: 'an ext:: remote',
    set(repository, program) {
      repository.git('config', 'protocol.ext.allow', 'always')
      repository.git('config', 'remote.origin.url', `ext::${program}`)
    },
    args: ['fetch', 'origin'],
    protocols: ['https'],
  },
  {
    name: 'an https: remote that is an ext:: one by url.*.insteadOf',
    set(repository, program) {
      repository.git('config', 'protocol.ext.allow', 'always')
      repository.git('config', `url.ext::${program} .insteadOf`, 'https://example.com/')
    },
    args: ['fetch', 'https://example.com/x'],
    protocols: ['https'],
  },
  {
    name: 'remote.*.uploadpack',
    set(repository, program) {
      repository.git('config', 'remote.origin.url', repository.folder)
      repository.git('config', 'remote.origin.uploadpack', program)
      repository.git('config', 'protocol.file.allow', 'always')
    },
    args: ['fetch', 'origin'],
    protocols: ['https'],
  },
  {
    name: 'the fetch of what a partial clone lacks',
    set(repository, program) {
      repository.git('config', 'core.repositoryFormatVersion', '1')
      repository.git('config', 'extensions.partialClone', 'origin')
      repository.git('config', 'remote.origin.promisor', 'true')
      repository.git('config', 'remote.origin.url', repository.folder)
      repository.git('config', 'remote.origin.uploadpack', program)
      const blob = repository.git('rev-parse', 'HEAD:a.txt')
      rmSync(join(repository.folder, '.git/objects', blob.slice(0, 2), blob.slice(2)))
    },
    args: ['show', 'HEAD:a.txt'],
  },
  ...(
    [
      ['status', ['status']],
      ['add', ['add', '.']],
      ['stash', ['stash', 'push']],
    ] as const
  ).flatMap(([command, args]) =>
    (['core.fsmonitor', 'filter.evil.clean'] as const).map((key) => ({
      name: `${key} of a submodule, in ${command}`,
      set(repository: PlainRepository, program: string) {
        const inner = plainRepository(join(repository.folder, 'inner'))
        mkdirSync(inner.folder)
        inner.git('init', '-q', '-b', 'main')
        inner.write('b.txt', 'one\n')
        inner.commit('inner')
        repository.git('-c', 'advice.addEmbeddedRepo=false', 'add', 'inner')
        repository.git('commit', '-qm', 'with a submodule')
        repository.write(
          '.gitmodules',
          '[submodule "inner"]\npath = inner\nurl = ./x\nignore = none\n',
        )
        inner.write('.gitattributes', '* filter=evil\n')
        inner.git('config', key, program)
        inner.write('b.txt', 'two\n')
        repository.write('a.txt', 'changed\n')
      },
      args,
    })),
  ),
]

describeOnPosix('a repository cannot have a program run', () => {
  test.each(traps)('by $name', async ({ set, args, input, protocols }) => {
    const repository = await freshRepository()
    const { program, hasSprung, reset } = trap(dirname(repository.folder))
    set(repository, program)
    reset()
    const plainArgs = args.filter((one) => !/^--(no-ext-diff|no-textconv)/.test(one))
    const copy = join(dirname(repository.folder), 'copy')
    cpSync(repository.folder, copy, { recursive: true, verbatimSymlinks: true })

    // That plain git falls for it shows that the trap is one.
    plainRepository(copy).tryGit(plainArgs, input)
    expect(hasSprung()).toBe(true)
    reset()
    const opened = await runner.open(repository.folder)
    await opened
      .run(args, { input, protocols, isWriting: true, timeoutMs: 5_000 })
      .catch(() => undefined)

    expect(hasSprung()).toBe(false)
  })
})

describe('a repository cannot be somewhere else', () => {
  test('by a .git file that names the repository of somebody else', async () => {
    const victim = await freshRepository('victim')
    const folder = await freshFolder()
    writeFileSync(join(folder, '.git'), `gitdir: ${victim.folder}/.git\n`)

    await expect(runner.open(folder)).rejects.toMatchObject({ code: 'outside' })
    await expect(runner.open(folder, { within: [folder] })).rejects.toMatchObject({
      code: 'outside',
    })
  })

  test.each(['../..', '/', '../../..'])('by core.worktree, which names %s', async (named) => {
    const repository = await freshRepository()
    repository.git('config', 'core.worktree', named)

    for (const within of [undefined, [repository.folder]]) {
      const opening = runner.open(repository.folder, { within, isNamedByOperator: true })
      await expect(opening).rejects.toMatchObject({ code: 'outside' })
    }
  })

  test('by core.worktree of one work tree, or of a submodule that is looked into', async () => {
    const { folder, git, write } = await freshRepository()
    const outside = dirname(folder)
    git('config', 'extensions.worktreeConfig', 'true')
    git('config', '--worktree', 'core.worktree', outside)
    await expect(runner.open(folder)).rejects.toMatchObject({ code: 'outside' })
    git('config', '--worktree', '--unset', 'core.worktree')
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', folder, 'sub')
    git('commit', '-qm', 'with a submodule')
    const opened = await runner.open(folder)
    expect((await opened.run(['status', '--short'])).text).toBe('')

    plainRepository(join(folder, 'sub')).git('config', 'core.worktree', outside)
    const looking = opened.run(['status', '--short'])
    await expect(looking).rejects.toMatchObject({ code: 'outside' })

    const victim = await freshRepository('victim')
    write('sub/.git', `gitdir: ${victim.folder}/.git\n`)
    for (const args of [['add', '.'], ['diff', '--ignore-submodules=dirty'], ['status']]) {
      await expect(opened.run(args)).rejects.toMatchObject({ code: 'outside' })
    }
  })

  test('by a commondir of its own that points back to itself', async () => {
    const victim = await freshRepository('victim')
    const { folder, write } = await freshRepository()
    write('.git/commondir', `${victim.folder}/.git\n`)
    write('.git/gitdir', `${folder}/.git\n`)

    await expect(runner.open(folder)).rejects.toMatchObject({ code: 'outside' })
  })

  test('by borrowing its contents under a quoted name', async () => {
    const victim = await freshRepository('victim')
    const { folder, write } = await freshRepository()
    write('.git/objects/info/alternates', `"${victim.folder}/.git/objects"\n`)
    const hash = victim.git('rev-parse', 'HEAD')

    expect(plainRepository(folder).git('cat-file', '-t', hash)).toBe('commit')
    for (const within of [undefined, [folder]]) {
      await expect(runner.open(folder, { within })).rejects.toMatchObject({ code: 'outside' })
    }
  })

  test.each(['config', 'packed-refs', 'info/attributes', 'objects/pack', 'refs/tags'])(
    'by a link in place of %s, which git would read through',
    async (name) => {
      const repository = await freshRepository()
      const victim = await freshRepository('victim')
      const file = join(repository.folder, '.git', name)
      rmSync(file, { force: true, recursive: true })
      mkdirSync(dirname(file), { recursive: true })
      symlinkSync(join(victim.folder, '.git', name), file)

      for (const within of [undefined, [repository.folder]]) {
        const opening = runner.open(repository.folder, { within })
        await expect(opening).rejects.toMatchObject({ code: 'outside' })
      }
    },
  )

  test('by borrowing its contents', async () => {
    const victim = await freshRepository('victim')
    const repository = await freshRepository()
    const info = join(repository.folder, '.git/objects/info')
    mkdirSync(info, { recursive: true })
    writeFileSync(join(info, 'alternates'), `${victim.folder}/.git/objects\n`)

    const opening = runner.open(repository.folder, { within: [repository.folder] })

    await expect(opening).rejects.toMatchObject({ code: 'outside' })
  })

  test('by borrowing from one that borrows', async () => {
    const victim = await freshRepository('victim')
    const { folder, write } = await freshRepository()
    write('.git/objects/info/alternates', `${folder}/lent\n`)
    write('lent/info/alternates', `${victim.folder}/.git/objects\n`)

    const opening = runner.open(folder, { within: [folder] })

    await expect(opening).rejects.toMatchObject({ code: 'outside' })
  })

  test('by a link to it', async () => {
    const victim = await freshRepository('victim')
    const repository = await freshRepository()
    symlinkSync(victim.folder, join(repository.folder, 'inside'))

    const opening = runner.open(join(repository.folder, 'inside'), { within: [repository.folder] })

    await expect(opening).rejects.toMatchObject({ code: 'outside' })
  })

  test.each(['COMMIT_EDITMSG', 'logs/HEAD', 'logs/refs/heads/main', 'index', 'packed-refs'])(
    'by a link in place of %s, which git would write through',
    async (name) => {
      const repository = await freshRepository()
      const victim = repository.write('victim', 'precious\n')
      const file = join(repository.folder, '.git', name)
      rmSync(file, { force: true })
      symlinkSync(victim, file)
      const opened = await runner.open(repository.folder)

      const writing = opened.run(['commit', '--allow-empty', '--file=-'], {
        isWriting: true,
        input: 'words of somebody else',
      })

      await expect(writing).rejects.toThrow(`${file} is a link`)
      expect(readFileSync(victim, 'utf8')).toBe('precious\n')
    },
  )

  test('but hooks and objects may be links, and so may the old kind of HEAD', async () => {
    const repository = await freshRepository()
    const own = (name: string) => join(repository.folder, '.git', name)
    for (const name of ['hooks', 'objects']) {
      cpSync(own(name), join(dirname(repository.folder), name), { recursive: true })
      rmSync(own(name), { recursive: true })
      symlinkSync(join(dirname(repository.folder), name), own(name))
    }
    rmSync(own('HEAD'))
    symlinkSync('refs/heads/main', own('HEAD'))
    const opened = await runner.open(repository.folder)

    await opened.run(['commit', '--allow-empty', '--message=second'], { isWriting: true })

    expect(repository.git('log', '--format=%s')).toBe('second\nfirst')
  })

  test('by being above the folder that was allowed', async () => {
    const repository = await freshRepository()
    const folder = join(repository.folder, 'sub')
    mkdirSync(folder)

    await expect(runner.open(folder, { within: [folder] })).rejects.toMatchObject({
      code: 'outside',
    })
  })

  test('by being a bare one among the files of another', async () => {
    const repository = await freshRepository()
    const { program, hasSprung } = trap(dirname(repository.folder))
    const bare = plainRepository(join(repository.folder, 'bare'))
    mkdirSync(bare.folder)
    bare.git('init', '-q', '--bare')
    bare.git('config', 'core.bare', 'false')
    bare.git('config', 'core.worktree', '..')
    bare.git('config', 'core.fsmonitor', program)

    const opened = await runner.open(bare.folder).catch(() => undefined)
    await opened?.run(['status'])

    expect(opened?.gitDirectory).not.toBe(bare.folder)
    expect(hasSprung()).toBe(false)
  })
})

describe('a repository is found', () => {
  test('from a folder below it, and through a link to it', async () => {
    const repository = await freshRepository()
    mkdirSync(join(repository.folder, 'a/b'), { recursive: true })
    const link = join(dirname(repository.folder), 'link')
    symlinkSync(repository.folder, link)

    const below = await runner.open(join(repository.folder, 'a/b'), { within: [repository.folder] })
    const linked = await runner.open(link)

    expect(below.workTree).toBe(repository.folder)
    expect(linked.workTree).toBe(repository.folder)
  })

  test('in a linked work tree and in a submodule', async () => {
    const repository = await freshRepository()
    const tree = join(dirname(repository.folder), 'tree')
    repository.git('worktree', 'add', '-q', tree, '-b', 'side')
    repository.git(
      '-c',
      'protocol.file.allow=always',
      'submodule',
      '--quiet',
      'add',
      repository.folder,
      'sub',
    )

    const linked = await runner.open(tree)
    const sub = await runner.open(join(repository.folder, 'sub'))
    const confined = await runner.open(join(repository.folder, 'sub'), {
      within: [repository.folder],
    })

    expect(linked.commonDirectory).toBe(join(repository.folder, '.git'))
    expect(sub.workTree).toBe(join(repository.folder, 'sub'))
    expect(confined.gitDirectory).toBe(join(repository.folder, '.git/modules/sub'))
    await expect(runner.open(tree, { within: [tree] })).rejects.toMatchObject({ code: 'outside' })
    const { workTree, gitDirectory, commonDirectory } = linked
    const trusted = [{ workTree, gitDirectory, commonDirectory }]
    expect((await runner.open(tree, { within: [tree], trusted })).workTree).toBe(tree)
    const third = join(dirname(repository.folder), 'third')
    repository.git('worktree', 'add', '-q', third, '-b', 'third')
    expect((await runner.open(third, { within: [tree, third], trusted })).workTree).toBe(third)
    const outside = runner.open(third, { within: [tree], trusted })
    await expect(outside).rejects.toMatchObject({ code: 'outside' })
  })

  test.each(['missing', 'file.txt', 'nul\0', 'two\nlines'])('but not in %j', async (name) => {
    const { folder } = await freshRepository()
    if (process.platform !== 'win32') mkdirSync(join(folder, 'two\nlines'))
    writeFileSync(join(folder, 'file.txt'), '')

    await expect(runner.open(join(folder, name))).rejects.toMatchObject({
      code: 'not_a_repository',
    })
  })
})
