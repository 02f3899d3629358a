import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { ToolError } from '@parley/mcp'
import { readStatus, type Repository } from '@parley/server-kit/git'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { gitTool, said } from '../git-tool.ts'
import { isCut } from '../schemas.ts'

const output = z.object({
  head: z.string().optional(),
  conflicted: z.array(z.string()).describe('Files to be resolved by hand'),
  isCut,
})
const writing = { isWriting: true, accept: [1] }
/** Those of git itself; any other name is that of a program. */
const strategies = new Set(['ort', 'recursive', 'resolve', 'octopus', 'ours', 'subtree'])

async function outcome(repository: Repository, text: string) {
  const { head, conflicted, isCut: isPart } = await readStatus(repository)
  return { text, data: { ...(head !== undefined && { head }), conflicted, isCut: isPart } }
}

/** `git_merge`: brings another branch into this one. */
export const gitMerge = gitTool(
  'git_merge',
  {
    title: 'Git Merge',
    description:
      'Merges a branch into the one that is checked out, or gives up a merge that has conflicts.',
    input: {
      branch: z.string().optional().describe('A branch, tag or commit; not with abort'),
      abort: z.boolean().default(false).describe('Give up the merge that is going on'),
      ff_only: z.boolean().default(false).describe('Only if no merge commit is needed'),
      message: z.string().optional().describe('For the merge commit'),
    },
    output,
    annotations: toolHints('destroys'),
  },
  async (repository, { branch, abort, ff_only: isForwardOnly, message }) => {
    if (abort) return outcome(repository, said(await repository.run(['merge', '--abort'], writing)))
    if (branch === undefined) throw new ToolError('Name the branch to merge.')
    const args = [
      'merge',
      '--no-edit',
      '--no-verify',
      '--no-gpg-sign',
      '--no-verify-signatures',
      isForwardOnly ? '--ff-only' : '--ff',
      `-m${message ?? `Merge ${branch}`}`,
      await repository.commit(branch, 'branch'),
    ]
    return outcome(repository, said(await repository.run(args, writing)))
  },
)

/** `git_rebase`: ends a rebase that somebody began. */
export const gitRebase = gitTool(
  'git_rebase',
  {
    title: 'Git Rebase',
    description: 'Continues a rebase that stopped, or aborts it.',
    input: { action: z.enum(['abort', 'continue']).describe('Give it up, or go on') },
    output,
    annotations: toolHints('destroys'),
  },
  async (repository, { action }) => {
    if (action === 'continue') await requireHarmlessPlan(repository)
    const shown = await repository.run(['rebase', `--${action}`], writing)
    return outcome(repository, said(shown) || `Rebase: ${action}.`)
  },
)

/** What a rebase goes by are files of the repository, and may name programs. */
async function requireHarmlessPlan({ gitDirectory }: Repository): Promise<void> {
  const read = (name: string) =>
    readFile(join(gitDirectory, 'rebase-merge', name), 'utf8').catch(() => '')
  const strategy = (await read('strategy')).trim()
  if (strategy !== '' && !strategies.has(strategy)) {
    throw new ToolError(
      `This rebase merges by ${JSON.stringify(strategy)}, which is a program. Go on by hand, or use abort.`,
    )
  }
  const text = await read('git-rebase-todo')
  const harmless =
    /^\s*($|#|(p|pick|r|reword|e|edit|s|squash|f|fixup|d|drop|b|break|l|label|t|reset|u|update-ref|noop)\b)/
  const other = text.split('\n').find((step) => !harmless.test(step))
  if (other === undefined) return
  throw new ToolError(
    `The plan of this rebase has a step that is not taken: ${other.trim()}. Go on by hand, or use abort.`,
  )
}
