import { memberOf, type ConfigNode } from '@parley/foundation/config'
import { isJsonObject } from '@parley/mcp/json'
import { TransformError, transformTools, type ToolRules } from '@parley/tools'

import { readBytes } from '../bridge/byte-size.ts'
import { readDuration } from '../bridge/duration.ts'
import { modelSafeName } from '../naming/naming.ts'
import type { GatewayServerSettings } from '../upstreams/server-options.ts'
import type { ConfigReader } from './config-reader.ts'

const modes = {
  perSession: 'per-session',
  perUser: 'per-user',
  shared: 'shared',
  'per-session': 'per-session',
  'per-user': 'per-user',
} as const

/** What an entry says for a gateway, besides how the server is reached. */
export function readServerSettings(
  reader: ConfigReader,
  node: ConfigNode,
  key: string,
): GatewayServerSettings {
  const words = Object.keys(modes) as readonly (keyof typeof modes)[] // the keys of the table
  const mode = reader.choice(node, 'mode', `${key}.mode`, words)
  const limits = memberOf(node, 'limits')?.node
  const names = memberOf(node, 'openapi') ? openApiLimitNames : limitNames
  const bounds = limits && reader.object(limits, `${key}.limits`, names)
  return {
    ...(mode !== undefined && { mode: modes[mode] }),
    startTimeoutMs: reader.parsed(node, 'startTimeout', `${key}.startTimeout`, readDuration),
    callTimeoutMs: reader.parsed(node, 'callTimeout', `${key}.callTimeout`, readDuration),
    memoryBytes: reader.parsed(bounds, 'memory', `${key}.limits.memory`, readBytes),
    messageBytes: reader.parsed(bounds, 'message', `${key}.limits.message`, readBytes),
    maxConnections: reader.parsed(bounds, 'connections', `${key}.limits.connections`, readCount),
    tools: readToolRules(reader, memberOf(node, 'tools')?.node, `${key}.tools`),
  }
}

const limitNames = ['memory', 'message', 'connections']
const openApiLimitNames = ['answer', 'pages', 'connections']

function readCount(text: string, key: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text)
  throw new Error(`${key} ${JSON.stringify(text)} is not a number of connections: write 100`)
}

/** The rules are checked by whoever applies them; where a mistake is, is found here. */
function readToolRules(
  reader: ConfigReader,
  node: ConfigNode | undefined,
  key: string,
): GatewayServerSettings['tools'] {
  if (node === undefined) return undefined
  if (!isJsonObject(node.value)) {
    reader.fault(node, key, 'must be an object', `Write ${key}: { TOOL: { name: NEW_NAME } }.`)
    return undefined
  }
  const problems = { count: 0 }
  for (const { name, node: rule } of node.members) {
    if (!checkRule(reader, rule, `${key}.${name}`)) problems.count += 1
  }
  if (problems.count > 0) return undefined
  const rules = node.value as unknown as ToolRules // each member was just checked
  try {
    transformTools(rules)
    return rules
  } catch (error) {
    const tool = error instanceof TransformError ? error.tool : ''
    const at = memberOf(node, tool)?.node ?? node
    const [, what = '', fix] =
      /^rule for tool "[^"]*"(?:, argument ("[^"]*"))?: (.*)$/.exec(
        error instanceof Error ? error.message : '',
      ) ?? []
    const why = fix ?? String(error)
    reader.fault(at, `${key}.${tool}`, what === '' ? why : `${what}: ${why}`, 'Correct the rule.')
    return undefined
  }
}

const ruleNames = [
  'name',
  'title',
  'description',
  'hide',
  'annotations',
  'arguments',
  'outputSchema',
]
const argumentNames = ['name', 'title', 'description', 'hide', 'value', 'default']

function checkRule(reader: ConfigReader, node: ConfigNode, key: string): boolean {
  const fields = reader.object(node, key, ruleNames)
  if (fields === undefined) return false
  const name = reader.text(fields, 'name', `${key}.name`)
  if (name !== undefined && !modelSafeName.test(name)) {
    const at = memberOf(fields, 'name')?.node ?? fields
    const fix = 'Use letters, digits, _ and -, at most 64.'
    reader.fault(at, `${key}.name`, `is no name that models can call: ${name}`, fix)
    return false
  }
  reader.text(fields, 'title', `${key}.title`)
  reader.text(fields, 'description', `${key}.description`)
  reader.boolean(fields, 'hide', `${key}.hide`)
  const annotations = memberOf(fields, 'annotations')?.node
  if (annotations && !isJsonObject(annotations.value)) {
    const fix = 'Write annotations: { readOnlyHint: true }.'
    reader.fault(annotations, `${key}.annotations`, 'must be an object', fix)
    return false
  }
  const args = memberOf(fields, 'arguments')?.node
  if (args === undefined) return true
  if (!isJsonObject(args.value)) {
    const fix = 'Write arguments: { NAME: { hide: true } }.'
    reader.fault(args, `${key}.arguments`, 'must be an object', fix)
    return false
  }
  return args.members.every(
    ({ name: argument, node: rule }) =>
      reader.object(rule, `${key}.arguments.${argument}`, argumentNames) !== undefined,
  )
}
