import type { JsonObject, JsonValue } from '@parley/mcp'

import { fateOf, type ToolRule } from './tool-rules.ts'

/** Arguments as the tool expects them, or what is wrong with those of the caller. */
export type TransformedArguments = { readonly args: JsonObject } | { readonly problem: string }

/** Makes of a caller's arguments those of the tool: renamed, filled in, and none that was hidden. */
export function transformArguments(rule: ToolRule, given: JsonObject): TransformedArguments {
  const rules = Object.entries(rule.arguments ?? {})
  if (rules.length === 0) return { args: given }
  const added: (readonly [string, JsonValue])[] = []
  /** From the name that callers use to the tool's own. */
  const renamed = new Map<string, string>()
  /** Names of the tool that callers do not have. */
  const gone = new Set<string>()
  for (const [argument, argumentRule] of rules) {
    const fate = fateOf(argument, argumentRule)
    if (fate.kind !== 'kept' || fate.name !== argument) gone.add(argument)
    if (fate.kind === 'kept') renamed.set(fate.name, argument)
    if (fate.kind === 'fixed') added.push([argument, fate.value])
    const isLeftOut = fate.kind === 'kept' && !Object.hasOwn(given, fate.name)
    if (isLeftOut && argumentRule.default !== undefined) {
      added.push([argument, argumentRule.default])
    }
  }
  const args: (readonly [string, JsonValue | undefined])[] = []
  for (const [name, value] of Object.entries(given)) {
    const original = renamed.get(name)
    if (original === undefined && gone.has(name)) {
      return { problem: `unknown argument ${JSON.stringify(name)}` }
    }
    args.push([original ?? name, value])
  }
  return { args: Object.fromEntries([...args, ...added]) }
}
