import { RpcError, type JsonObject } from '@parley/mcp'
import type { BackendOutcome, BackendCall, BackendCaller } from '@parley/mcp/internal/relay'
import { isJsonObject } from '@parley/mcp/json'

import type { Subject } from '../checks/check.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import { ownerOf } from './caller.ts'
import type { GatewayCore } from './core.ts'
import { passLater } from './pass-on.ts'

/** The extension that has skills. */
const extension = 'io.modelcontextprotocol/skills'

/** Servers that say that they have skills. */
export function skillServers({ upstreams }: Pick<GatewayCore, 'upstreams'>): readonly Upstream[] {
  return [...upstreams.values()].filter(
    ({ description }) => description?.capabilities.extensions?.[extension] !== undefined,
  )
}

/** `skills/list`: the pages of one server after those of the other. A cursor says whose it is. */
export async function listSkills(core: GatewayCore, call: BackendCall): Promise<BackendOutcome> {
  const { cursor, ...params } = call.params
  const [, name, own = ''] = /^([^ ]+) ([^]*)$/.exec(typeof cursor === 'string' ? cursor : '') ?? []
  const servers = skillServers(core)
  const index = name === undefined ? 0 : servers.findIndex((each) => each.name === name)
  const upstream = servers[index]
  if (upstream === undefined || (cursor !== undefined && name === undefined)) {
    const why = 'skills/list: the cursor is not one of this server; ask for the first page'
    throw new RpcError('invalid_params', why)
  }
  const subject = {
    kind: 'resource',
    upstream: upstream.name,
    name: 'skills/list',
    exposedName: 'skills/list',
  } as const
  const listParams = { ...params, ...(own !== '' && { cursor: own }) }
  const answer = await passLater(core, call, {
    upstream,
    subject,
    arguments: {},
    paramsFor: () => listParams,
  })
  if (answer.kind !== 'raw' && answer.kind !== 'result') return answer
  remember(core, call, subject, answer.result)
  const { nextCursor, ...result } = answer.result as JsonObject // as it came
  const next = servers[index + 1]
  const resume =
    typeof nextCursor === 'string' ? `${upstream.name} ${nextCursor}` : next && `${next.name} `
  return {
    kind: answer.kind,
    result: resume === undefined ? result : { ...result, nextCursor: resume },
  }
}

/** The files of a skill are in the folder that it is in. */
function remember(
  { origins }: GatewayCore,
  { caller }: BackendCall,
  subject: Subject,
  result: object,
): void {
  const { skills } = result as JsonObject // as it came
  for (const skill of Array.isArray(skills) ? skills : []) {
    const uri = isJsonObject(skill) ? skill['uri'] : undefined
    if (typeof uri === 'string') origins.remember(ownerOf(caller), folderOf(uri), subject)
  }
}

/** The server that has listed the skill which a URI is a part of. */
export function skillServerOf(
  { origins, upstreams }: Pick<GatewayCore, 'origins' | 'upstreams'>,
  caller: BackendCaller,
  uri: string,
): Upstream | undefined {
  const who = ownerOf(caller)
  for (let at = folderOf(`${uri}/`); at.length > 'skill://'.length; at = folderOf(at)) {
    const origin = origins.find(who, at)
    if (origin) return upstreams.get(origin.upstream)
  }
  const [only, ...others] = skillServers({ upstreams })
  return others.length === 0 ? only : undefined
}

/** Up to the last slash, without it. */
function folderOf(uri: string): string {
  return uri.slice(0, Math.max(0, uri.lastIndexOf('/')))
}
