import { McpError } from '../../rpc/errors/mcp-error.ts'
import { describeProblem, type Check } from '../../schema/check.ts'
import type { JsonObject } from '../../schema/json.ts'
import {
  getSkillResult,
  listSkillsResult,
  skillsExtension,
  type Skill,
} from '../../schema/skills/skill.ts'
import type { Client } from '../client.ts'
import { createList, type PagedList } from '../list.ts'
import type { CallOptions } from '../options.ts'

/** The part of a client that skills need. */
export type SkillsClient = Pick<Client, 'server' | 'request' | 'readResource'>

/** The skills a server lists; it may serve others too. No file is read. */
export function listSkills(client: SkillsClient, options?: CallOptions): PagedList<Skill> {
  return createList(async (cursor) => {
    const params = cursor === undefined ? {} : { cursor }
    const result = await ask(client, 'skills/list', params, listSkillsResult, options)
    const { skills, nextCursor } = result
    return { items: skills, ...(nextCursor !== undefined && { nextCursor }) }
  })
}

/** One skill by the URI of its `SKILL.md`, listed or not, as it is now. No file is read. */
export async function getSkill(
  client: SkillsClient,
  uri: string,
  options?: CallOptions,
): Promise<Skill> {
  const { skill } = await ask(client, 'skills/get', { uri }, getSkillResult, options)
  if (skill.uri !== uri) throw unusable(client, 'skills/get', `skill.uri: ${uri}`)
  return skill
}

/** Sends a request. Throws if the server did not declare skills. */
async function ask<T>(
  client: SkillsClient,
  method: string,
  params: object,
  check: Check<T>,
  options: CallOptions | undefined,
): Promise<T> {
  const { info, capabilities } = client.server
  if (capabilities.extensions?.[skillsExtension] === undefined) {
    const why = `${method}: ${info?.name ?? 'the server'} does not offer skills`
    const details = { capability: skillsExtension }
    throw new McpError('unsupported', why, { details, peer: info?.name })
  }
  const result: JsonObject = await client.request(method, params, options)
  const problem = check(result)
  if (problem !== undefined) throw unusable(client, method, describeProblem(problem))
  return result as T // just checked
}

function unusable({ server }: SkillsClient, method: string, why: string): McpError {
  return new McpError('invalid_message', `the answer to ${method} is not usable: ${why}`, {
    details: { excerpt: why },
    peer: server.info?.name,
  })
}
