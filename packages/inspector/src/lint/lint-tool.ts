import type { JsonObject, JsonValue } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import { estimateTokens, isUndescribed, type Finding } from './finding.ts'
import { lintSchema } from './lint-schema.ts'

/** From here on the definition of one tool is said to be long. */
const longTokens = 2000

/** What is worth a look about the definition of a tool. */
export function lintTool(tool: JsonObject): readonly Finding[] {
  const name = typeof tool['name'] === 'string' ? tool['name'] : ''
  const found: Finding[] = []
  if (isUndescribed(tool)) {
    found.push({
      level: 'warning',
      message: 'The tool has no description.',
      hint: 'A model only knows when to use it by its description.',
      pointer: '/description',
    })
  }
  if (!/^[\w-]{1,64}$/.test(name)) {
    found.push({
      level: 'warning',
      message: 'Its name has letters or a length that model APIs refuse.',
      hint: 'Use at most 64 letters, digits, _ and -; hosts rename it otherwise.',
      pointer: '/name',
    })
  }
  found.push(...lintSchema(tool['inputSchema'], '/inputSchema'))
  if (isJsonObject(tool['outputSchema']) && tool['outputSchema']['type'] !== 'object') {
    found.push({
      level: 'error',
      message: 'Its output schema is not of type object.',
      hint: 'Write "type": "object" at the root, and put the value into a property.',
      pointer: '/outputSchema/type',
    })
  }
  for (const message of contradictions(name, tool['annotations'])) {
    found.push({
      level: 'warning',
      message,
      hint: 'Annotations decide whether the user is asked, so they should be correct.',
      pointer: '/annotations',
    })
  }
  const tokens = estimateTokens(tool)
  if (tokens > longTokens) {
    found.push({
      level: 'warning',
      message: `Its definition takes more than ${longTokens.toLocaleString('en')} tokens (an estimate).`,
      detail: `about ${tokens.toLocaleString('en')}`,
      hint: 'Every conversation pays for these tokens.',
    })
  }
  return found
}

const changing =
  /^(?:create|add|insert|write|update|edit|set|put|send|post|delete|remove|drop|destroy|kill|move|rename|execute|run|purge|reset)(?:[_\-A-Z]|$)/
const destroying = /^(?:delete|remove|drop|destroy|kill|purge|wipe|truncate)(?:[_\-A-Z]|$)/
const looking = /^(?:get|list|read|search|find|show|describe|fetch|query|count)(?:[_\-A-Z]|$)/

function contradictions(name: string, annotations: JsonValue | undefined): readonly string[] {
  if (!isJsonObject(annotations)) return []
  const { readOnlyHint, destructiveHint, idempotentHint } = annotations
  const found: string[] = []
  if (readOnlyHint === true && changing.test(name))
    found.push('It is marked as read-only, but its name suggests otherwise.')
  if (readOnlyHint === false && looking.test(name))
    found.push('It is marked as changing something, but its name suggests that it only reads.')
  if (destructiveHint === false && destroying.test(name))
    found.push('It is marked as not destructive, but its name suggests otherwise.')
  if (readOnlyHint === true && destructiveHint === true)
    found.push('It is marked as both read-only and destructive.')
  if (readOnlyHint === true && idempotentHint === false)
    found.push('It is marked as read-only but not as idempotent.')
  return found
}
