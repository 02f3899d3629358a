import { createServer, type Server } from '@parley/mcp/server'
import { createGitRunner } from '@parley/server-kit/git'

import { extraTools, type Extra } from './extras.ts'
import { createRepositories } from './repositories.ts'
import { fileResources } from './resources.ts'
import { branchTools, listTool } from './tools/branches.ts'
import { changeTools } from './tools/change.ts'
import { diffTools, showTool } from './tools/differ.ts'
import { logTool, statusTool } from './tools/look.ts'

export { extras, type Extra } from './extras.ts'

/** What may be touched, and what may differ from the reference. */
export interface GitOptions {
  /** Only this repository and what is below it. @defaultValue any the user has */
  readonly repository?: string | undefined
  /** Where clones and new work trees may be made; repositories there may be used. @defaultValue nowhere */
  readonly directory?: string | undefined
  /** Tools the reference does not have. @defaultValue none */
  readonly enable?: readonly Extra[] | undefined
  /** What addresses of other repositories may begin with. @defaultValue none may be reached */
  readonly remotes?: readonly string[] | undefined
  /** Ask the user before talking to another machine. @defaultValue true */
  readonly askConsent?: boolean | undefined
  /** A credential helper of the operator's, such as `cache` or `osxkeychain`. @defaultValue none */
  readonly credentialHelper?: string | undefined
  /** @defaultValue 'git' */
  readonly git?: string | undefined
  /** Take name and address for commits from the user's own settings. @defaultValue true */
  readonly userSettings?: boolean | undefined
}

/** A server for git, by the names the reference server gave its tools. Throws unless `repository` is one. */
export async function createGitServer(options: GitOptions = {}): Promise<Server> {
  const { enable = [], remotes = [], askConsent = true, credentialHelper } = options
  const runner = createGitRunner({
    git: options.git,
    userSettings: options.userSettings,
    ...(credentialHelper !== undefined && { settings: [['credential.helper', credentialHelper]] }),
  })
  const repositories = await createRepositories(runner, options)
  const server = createServer({ name: 'mcp-git', version: '0.1.0' })
  server.add(
    statusTool(repositories),
    ...diffTools(repositories),
    ...changeTools(repositories),
    logTool(repositories),
    ...branchTools(repositories),
    showTool(repositories),
    listTool(repositories),
    ...extraTools(repositories, new Set(enable), { remotes, askConsent }),
    fileResources(repositories),
  )
  return server
}
