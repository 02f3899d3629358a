import { ToolError } from '@parley/mcp'
import { entriesOf, requireNewName } from '@parley/server-kit/git'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { gitTool, listed } from '../git-tool.ts'
import { isCut } from '../schemas.ts'

/** `git_tag`: names for commits that stay. */
export const gitTag = gitTool(
  'git_tag',
  {
    title: 'Git Tag',
    description: 'Lists, makes or deletes tags. With a message, a new tag is an annotated one.',
    input: {
      action: z.enum(['list', 'create', 'delete']).describe('What to do'),
      name: z.string().optional().describe('For create and delete'),
      target: z.string().default('HEAD').describe('For create: what it names'),
      message: z.string().optional().describe('For create'),
    },
    output: z.object({ tags: z.array(z.string()), isCut }),
    annotations: toolHints('destroys'),
  },
  async (repository, { action, name, target, message }) => {
    if (action !== 'list') {
      if (name === undefined) throw new ToolError(`To ${action} a tag, say its name.`)
      requireNewName(name, 'tag')
      const annotated = message === undefined ? [] : ['--annotate', '--no-sign', '--file=-']
      const args =
        action === 'delete'
          ? ['--delete', name]
          : [...annotated, name, await repository.commit(target, 'target')]
      await repository.run(['tag', ...args], { isWriting: true, input: message })
    }
    const output = await repository.run(['tag', '--list'])
    const data = { tags: entriesOf(output.text, '\n'), isCut: output.isCut }
    return { text: listed(data.tags.join('\n') || 'No tags.', data.isCut), data }
  },
)
