import { ToolError } from '@parley/mcp'
import type { Context } from '@parley/mcp/server'
import {
  currentBranch,
  findRemote,
  requireNewName,
  type GitProgress,
  type RemoteRules,
  type Repository,
} from '@parley/server-kit/git'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { gitTool, said, type GitCall } from '../git-tool.ts'

const remote = z.string().default('origin').describe('The name of the remote')

/** A transfer may take longer than looking at a file, and tells how far it has come. */
export function slowly({ progress }: Pick<Context, 'progress'>) {
  const steps = new Set<string>()
  let reported = 0
  return {
    isWriting: true,
    timeoutMs: 10 * 60_000,
    onProgress({ step, done, total }: GitProgress) {
      steps.add(step)
      // Every step counts from 0 to 100; the caller hears of a number that only rises.
      const percent = Math.floor((done / Math.max(1, total)) * 100)
      const sum = (steps.size - 1) * 100 + percent
      if (sum <= reported) return
      reported = sum
      void progress({ progress: sum, message: `${step}: ${percent}%` })
    },
  }
}

/** What may be reached, and how that is changed. */
export function rulesOf({ repositories: { remotes } }: GitCall): RemoteRules {
  return { allowed: remotes, ifRefused: 'Start the server with --remote and what it begins with.' }
}

/** Asks the user; returns only with a yes. */
export async function requireConsent(
  { context, repositories }: GitCall,
  question: string,
): Promise<void> {
  if (!repositories.askConsent) return
  const answer = await context.elicit({
    message: question,
    requestedSchema: z.object({ confirm: z.boolean().describe('Yes, do it') }),
  })
  if (answer.action === 'accept' && answer.content.confirm) return
  throw new ToolError('The user did not agree. Nothing was transferred.')
}

async function fetchFrom(
  repository: Repository,
  name: string,
  refspec: string,
  call: GitCall,
): Promise<string> {
  const { urls, protocols } = await findRemote(repository, name, 'fetch', rulesOf(call))
  await requireConsent(call, `Fetch from ${urls[0]} into ${repository.workTree}?`)
  const args = [
    'fetch',
    '--progress',
    '--no-recurse-submodules',
    '--no-auto-maintenance',
    '--refmap=', // what the repository says to move beside it
    '--upload-pack=git-upload-pack',
  ]
  const options = { ...slowly(call.context), protocols }
  const fetched = await call.repositories.inTurn(`${repository.commonDirectory}\0fetch`, () =>
    repository.run([...args, name, refspec], options),
  )
  return fetched.errors.trim() || said(fetched)
}

/** `git_fetch`: news of a remote, without changing any branch of ours. */
export const gitFetch = gitTool(
  'git_fetch',
  {
    title: 'Git Fetch',
    description: 'Gets the news of a remote. Asks the user first.',
    input: { remote },
    output: z.object({ remote: z.string() }),
    annotations: toolHints('adds', { idempotent: true, openWorld: true }),
  },
  async (repository, { remote: name }, call) => {
    const text = await fetchFrom(repository, name, `+refs/heads/*:refs/remotes/${name}/*`, call)
    return { text: text || 'Nothing new.', data: { remote: name } }
  },
)

/** `git_pull`: fetches a branch and moves ours forward, if nothing has to be merged. */
export const gitPull = gitTool(
  'git_pull',
  {
    title: 'Git Pull',
    description:
      'Gets a branch of a remote and moves the current branch forward to it. Asks the user first.',
    input: { remote, branch: z.string().optional().describe('As the current one, unless said') },
    output: z.object({ hash: z.string() }),
    annotations: toolHints('adds', { idempotent: true, openWorld: true }),
  },
  async (repository, { remote: name, branch: given }, call) => {
    const branch = given ?? (await currentBranch(repository))
    if (branch === undefined) throw new ToolError('No branch is checked out; say which to pull.')
    requireNewName(branch, 'branch')
    const tracking = `refs/remotes/${name}/${branch}`
    await fetchFrom(repository, name, `+refs/heads/${branch}:${tracking}`, call)
    const theirs = await repository.commit(tracking)
    const merge = ['merge', '--ff-only', '--no-verify-signatures', '--quiet', theirs]
    await call.repositories.inTurn(repository.commonDirectory, () =>
      repository.run(merge, { isWriting: true }),
    )
    const hash = await repository.commit('HEAD')
    return { text: `${branch} is at ${hash}`, data: { hash } }
  },
)

/** `git_push`: gives a branch to a remote. */
export const gitPush = gitTool(
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
    annotations: toolHints('destroys', { idempotent: true, openWorld: true }),
  },
  async (repository, { remote: name, branch: given, force_with_lease: force }, call) => {
    const { urls, protocols } = await findRemote(repository, name, 'push', rulesOf(call))
    const branch = given ?? (await currentBranch(repository))
    if (branch === undefined) throw new ToolError('No branch is checked out; say which to push.')
    requireNewName(branch, 'branch')
    // What the user agrees to is what is pushed, whatever happens meanwhile.
    const hash = await call.context.once('hash', () => repository.commit(`refs/heads/${branch}`))
    const how = force ? ', even if that takes commits away there' : ''
    await requireConsent(
      call,
      `Push ${branch} (${hash.slice(0, 8)}) to ${urls.join(' and ')}${how}?`,
    )
    const args = [
      'push',
      '--porcelain',
      '--progress',
      '--no-verify',
      '--no-signed',
      '--no-follow-tags',
      '--no-recurse-submodules',
    ]
    const lease = force ? [`--force-with-lease=refs/heads/${branch}`] : []
    const receive = '--receive-pack=git-receive-pack'
    const refspec = `${hash}:refs/heads/${branch}`
    const pushed = await repository.run([...args, ...lease, receive, name, refspec], {
      ...slowly(call.context),
      protocols,
    })
    return { text: said(pushed), data: { hash, branch } }
  },
)
