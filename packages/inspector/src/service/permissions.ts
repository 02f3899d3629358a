import type { JsonObject } from '@parley/mcp'

import { ProblemError } from './problem.ts'
import type { ServerRecord } from './servers/server-hold.ts'

/** What only looks. */
const reading: ReadonlySet<string> = new Set([
  'ping',
  'server/discover',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'tasks/get',
  'tasks/list',
  'tasks/result',
])

/**
 * Under `--read-only` only what looks is sent, and tools that say of themselves that they only look. That is their claim:
 * it is a fence against slips, not against a server that lies.
 */
export async function requireReading(
  { client, name }: ServerRecord,
  method: string,
  params: JsonObject,
): Promise<void> {
  if (reading.has(method)) return
  const tool = method === 'tools/call' ? await findTool() : undefined
  if (tool?.annotations?.readOnlyHint === true) return
  throw new ProblemError('read_only', `${method} may change something at ${name}`, {
    hint: 'The inspector was started with --read-only; only tools that are marked as read-only can be called.',
  })

  async function findTool() {
    for await (const item of client?.listTools() ?? [])
      if (item.name === params['name']) return item
    return undefined
  }
}
