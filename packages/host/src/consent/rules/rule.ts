import type { ArgumentPattern, Glob } from '@parley/foundation/rules'
import type { JsonObject } from '@parley/mcp'

import type { Condition } from './condition.ts'

/** The decision of a rule about the calls that it matches. */
export type ConsentRuleDecision = 'allow' | 'ask' | 'deny'

/** How long an answer counts. */
export type RememberedFor = 'once' | 'session' | 'always'

/** One rule of a file, ready to be asked. */
export interface ConsentRule {
  /** Its decision about calls that it matches. */
  readonly decision: ConsentRuleDecision
  /** Which servers it is for. */
  readonly server: Glob
  /** Which tools it is for. */
  readonly tool: Glob
  /** Conditions on arguments; empty if any arguments match. */
  readonly args: readonly ArgumentPattern[]
  /** The condition of its `when`; undefined if it has none. */
  readonly when: Condition | undefined
  /** The longest that an answer to its question is remembered. */
  readonly remember: RememberedFor
  /** The definition it allows, and no other: `sha256:…`. */
  readonly definition: string | undefined
  /** The rule as the file has it. */
  readonly source: JsonObject
  /** In words, with its place: `rule 2 (rules.json:5): allow git/git_*`. */
  readonly label: string
  /** Its line in the file, counted from 1. */
  readonly line: number
}

/** Limits of a turn that a file of rules sets. */
export interface ConsentRuleLimits {
  /** How many calls one turn may make. */
  readonly callsPerTurn?: number | undefined
  /** How many calls one minute may see. */
  readonly callsPerMinute?: number | undefined
  /** How many calls run at once. */
  readonly parallelCalls?: number | undefined
}

/** The rules of a file. */
export interface ConsentRules {
  /** The rules, in the order of the file. */
  readonly rules: readonly ConsentRule[]
  /** How often tools may be called. */
  readonly limits: ConsentRuleLimits
  /** The names and patterns of servers that the user trusts. */
  readonly trusted: readonly string[]
  /** Whether the user trusts what a server says: its claims about tools, and its results. */
  isTrusted(server: string): boolean
  /** The names and patterns of servers that may ask the model without a review. */
  readonly sampling: readonly string[]
  /** Whether a server may ask the model without a review. */
  allowsSampling(server: string): boolean
}

/** No rules: every call is asked about. */
export const noRules: ConsentRules = {
  rules: [],
  limits: {},
  trusted: [],
  isTrusted: () => false,
  sampling: [],
  allowsSampling: () => false,
}
