import { section, type SettingsPath } from '@parley/foundation/settings'
import { isJsonObject } from '@parley/mcp/json'
import { TransformError, transformTools, type ToolRules } from '@parley/tools'

import type { GatewayServerSettings } from '../upstreams/server-options.ts'
import type { ConfigFaults } from './config-faults.ts'
import { commonServerSettings } from './server-declaration.ts'

const common = section(commonServerSettings)

/** Reads the settings of an entry that only a gateway has. */
export function readServerSettings(
  value: unknown,
  path: SettingsPath,
  faults: ConfigFaults,
): GatewayServerSettings {
  const known = Object.entries(isJsonObject(value) ? value : {}).filter(([name]) =>
    Object.hasOwn(commonServerSettings, name),
  )
  const settings = faults.read(common, Object.fromEntries(known), path)
  if (settings === undefined) return {}
  const { mode, startTimeout, callTimeout, limits, tools } = settings
  if (tools) checkToolRules(tools, [...path, 'tools'], faults)
  return {
    mode,
    startTimeoutMs: startTimeout,
    callTimeoutMs: callTimeout,
    memoryBytes: limits?.memory,
    messageBytes: limits?.message,
    maxConnections: limits?.connections,
    tools,
  }
}

/** Rules that contradict each other are found by the code that applies them. */
function checkToolRules(rules: ToolRules, path: SettingsPath, faults: ConfigFaults): void {
  try {
    transformTools(rules)
  } catch (error) {
    const tool = error instanceof TransformError ? error.tool : ''
    const [, what = '', fix] =
      /^rule for tool "[^"]*"(?:, argument ("[^"]*"))?: (.*)$/.exec(
        error instanceof Error ? error.message : '',
      ) ?? []
    const why = fix ?? String(error)
    faults.fault([...path, tool], what === '' ? why : `${what}: ${why}`, 'Correct the rule.')
  }
}
