import { ToolError } from '@parley/mcp'
import { entriesOf } from '@parley/server-kit/git'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { gitTool, listed } from '../git-tool.ts'
import { isCut } from '../schemas.ts'

const writing = { isWriting: true }

export const gitCommit = gitTool(
  'git_commit',
  {
    title: 'Git Commit',
    description: 'Commits what is staged. Hooks do not run.',
    input: { message: z.string().describe('Says what changed, and why') },
    output: z.object({ hash: z.string() }),
    annotations: toolHints('adds'),
  },
  async (repository, { message }) => {
    if (message.trim() === '') throw new ToolError('A commit needs a message.')
    const args = ['commit', '--quiet', '--no-verify', '--no-gpg-sign', '--file=-']
    await repository.run(args, { ...writing, input: message })
    const hash = await repository.commit('HEAD')
    return { text: `Changes committed successfully with hash ${hash}`, data: { hash } }
  },
)

export const gitAdd = gitTool(
  'git_add',
  {
    title: 'Git Add',
    description: 'Stages files for the next commit; ["."] stages all.',
    input: {
      files: z.array(z.string()).describe('Paths in the work tree, from its top; no patterns'),
    },
    output: z.object({ staged: z.array(z.string()).describe('All that is staged now'), isCut }),
    annotations: toolHints('adds', { idempotent: true }),
  },
  async (repository, { files }) => {
    const paths = await repository.paths(files)
    if (paths.length > 0) await repository.run(['add', '--', ...paths], writing)
    const listing = ['diff', '--cached', '--name-only', '-z', '--no-renames']
    const output = await repository.run(listing)
    const data = { staged: entriesOf(output.text), isCut: output.isCut }
    return { text: listed('Files staged successfully', data.isCut), data }
  },
)

export const gitReset = gitTool(
  'git_reset',
  {
    title: 'Git Reset',
    description: 'Unstages everything; files stay as they are.',
    input: {},
    output: z.object({ success: z.boolean() }),
    annotations: toolHints('destroys', { idempotent: true }),
  },
  async (repository) => {
    await repository.run(['reset', '--quiet', '--no-recurse-submodules'], writing)
    return { text: 'All staged changes reset', data: { success: true } }
  },
)
