import type { JsonSchema, JsonValue, ToolAnnotations } from '@parley/mcp'

/** What changes about one argument of a tool. */
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

/** What changes about one tool. */
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
  /** What changes about this tool. */
  readonly [tool: string]: ToolRule
}

/** Where a caller's argument comes from, by the rules of one tool; `undefined` for no rule. */
export type ArgumentFate =
  | { readonly kind: 'kept'; readonly name: string; readonly rule: ArgumentRule }
  | { readonly kind: 'fixed'; readonly value: JsonValue }
  | { readonly kind: 'dropped' }

/** What becomes of an argument under a rule. */
export function fateOf(argument: string, rule: ArgumentRule): ArgumentFate {
  if (rule.value !== undefined) return { kind: 'fixed', value: rule.value }
  if (rule.hide) {
    return rule.default === undefined ? { kind: 'dropped' } : { kind: 'fixed', value: rule.default }
  }
  return { kind: 'kept', name: rule.name ?? argument, rule }
}
