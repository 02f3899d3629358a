import { getSkill, listSkills, readSkillFile } from '@parley/mcp/skills'
import { startTool } from '@parley/mcp/tasks'

import { textsOf } from './show-texts.ts'
import type { Stop } from './stop.ts'

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
