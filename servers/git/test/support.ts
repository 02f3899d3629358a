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

import { spokenRevisions, type CallToolResult, type Revision } from '@parley/mcp'
import { createTestClient, type TestClient, type TestOptions } from '@parley/mcp/testing'
import { describe, onTestFinished } from 'vitest'

import { createGitServer, type GitOptions } from '../src/git.ts'

export type GitClient = TestClient<Record<string, { input: object; output: unknown }>>

/** A repository made with plain git, as its user would. */
export interface Work {
  readonly folder: string
  git(...args: string[]): string
  write(path: string, text: string): void
  /** Stages everything and commits it; the hash. */
  commit(message: string): string
}

/** Runs the same tests in every revision we speak. */
export function inEveryRevision(body: (revision: Revision) => void): void {
  describe.each(spokenRevisions)('in %s', body)
}

/** A client of a server; who commits is said by the repository. */
export async function openGit(
  server: GitOptions = {},
  options: TestOptions = {},
): Promise<GitClient> {
  const git = await createGitServer({ userSettings: false, ...server })
  return createTestClient(git, { through: 'text', ...options })
}

export async function freshFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-git-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A repository with two commits on `main`. Made once for each process, and written anew for each test. */
export async function freshWork(name = 'work'): Promise<Work> {
  template ??= makeTemplate()
  const folder = join(await freshFolder(), name)
  for (const [path, content] of template) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return plainWork(folder)
}

let template: ReadonlyMap<string, Buffer> | undefined

/** Files by path, kept in memory: a worker ends without a moment in which it could delete a folder. */
function makeTemplate(): ReadonlyMap<string, Buffer> {
  const work = plainWork(mkdtempSync(join(tmpdir(), 'parley-git-')))
  work.git('init', '-q', '-b', 'main', '--template=')
  work.git('config', 'user.name', 'Ada Lovelace')
  work.git('config', 'user.email', 'ada@example.com')
  work.write('a.txt', 'one\ntwo\nthree\n')
  work.commit('first')
  work.write('b.txt', 'b\n')
  work.commit('second\n\nwith a reason')
  const paths = readdirSync(work.folder, { recursive: true, encoding: 'utf8' })
  const files = paths.filter((path) => statSync(join(work.folder, path)).isFile())
  const contents = new Map(files.map((path) => [path, readFileSync(join(work.folder, path))]))
  rmSync(work.folder, { recursive: true, force: true })
  return contents
}

export function plainWork(folder: string): Work {
  const env = {
    PATH: process.env['PATH'],
    HOME: dirname(folder),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
  }
  const work: Work = {
    folder,
    git: (...args) =>
      execFileSync('git', args, {
        cwd: folder,
        env,
        encoding: 'utf8',
        stdio: 'pipe',
        timeout: 10_000,
      }).trimEnd(),
    write(path, text) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    },
    commit(message) {
      work.git('add', '-A')
      work.git('commit', '-q', '--allow-empty', '-m', message)
      return work.git('rev-parse', 'HEAD')
    },
  }
  return work
}

/** The text of a result, block by block. */
export function textsOf({ content }: CallToolResult): readonly string[] {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
}
