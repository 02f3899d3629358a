import { createServer, type Server } from '@parley/mcp/server'
import { createGitRunner } from '@parley/server-kit/git'

import { extraTools, type Extra } from './extras.ts'
import { createRepositories, type Allowed } from './repositories.ts'
import { fileResources } from './resources.ts'
import { gitBranch, gitCheckout, gitCreateBranch } from './tools/branches.ts'
import { gitLog, gitShow } from './tools/history.ts'
import { gitAdd, gitCommit, gitReset } from './tools/stage.ts'
import { gitDiff, gitDiffStaged, gitDiffUnstaged, gitStatus } from './tools/work-tree.ts'

export { extras, type Extra } from './extras.ts'

/** The tools of the reference server, in its order. */
const tools = [
  gitStatus,
  gitDiffUnstaged,
  gitDiffStaged,
  gitDiff,
  gitCommit,
  gitAdd,
  gitReset,
  gitLog,
  gitCreateBranch,
  gitCheckout,
  gitShow,
  gitBranch,
]

/** What may be touched, and what may differ from the reference. */
export interface GitOptions extends Allowed {
  /** Tools the reference does not have. @defaultValue none */
  readonly enable?: readonly Extra[] | undefined
  /** A credential helper of the operator's, such as `cache` or `osxkeychain`. @defaultValue none */
  readonly credentialHelper?: string | undefined
  /** @defaultValue 'git' */
  readonly git?: string | undefined
  /** Take name and address for commits from the user's own settings. @defaultValue true */
  readonly userSettings?: boolean | undefined
}

/** A server for git, by the names the reference server gave its tools. Throws unless `repository` is one. */
export async function createGitServer(options: GitOptions = {}): Promise<Server> {
  const { enable = [], credentialHelper } = options
  const runner = createGitRunner({
    git: options.git,
    userSettings: options.userSettings,
    ...(credentialHelper !== undefined && { settings: [['credential.helper', credentialHelper]] }),
  })
  const repositories = await createRepositories(runner, options)
  const server: Server = createServer({
    name: 'mcp-git',
    title: 'Git',
    version: '0.1.0',
    description: 'A git repository, read and changed without running what is in it',
    onDeprecated: () => undefined, // roots are heeded as long as clients have some
  })
  server.add(
    ...[...tools, ...extraTools(enable)].map((make) => make(repositories)),
    ...fileResources(repositories),
  )
  return server
}
