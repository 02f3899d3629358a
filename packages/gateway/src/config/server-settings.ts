import { memberOf, type ConfigNode } from '@parley/foundation/config'
import type { JsonObject } from '@parley/mcp'

import { readBytes } from '../bridge/byte-size.ts'
import { readDuration } from '../bridge/duration.ts'
import { isObject } from '../json.ts'
import { modelSafeName } from '../naming/naming.ts'
import type { ToolRule } from '../naming/tool-rule.ts'
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
  const bounds = limits && reader.object(limits, `${key}.limits`, limitNames)
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

function readCount(text: string, key: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text)
  throw new Error(`${key} ${JSON.stringify(text)} is not a number of connections: write 100`)
}

const ruleNames = ['name', 'title', 'description', 'hidden', 'hide', 'defaults', 'annotations']

function readToolRules(
  reader: ConfigReader,
  node: ConfigNode | undefined,
  key: string,
): GatewayServerSettings['tools'] {
  if (node === undefined) return undefined
  if (!isObject(node.value)) {
    reader.fault(node, key, 'must be an object', `Write ${key}: { TOOL: { name: NEW_NAME } }.`)
    return undefined
  }
  return Object.fromEntries(
    node.members.map(({ name, node: rule }) => [name, readRule(reader, rule, `${key}.${name}`)]),
  )
}

function readRule(reader: ConfigReader, node: ConfigNode, key: string): ToolRule {
  const given = reader.object(node, key, ruleNames)
  const name = reader.text(given, 'name', `${key}.name`)
  if (given && name !== undefined && !modelSafeName.test(name)) {
    const at = memberOf(given, 'name')?.node ?? given
    const fix = 'Use letters, digits, _ and -, at most 64.'
    reader.fault(at, `${key}.name`, `is no name that models can call: ${name}`, fix)
  }
  return {
    name,
    title: reader.text(given, 'title', `${key}.title`),
    description: reader.text(given, 'description', `${key}.description`),
    isHidden: reader.boolean(given, 'hidden', `${key}.hidden`),
    hide: reader.texts(given, 'hide', `${key}.hide`),
    defaults: readObject(reader, given, 'defaults', key),
    annotations: readObject(reader, given, 'annotations', key),
  }
}

function readObject(
  reader: ConfigReader,
  parent: ConfigNode | undefined,
  name: string,
  key: string,
): JsonObject | undefined {
  const node = memberOf(parent, name)?.node
  if (node === undefined) return undefined
  if (isObject(node.value)) return node.value
  reader.fault(node, `${key}.${name}`, 'must be an object', `Write ${name}: { argument: value }.`)
  return undefined
}
