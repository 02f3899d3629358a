import type { Client } from '@parley/mcp/client'
import { getSkill, listSkills, readSkillFile } from '@parley/mcp/skills'

import type { Methods } from '../protocol/index.ts'
import type { Handlers } from './handlers.ts'
import { ProblemError } from './problem.ts'

const maxSkills = 500

/** Skills of servers: what they list, and their files with size and digest checked. */
export function createSkills(
  clientOf: (server: string) => Client,
): Handlers<'skills/list' | 'skills/read'> {
  return {
    async 'skills/list'({ server }): Promise<Methods['skills/list']['result']> {
      const found: Methods['skills/list']['result'][number][] = []
      for await (const { uri, frontmatter, resources } of listSkills(clientOf(server))) {
        found.push({ uri, frontmatter: { ...frontmatter }, files: resources })
        if (found.length >= maxSkills) break
      }
      return found
    },
    async 'skills/read'({ server, skill: uri, file }) {
      const client = clientOf(server)
      const skill = await getSkill(client, uri)
      if (skill.resources === 'dynamic') return readUnchecked(client, file)
      const bytes = await readSkillFile(client, skill, file)
      const text = decodeText(bytes)
      const content =
        text === undefined ? { blob: Buffer.from(bytes).toString('base64') } : { text }
      return { ...content, isChecked: true }
    },
  }
}

async function readUnchecked(
  client: Client,
  uri: string,
): Promise<Methods['skills/read']['result']> {
  const [part] = (await client.readResource(uri)).contents
  if (part === undefined) throw new ProblemError('no_contents', `${uri} has no contents`)
  return 'text' in part
    ? { text: part.text, isChecked: false }
    : { blob: part.blob, isChecked: false }
}

function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined // a picture, say
  }
}
