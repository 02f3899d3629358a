import { ToolError } from '@parley/mcp'
import type { Context, Feature } from '@parley/mcp/server'
import { requireNewName, type Repository } from '@parley/server-kit/git'
import { z } from 'zod'

import { publishes, transfers } from '../hints.ts'
import type { Repositories } from '../repositories.ts'
import { repositoryTool, said } from '../tool-kit.ts'
import { currentBranch } from '../tools/branches.ts'
import { remoteOf } from './remotes.ts'

/** Who may be talked to, and whether the user is asked first. */
export interface TransferOptions {
  readonly remotes: readonly string[]
  readonly askConsent: boolean
}

/** A transfer may take longer than looking at a file. */
const slowly = { isWriting: true, timeoutMs: 10 * 60_000 }
const remote = z.string().default('origin').describe('The name of the remote')

/** Asks the user; returns only with a yes. */
export async function requireConsent(context: Context, options: TransferOptions, question: string) {
  if (!options.askConsent) return
  const answer = await context.elicit({
    message: question,
    requestedSchema: z.object({ confirm: z.boolean().describe('Yes, do it') }),
  })
  if (answer.action === 'accept' && answer.content.confirm) return
  throw new ToolError('The user did not agree. Nothing was transferred.')
}

async function fetchFrom(
  repository: Repository,
  context: Context,
  options: TransferOptions,
  { name, refspecs }: { readonly name: string; readonly refspecs: readonly string[] },
): Promise<string> {
  const { urls, protocols } = await remoteOf(repository, name, 'fetch', options.remotes)
  await requireConsent(context, options, `Fetch from ${urls[0]} into ${repository.workTree}?`)
  const args = [
    'fetch',
    '--no-recurse-submodules',
    '--no-auto-maintenance',
    '--upload-pack=git-upload-pack',
  ]
  const fetched = await repository.run([...args, name, ...refspecs], { ...slowly, protocols })
  return fetched.errors.trim() || said(fetched)
}

/** `git_fetch`: news of a remote, without changing any branch of ours. */
export function fetchTool(repositories: Repositories, options: TransferOptions): Feature {
  return repositoryTool(
    repositories,
    'git_fetch',
    {
      title: 'Git Fetch',
      description: 'Gets the news of a remote. Asks the user first.',
      input: { remote },
      output: z.object({ remote: z.string() }),
      annotations: transfers,
    },
    async (repository, { remote: name }, context) => {
      const refspecs = [`+refs/heads/*:refs/remotes/${name}/*`]
      const text = await fetchFrom(repository, context, options, { name, refspecs })
      return { text: text || 'Nothing new.', data: { remote: name } }
    },
  )
}

/** `git_pull`: fetches a branch and moves ours forward, if nothing has to be merged. */
export function pullTool(repositories: Repositories, options: TransferOptions): Feature {
  return repositoryTool(
    repositories,
    'git_pull',
    {
      title: 'Git Pull',
      description:
        'Gets a branch of a remote and moves the current branch forward to it. Asks the user first.',
      input: { remote, branch: z.string().optional().describe('As the current one, unless said') },
      output: z.object({ hash: z.string() }),
      annotations: transfers,
    },
    async (repository, { remote: name, branch: given }, context) => {
      const branch = given ?? (await currentBranch(repository))
      if (branch === undefined) throw new ToolError('No branch is checked out; say which to pull.')
      requireNewName(branch, 'branch')
      const tracking = `refs/remotes/${name}/${branch}`
      await fetchFrom(repository, context, options, {
        name,
        refspecs: [`+refs/heads/${branch}:${tracking}`],
      })
      const theirs = await repository.commit(tracking)
      const merge = ['merge', '--ff-only', '--no-verify-signatures', '--quiet', theirs]
      await repository.run(merge, { isWriting: true })
      const hash = await repository.commit('HEAD')
      return { text: `${branch} is at ${hash}`, data: { hash } }
    },
  )
}

/** `git_push`: gives a branch to a remote. */
export function pushTool(repositories: Repositories, options: TransferOptions): Feature {
  return repositoryTool(
    repositories,
    'git_push',
    {
      title: 'Git Push',
      description: 'Gives a branch to a remote. Asks the user first.',
      input: {
        remote,
        branch: z.string().optional().describe('The current one, unless said'),
        force_with_lease: z
          .boolean()
          .default(false)
          .describe(
            'Also if that takes commits away there, unless others have pushed since the last fetch',
          ),
      },
      output: z.object({ hash: z.string(), branch: z.string() }),
      annotations: publishes,
    },
    async (repository, { remote: name, branch: given, force_with_lease: force }, context) => {
      const { urls, protocols } = await remoteOf(repository, name, 'push', options.remotes)
      const branch = given ?? (await currentBranch(repository))
      if (branch === undefined) throw new ToolError('No branch is checked out; say which to push.')
      requireNewName(branch, 'branch')
      // What the user agrees to is what is pushed, whatever happens meanwhile.
      const hash = await context.once('hash', () => repository.commit(`refs/heads/${branch}`))
      const how = force ? ', even if that takes commits away there' : ''
      await requireConsent(
        context,
        options,
        `Push ${branch} (${hash.slice(0, 8)}) to ${urls.join(' and ')}${how}?`,
      )
      const args = [
        'push',
        '--porcelain',
        '--no-verify',
        '--no-signed',
        '--no-follow-tags',
        '--no-recurse-submodules',
      ]
      const lease = force ? [`--force-with-lease=refs/heads/${branch}`] : []
      const receive = '--receive-pack=git-receive-pack'
      const refspec = `${hash}:refs/heads/${branch}`
      const pushed = await repository.run([...args, ...lease, receive, name, refspec], {
        ...slowly,
        protocols,
      })
      return { text: said(pushed), data: { hash, branch } }
    },
  )
}
