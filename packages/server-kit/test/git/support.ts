import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import {
  plainRepository as repositoryIn,
  repositoryTemplate,
  type PlainRepository,
} from '../../../../test-support/git-repository.ts'

export { freshFolder, type PlainRepository } from '../../../../test-support/git-repository.ts'

const identity = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
}

const copyOfTemplate = repositoryTemplate('Ada', (repository) => {
  repository.write('a.txt', 'one\ntwo\nthree\n')
  repository.commit('first')
  for (const name of ['hooks', 'info']) {
    mkdirSync(join(repository.folder, '.git', name), { recursive: true })
  }
})

/** A repository with one commit, of `a.txt`. */
export async function freshRepository(name?: string): Promise<PlainRepository> {
  const repository = plainRepository(await copyOfTemplate(name))
  repository.git('update-index', '-q', '--refresh') // it knows its files by when and where they were written
  return repository
}

/** Git in a folder that may be no repository yet: who commits is said by the environment. */
export function plainRepository(folder: string): PlainRepository {
  return repositoryIn(folder, identity)
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
