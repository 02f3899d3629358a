import { createHash } from 'node:crypto'

import type { JsonObject, Tool } from '@parley/mcp'
import { canonicalJson } from '@parley/mcp/json'

/** Everything a server says of a tool but `_meta`, which may differ with every list. */
export function definitionOf(tool: Tool): JsonObject {
  const { _meta, ...definition } = tool
  return JSON.parse(JSON.stringify(definition)) as JsonObject // an object without its undefined members
}

/** Changes with the definition of a tool, not with the order of its members: `sha256:…`. */
export function hashOf(definition: JsonObject): string {
  return `sha256:${createHash('sha256').update(canonicalJson(definition)).digest('hex')}`
}
