import type { JsonObject } from '@parley/mcp'

import { isObject } from '../json.ts'
import type { ToolRule } from './tool-rule.ts'

/** A tool under a rule: its definition for clients, and their arguments for the server. */
export function appliedRule(
  definition: JsonObject,
  { title, description, hide = [], defaults = {}, annotations }: ToolRule,
): { readonly listed: JsonObject; readonly toServer: (given: JsonObject) => JsonObject } {
  const hidden = new Set(hide)
  const given = isObject(definition['inputSchema']) ? definition['inputSchema'] : {}
  const own = isObject(definition['annotations']) ? definition['annotations'] : {}
  const listed: JsonObject = {
    ...definition,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(annotations && { annotations: { ...own, ...annotations } }),
    ...((hide.length > 0 || Object.keys(defaults).length > 0) && {
      inputSchema: schemaWithout(given, hidden, defaults),
    }),
  }
  return {
    listed,
    toServer(args) {
      const shown = Object.entries(args).filter(([name]) => !hidden.has(name))
      return { ...defaults, ...Object.fromEntries(shown) }
    },
  }
}

/** Hidden arguments are not there; those with a default need not be given. */
function schemaWithout(
  schema: JsonObject,
  hidden: ReadonlySet<string>,
  defaults: JsonObject,
): JsonObject {
  const { properties, required } = schema
  const kept = Object.entries(isObject(properties) ? properties : {})
    .filter(([name]) => !hidden.has(name))
    .map(([name, each]) => {
      const preset = Object.hasOwn(defaults, name) ? defaults[name] : undefined
      return [name, preset !== undefined && isObject(each) ? { ...each, default: preset } : each]
    })
  const needed = Array.isArray(required)
    ? required.filter((name) => !hidden.has(String(name)) && !Object.hasOwn(defaults, String(name)))
    : undefined
  return {
    ...schema,
    ...(isObject(properties) && { properties: Object.fromEntries(kept) as JsonObject }), // taken from JSON
    ...(needed !== undefined && { required: needed }),
  }
}
