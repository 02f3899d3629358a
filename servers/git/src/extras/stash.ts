import { ToolError } from '@parley/mcp'
import { entriesOf, plainDiff } from '@parley/server-kit/git'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { gitTool, said } from '../git-tool.ts'
import { isCut } from '../schemas.ts'

/** `git_stash`: puts changes away, and back. */
export const gitStash = gitTool(
  'git_stash',
  {
    title: 'Git Stash',
    description:
      'Puts changes away (push), shows what was put away (list, show), brings it back (apply, pop), forgets it (drop).',
    input: {
      action: z.enum(['push', 'list', 'show', 'apply', 'pop', 'drop']).describe('What to do'),
      message: z.string().optional().describe('For push: what it is'),
      include_untracked: z.boolean().default(false).describe('For push: new files, too'),
      index: z.int().min(0).max(10_000).default(0).describe('Which one; 0 is the newest'),
    },
    output: z.object({
      stashes: z.array(z.string()).describe('Those that are put away now'),
      isCut,
    }),
    annotations: toolHints('destroys'),
  },
  async (repository, { action, message, include_untracked: withNew, index }) => {
    const list = async () => {
      const output = await repository.run(['stash', 'list', '-z', '--format=%gs'])
      return { stashes: entriesOf(output.text), isCut: output.isCut }
    }
    const before = await list()
    if (action !== 'push' && action !== 'list' && index >= before.stashes.length) {
      throw new ToolError(`Unknown stash ${index}. Use list to see all stashes.`)
    }
    const name = `stash@{${index}}`
    const commands = {
      push: [
        'push',
        ...(withNew ? ['--include-untracked'] : []),
        ...(message === undefined ? [] : [`--message=${message}`]),
      ],
      list: ['list'],
      show: ['show', ...plainDiff, '--patch', name],
      apply: ['apply', name],
      pop: ['pop', name],
      drop: ['drop', name],
    }
    const isWriting = action !== 'list' && action !== 'show'
    const shown = await repository.run(['stash', ...commands[action]], { isWriting })
    return { text: said(shown), data: await list() }
  },
)
