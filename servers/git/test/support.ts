import type { CallToolResult, Revision } from '@parley/mcp'
import { createTestClient, type TestClient, type TestOptions } from '@parley/mcp/testing'
import { describe } from 'vitest'

import {
  plainRepository,
  repositoryTemplate,
  type PlainRepository,
} from '../../../test-support/git-repository.ts'
import { triedRevisions } from '../../../test-support/revisions.ts'
import { createGitServer, type GitOptions } from '../src/git.ts'

export {
  freshFolder,
  plainRepository as plainWork,
  type PlainRepository as Work,
} from '../../../test-support/git-repository.ts'

export type GitClient = TestClient<Record<string, { input: object; output: unknown }>>

/** Runs the same tests in every revision we speak. */
export function inEveryRevision(body: (revision: Revision) => void): void {
  describe.each(triedRevisions)('in %s', body)
}

/** A client of a server; who commits is said by the repository. */
export async function openGit(
  server: GitOptions = {},
  options: TestOptions = {},
): Promise<GitClient> {
  const git = await createGitServer({ userSettings: false, ...server })
  return createTestClient(git, { through: 'text', ...options })
}

const copyOfTemplate = repositoryTemplate('Ada Lovelace', (repository) => {
  repository.write('a.txt', 'one\ntwo\nthree\n')
  repository.commit('first')
  repository.write('b.txt', 'b\n')
  repository.commit('second\n\nwith a reason')
})

/** A repository with two commits on `main`. */
export async function freshWork(name?: string): Promise<PlainRepository> {
  return plainRepository(await copyOfTemplate(name))
}

/** The text of a result, block by block. */
export function textsOf({ content }: CallToolResult): readonly string[] {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
}
