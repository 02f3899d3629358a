import { execFileSync } from 'node:child_process'
import {
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
  /** Stages everything and commits it; the hash. */
  commit(message: string): string
}

/** An empty folder, gone after the test. */
export async function freshFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-git-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Git in a folder, whatever the settings of this machine are. */
export function plainRepository(
  folder: string,
  env: { readonly [name: string]: string } = {},
): PlainRepository {
  const environment = {
    PATH: process.env['PATH'],
    HOME: dirname(folder),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    ...env,
  }
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

/** Folders (without content) and files by path. */
type Template = ReadonlyMap<string, Buffer | undefined>

/**
 * A repository that is made once for each process, and written anew below a fresh folder for each test. In between it is
 * in memory: a worker ends without a moment in which it could delete a folder.
 */
export function repositoryTemplate(user: string, make: (repository: PlainRepository) => void) {
  let template: Template | undefined
  return async (name = 'work'): Promise<string> => {
    template ??= makeTemplate(user, make)
    const folder = join(await freshFolder(), name)
    mkdirSync(folder)
    for (const [path, content] of template) {
      if (content === undefined) mkdirSync(join(folder, path), { recursive: true })
      else writeFileSync(join(folder, path), content)
    }
    return folder
  }
}

function makeTemplate(user: string, make: (repository: PlainRepository) => void): Template {
  const repository = plainRepository(mkdtempSync(join(tmpdir(), 'parley-git-')))
  const { folder } = repository
  repository.git('init', '-q', '-b', 'main', '--template=')
  repository.git('config', 'user.name', user)
  repository.git('config', 'user.email', 'ada@example.com')
  make(repository)
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted() // folders first
  const contents = paths.map((path) => {
    const whole = join(folder, path)
    return [path, statSync(whole).isDirectory() ? undefined : readFileSync(whole)] as const
  })
  rmSync(folder, { recursive: true, force: true })
  return new Map(contents)
}
