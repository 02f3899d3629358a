import type { JsonObject, ServerCapabilities } from '@parley/mcp'

import type { Upstream } from '../upstreams/upstream.ts'

const tasksExtension = 'io.modelcontextprotocol/tasks'

/** Returns the servers' tasks capability, for clients of both kinds: if a client has the other kind, its proxy stores the tasks. */
export function taskCapabilities(upstreams: Iterable<Upstream>): ServerCapabilities {
  const all = [...upstreams]
  const core = all.find(({ description }) => description?.capabilities.tasks)?.description
  const { list: _, ...own } = core?.capabilities.tasks ?? {}
  const supportedTasks = { cancel: {}, requests: { tools: { call: {} } } }
  const tasks = core ? own : all.some(storesTasks) ? supportedTasks : {}
  const hasTools = core?.capabilities.tasks?.requests?.tools?.call !== undefined
  return {
    ...(Object.keys(tasks).length > 0 && { tasks }),
    ...(hasTools && { extensions: { [tasksExtension]: {} } }),
  }
}

/** A server that is spoken with in 2026-07-28 alone, for clients of 2025-11-25. */
function storesTasks({ server, description }: Upstream): boolean {
  const isModern = server.protocolVersion === 'modern' || server.protocolVersion === '2026-07-28'
  return isModern && description?.capabilities.extensions?.[tasksExtension] !== undefined
}

/** A definition as clients of 2025-11-25 need it: they ask for a task only where it says so. */
export function withTaskSupport(definition: JsonObject, upstream: Upstream): JsonObject {
  return storesTasks(upstream)
    ? { ...definition, execution: { taskSupport: 'optional' } }
    : definition
}
