import type { JsonSchema, JsonValue, ToolAnnotations } from '@parley/mcp'

/** The change of one argument of a tool. */
export interface ArgumentRule {
  /** Its new name. */
  readonly name?: string | undefined
  /** Its new title. */
  readonly title?: string | undefined
  /** Its new description. */
  readonly description?: string | undefined
  /** Callers do not see it and cannot set it. One that the tool requires needs a `value`. */
  readonly hide?: boolean | undefined
  /** Always sent with this value; hidden. */
  readonly value?: JsonValue | undefined
  /** Sent where a caller leaves it out; no longer required. */
  readonly default?: JsonValue | undefined
}

/** The change of one tool. */
export interface ToolRule {
  /** Its new name; the old one no longer exists. */
  readonly name?: string | undefined
  /** Its new title. */
  readonly title?: string | undefined
  /** Its new description. */
  readonly description?: string | undefined
  /** Neither listed nor callable. */
  readonly hide?: boolean | undefined
  /** Take the place of those of the same name; the others stay. */
  readonly annotations?: ToolAnnotations | undefined
  /** By the name that the tool has for them. */
  readonly arguments?: { readonly [argument: string]: ArgumentRule } | undefined
  /** Another description of its structured answers, or false for none. The answers stay as they are. */
  readonly outputSchema?: JsonSchema | false | undefined
}

/**
 * Rules by the name that a tool has before them. `*` is for tools without a rule of their own, and may hide them or change
 * annotations.
 */
export interface ToolRules {
  /** The change of this tool. */
  readonly [tool: string]: ToolRule
}

/** Where a caller's argument comes from, by the rules of one tool; `undefined` for no rule. */
export type ArgumentFate =
  | { readonly kind: 'kept'; readonly name: string; readonly rule: ArgumentRule }
  | { readonly kind: 'fixed'; readonly value: JsonValue }
  | { readonly kind: 'dropped' }

/** Returns what becomes of an argument under a rule. */
export function fateOf(argument: string, rule: ArgumentRule): ArgumentFate {
  if (rule.value !== undefined) return { kind: 'fixed', value: rule.value }
  if (rule.hide) {
    return rule.default === undefined ? { kind: 'dropped' } : { kind: 'fixed', value: rule.default }
  }
  return { kind: 'kept', name: rule.name ?? argument, rule }
}

/** A rule that cannot be applied: says which, why, and what to write instead. */
export class TransformError extends Error {
  /** Always `TransformError`. */
  override readonly name = 'TransformError'
  /** The tool that the rule is for, by its name before the rules. */
  readonly tool: string
  /** The argument, if the rule is about one. */
  readonly argument: string | undefined

  /** The message names the tool and the argument. */
  constructor(tool: string, argument: string | undefined, why: string) {
    const about = argument === undefined ? '' : `, argument ${JSON.stringify(argument)}`
    super(`rule for tool ${JSON.stringify(tool)}${about}: ${why}`)
    this.tool = tool
    this.argument = argument
  }
}

const toolNames = /^[A-Za-z0-9_./-]{1,128}$/

/** Throws for rules that are wrong whatever the tools are. */
export function checkRules(rules: ToolRules): void {
  const usedNames = new Map<string, string>()
  for (const [tool, rule] of Object.entries(rules)) {
    if (tool === '*') {
      checkWildcard(rule)
      continue
    }
    checkToolRule(tool, rule)
    if (rule.hide) continue
    const name = rule.name ?? tool
    const other = usedNames.get(name)
    if (other !== undefined) {
      throw new TransformError(tool, undefined, `it would be called ${name}, as ${other} is`)
    }
    usedNames.set(name, tool)
  }
}

function checkWildcard(rule: ToolRule): void {
  const wrong = Object.keys(rule).find((key) => key !== 'hide' && key !== 'annotations')
  if (wrong !== undefined) {
    throw new TransformError('*', undefined, `"${wrong}" is for one tool: write it under its name`)
  }
}

function checkToolRule(tool: string, rule: ToolRule): void {
  if (rule.name !== undefined && !toolNames.test(rule.name)) {
    const why = `a name has 1 to 128 of the characters A-Z a-z 0-9 _ . / -, not ${JSON.stringify(rule.name)}`
    throw new TransformError(tool, undefined, why)
  }
  const usedNames = new Map<string, string>()
  for (const [argument, argumentRule] of Object.entries(rule.arguments ?? {})) {
    const { hide, value, default: fallback, name } = argumentRule
    const reject = (why: string) => new TransformError(tool, argument, why)
    if (name === '') throw reject('its new name is empty')
    if (value !== undefined && fallback !== undefined) {
      throw reject('"value" is always sent, so "default" never is: leave one out')
    }
    if ((hide || value !== undefined) && name !== undefined) {
      throw reject('a hidden argument needs no name: leave "name" out')
    }
    const fate = fateOf(argument, argumentRule)
    if (fate.kind !== 'kept') continue
    const other = usedNames.get(fate.name)
    if (other !== undefined) throw reject(`it would be called ${fate.name}, as ${other} is`)
    usedNames.set(fate.name, argument)
  }
}
