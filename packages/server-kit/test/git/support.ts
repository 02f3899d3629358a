import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { onTestFinished } from 'vitest'

/** A repository made with plain git, as its user would. */
export interface PlainRepository {
  readonly folder: string
  /** Runs plain git in it, with all it would run; the output. */
  git(...args: string[]): string
  /** The same, with what it says on the way out ignored. */
  tryGit(args: readonly string[], input?: string): void
  write(path: string, text: string): string
  /** Stages everything and commits it. */
  commit(message: string): string
}

const identity = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
}

export async function freshFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-git-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A repository with one commit, of `a.txt`. Made once for each process, and written anew for each test. */
export async function freshRepository(name = 'work'): Promise<PlainRepository> {
  template ??= makeTemplate()
  const folder = join(await freshFolder(), name)
  mkdirSync(folder)
  for (const [path, content] of template) {
    if (content === undefined) mkdirSync(join(folder, path), { recursive: true })
    else writeFileSync(join(folder, path), content)
  }
  const repository = plainRepository(folder)
  repository.git('update-index', '-q', '--refresh') // it knows its files by when and where they were written
  return repository
}

let template: ReadonlyMap<string, Buffer | undefined> | undefined

/** Folders and files by path, kept in memory: a worker ends without a moment in which it could delete a folder. */
function makeTemplate(): ReadonlyMap<string, Buffer | undefined> {
  const repository = plainRepository(mkdtempSync(join(tmpdir(), 'parley-git-')))
  const { folder } = repository
  repository.git('init', '-q', '-b', 'main', '--template=')
  repository.git('config', 'user.name', 'Ada')
  repository.git('config', 'user.email', 'ada@example.com')
  repository.write('a.txt', 'one\ntwo\nthree\n')
  repository.commit('first')
  for (const name of ['hooks', 'info']) mkdirSync(join(folder, '.git', name), { recursive: true })
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted() // folders first
  const contents = paths.map((path) => {
    const whole = join(folder, path)
    return [path, statSync(whole).isDirectory() ? undefined : readFileSync(whole)] as const
  })
  rmSync(folder, { recursive: true, force: true })
  return new Map(contents)
}

export function plainRepository(folder: string): PlainRepository {
  const environment = { PATH: process.env['PATH'], HOME: dirname(folder), ...identity }
  const run = (args: readonly string[], input = '') =>
    execFileSync('git', [...args], {
      cwd: folder,
      env: environment,
      encoding: 'utf8',
      timeout: 10_000,
      input,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
  const repository: PlainRepository = {
    folder,
    git: (...args) => run(args).trimEnd(),
    tryGit(args, input) {
      try {
        run(args, input)
      } catch {
        // what matters is what it ran
      }
    },
    write(path, text) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
      return join(folder, path)
    },
    commit(message) {
      repository.git('add', '-A')
      repository.git('commit', '-q', '--allow-empty', '-m', message)
      return repository.git('rev-parse', 'HEAD')
    },
  }
  return repository
}

/** A program that leaves a trace when it runs. */
export function trap(folder: string) {
  const trace = join(folder, 'it-ran')
  const program = join(folder, 'trap.sh')
  writeFileSync(program, `#!/bin/sh\ntouch '${trace}'\nexit 1\n`)
  chmodSync(program, 0o755)
  return {
    program,
    hasSprung: () => existsSync(trace),
    reset: () => rmSync(trace, { force: true }),
  }
}
