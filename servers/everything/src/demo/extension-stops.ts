import { type Revision, isRpcError, type CallToolResult } from '@parley/mcp'
import type { Client } from '@parley/mcp/client'
import { getSkill, listSkills, readSkillFile } from '@parley/mcp/skills'
import { startTool } from '@parley/mcp/tasks'

import type { Terminal } from './terminal.ts'

/** What is shown of extensions: both sides have to know them. */
export const extensionStops: readonly Stop[] = [
  {
    since: '2025-11-25',
    title: 'Tasks: work that outlives its request',
    why: 'The call is answered at once; the work goes on, and is followed until it ends.',
    async visit(client, { print }) {
      const started = await startTool(client, 'count-slowly', { to: 4, pauseMs: 200 })
      if (started.kind === 'result') return print('    it was done at once')
      for await (const { status, statusMessage } of started.task) {
        print(`    ${status}${statusMessage === undefined ? '' : `: ${statusMessage}`}`)
      }
      print(`    ${textsOf(await started.task.result()).join(' ')}`)
    },
  },
  {
    title: 'Skills: instructions with their files',
    why: 'What is read is compared with the digest that was listed.',
    async visit(client, { print }) {
      for await (const { uri, frontmatter } of listSkills(client)) {
        print(`    ${uri}: ${frontmatter.description}`)
        const skill = await getSkill(client, uri)
        if (skill.resources === 'dynamic') continue
        for (const { uri: file } of skill.resources) {
          const { byteLength } = await readSkillFile(client, skill, file)
          print(`    ${file}: ${byteLength} bytes, as promised`)
        }
      }
    },
  },
  {
    title: 'An extension of our own',
    why: 'A method that no specification has, declared by the server with its settings.',
    async visit(client, { print }) {
      print(`    declared: ${JSON.stringify(client.server.capabilities.extensions)}`)
      const { local } = await client.request('dev.parley/clock/now', { timeZone: 'Europe/Oslo' })
      print(`    in Oslo it is ${JSON.stringify(local)}`)
    },
  },
]

/** One part of the tour. */
export interface Stop {
  readonly title: string
  readonly why: string
  /** Left out in older revisions, which have no such thing. */
  readonly since?: Revision
  visit(client: Client, terminal: Terminal): Promise<void>
}

/** What a tool said. A refused question, such as a form filled in wrongly, is part of the tour too. */
export async function showTexts(
  client: Client,
  { print }: Terminal,
  tool: string,
  args: object,
): Promise<void> {
  try {
    for (const text of textsOf(await client.callTool(tool, args))) {
      for (const line of text.trim().split('\n')) print(`    ${line}`)
    }
  } catch (error) {
    if (!isRpcError(error)) throw error
    print(`    ${error.code} (${error.wireCode}): ${error.message}`)
  }
}

/** The text of a result, block by block. */
export function textsOf({ content }: CallToolResult): readonly string[] {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
}
