/**
 * Reads a file of consent rules: JSON with comments, as a person writes it. Every mistake is reported with its line and what to
 * write instead, and a file with an error is not used at all: without one rule that denies, the others would allow too much.
 *
 * It turns text into `ConsentRules` and decides nothing; `evaluate-rules.ts` does. Patterns of names are compiled by `glob.ts`,
 * those of arguments by `argument-pattern.ts`, `when` by `condition.ts`. The command line and the chat read with it.
 */

import { basename } from 'node:path'

import { didYouMean } from '@parley/foundation/command-line'
import { memberOf, readDocument, type ConfigNode } from '@parley/foundation/config/document'
import type { JsonObject, JsonValue } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import { compileArgument, isFault, type ArgumentPattern } from './argument-pattern.ts'
import { compileCondition, type Condition } from './condition.ts'
import { compileGlob, isGlobFault, type Glob } from './glob.ts'
import { deadRules } from './rule-warnings.ts'
import {
  noRules,
  type ConsentRules,
  type RememberedFor,
  type ConsentRule,
  type ConsentRuleDecision,
  type ConsentRuleLimits,
} from './rule.ts'

/** A mistake in a file of rules, or something in it that has no effect. */
export interface ConsentRuleProblem {
  /** With an `error` the file is not used. */
  readonly level: 'error' | 'warning'
  /** The line, counted from 1. */
  readonly line: number
  /** What is wrong, for people. */
  readonly message: string
  /** What to write instead. */
  readonly fix: string
}

/** Rules are used whole or not at all: without one that forbids, the others would allow too much. */
export type ReadRulesResult =
  | {
      /** The rules can be used. */
      readonly ok: true
      /** The rules. */
      readonly rules: ConsentRules
      /** Warnings, such as rules that have no effect. */
      readonly problems: readonly ConsentRuleProblem[]
    }
  | {
      /** There is a mistake, and no rule is used. */
      readonly ok: false
      /** Every mistake, with its place and what to write instead. */
      readonly problems: readonly ConsentRuleProblem[]
    }

/** What is known besides the text. */
export interface ReadRulesOptions {
  /** The file's name, for labels. @defaultValue `rules` */
  readonly file?: string | undefined
  /** What `${workspaceFolder}` stands for in patterns of arguments. */
  readonly workspaceFolder?: string | undefined
  /** Where a path leads. @defaultValue by asking this machine's file system */
  readonly realPath?: ((path: string) => string | undefined) | undefined
}

const maxTextLength = 1024 * 1024
const maxRules = 1_000
const maxProblems = 100

const decisions = ['allow', 'ask', 'deny'] as const
const durations = ['once', 'session', 'always'] as const
const topKeys = ['rules', 'trusted', 'sampling', 'limits', '$schema']
const ruleKeys = ['server', 'tool', 'args', 'when', 'decision', 'remember', 'definition', 'comment']
const limitKeys = ['callsPerTurn', 'callsPerMinute', 'parallelCalls'] as const

/** Reads rules from JSON with comments, or from a value. Total: every mistake is told with its line and what to write instead. */
export function readRules(
  source: string | JsonObject,
  options: ReadRulesOptions = {},
): ReadRulesResult {
  const text = typeof source === 'string' ? source : JSON.stringify(source, undefined, 2)
  const problems: ConsentRuleProblem[] = []
  const report: Report = (level, line, message, fix) => {
    if (problems.length < maxProblems) problems.push({ level, line, message, fix })
  }
  const rules = readFile(text, options, report)
  if (problems.some(({ level }) => level === 'error')) return { ok: false, problems }
  for (const dead of deadRules(rules.rules)) report('warning', dead.line, dead.message, dead.fix)
  return { ok: true, rules, problems }
}

type Report = (level: 'error' | 'warning', line: number, message: string, fix: string) => void

function readFile(text: string, options: ReadRulesOptions, report: Report): ConsentRules {
  if (text.length > maxTextLength) {
    report('error', 1, `the file has ${text.length} characters`, `Use at most ${maxTextLength}.`)
    return noRules
  }
  const { root, faults } = readDocument(text, 'json')
  for (const { line, message } of faults) {
    report('error', line, `syntax: ${message}`, 'Correct the syntax there; comments are allowed.')
  }
  if (!isObjectNode(root)) {
    if (faults.length === 0) {
      report('error', root?.line ?? 1, 'the file has no object', 'Write { "rules": [] }.')
    }
    return noRules
  }
  checkKeys(root, topKeys, 'the file', report)
  const list = memberOf(root, 'rules')
  if (list === undefined) {
    if (root.members.length === 0 || faults.length === 0) {
      report('error', root.line, '"rules" is missing', 'Write { "rules": [] } for no rules.')
    }
  } else if (!Array.isArray(list.node.value)) {
    report('error', list.line, '"rules" is no list', 'Write "rules": [ { … } ].')
  } else if (list.node.items.length > maxRules) {
    report('error', list.line, `has ${list.node.items.length} rules`, `Use at most ${maxRules}.`)
  }
  const items = list?.node.items.slice(0, maxRules) ?? []
  const rules = items.flatMap((node, at) => readRule(node, at + 1, options, report))
  const trusted = readServers(root, 'trusted', report)
  const sampling = readServers(root, 'sampling', report)
  return {
    rules,
    limits: readLimits(memberOf(root, 'limits')?.node, report),
    trusted: trusted.map(({ text: name }) => name),
    isTrusted: (server) => trusted.some(({ glob }) => glob.matches(server)),
    sampling: sampling.map(({ text: name }) => name),
    allowsSampling: (server) => sampling.some(({ glob }) => glob.matches(server)),
  }
}

function readRule(
  node: ConfigNode,
  number: number,
  options: ReadRulesOptions,
  report: Report,
): readonly ConsentRule[] {
  const name = `rule ${number}`
  if (!isObjectNode(node)) {
    const fix = 'Write { "server": "…", "tool": "…", "decision": "allow" }.'
    report('error', node.line, `${name} is no object`, fix)
    return []
  }
  checkKeys(node, ruleKeys, name, report)
  const decision = readWord<ConsentRuleDecision>(node, 'decision', decisions, name, report)
  if (memberOf(node, 'decision') === undefined) {
    report(
      'error',
      node.line,
      `${name} has no "decision"`,
      'Add "decision": "allow", "ask" or "deny".',
    )
  }
  const remember = readWord<RememberedFor>(node, 'remember', durations, name, report)
  if (remember !== undefined && decision !== undefined && decision !== 'ask') {
    const fix = 'Take it out: only answers to questions are remembered.'
    report('warning', node.line, `${name} has "remember" with "${decision}"`, fix)
  }
  const server = readName(node, 'server', name, report)
  const tool = readName(node, 'tool', name, report)
  const when = readWhen(node, name, report)
  const args = readArguments(node, name, options, report)
  const definition = readDefinition(node, name, report)
  if (decision === undefined || server === undefined || tool === undefined) return []
  const source = node.value
  const file = basename(options.file ?? 'rules')
  const label = `${name} (${file}:${node.line}): ${decision} ${shownName(source, 'server')}/${shownName(source, 'tool')}`
  const base = { decision, server, tool, args, when, definition, source, label, line: node.line }
  return [{ ...base, remember: remember ?? 'always' }]
}

function shownName(source: JsonObject, key: string): string {
  const name = source[key]
  return typeof name === 'string' ? name : '*'
}

function readName(node: ConfigNode, key: string, rule: string, report: Report): Glob | undefined {
  const member = memberOf(node, key)
  const value = member?.node.value ?? '*'
  if (typeof value !== 'string' || value === '') {
    const fix = `Write a name or a pattern, such as "${key}": "git*".`
    report('error', member?.line ?? node.line, `"${key}" of ${rule} is ${shown(value)}`, fix)
    return undefined
  }
  const glob = compileGlob(value)
  if (!isGlobFault(glob)) return glob
  report('error', member?.line ?? node.line, `"${key}" of ${rule} ${glob.message}`, glob.fix)
  return undefined
}

function readWord<Word extends string>(
  node: ConfigNode,
  key: string,
  words: readonly Word[],
  rule: string,
  report: Report,
): Word | undefined {
  const member = memberOf(node, key)
  if (member === undefined) return undefined
  const { value } = member.node
  const found = words.find((word) => word === value)
  if (found !== undefined) return found
  const meant = typeof value === 'string' ? didYouMean(value.toLowerCase(), words) : undefined
  const all = words.map((word) => `"${word}"`).join(', ')
  const fix = meant === undefined ? `Use one of ${all}.` : `Did you mean "${meant}"?`
  report('error', member.line, `"${key}" of ${rule} is ${shown(value)}`, fix)
  return undefined
}

function readWhen(node: ConfigNode, rule: string, report: Report): Condition | undefined {
  const member = memberOf(node, 'when')
  if (member === undefined) return undefined
  const { value } = member.node
  const condition =
    typeof value === 'string'
      ? compileCondition(value)
      : { message: `is ${shown(value)}`, fix: 'Write a text such as "flow.untrusted".' }
  if (!('fix' in condition)) return condition
  report('error', member.line, `"when" of ${rule} ${condition.message}`, condition.fix)
  return undefined
}

function readArguments(
  node: ConfigNode,
  rule: string,
  options: ReadRulesOptions,
  report: Report,
): readonly ArgumentPattern[] {
  const member = memberOf(node, 'args')
  if (member === undefined) return []
  if (!isObjectNode(member.node)) {
    const fix = 'Write "args": { "path": "${workspaceFolder}/**" }.'
    report('error', member.line, `"args" of ${rule} is ${shown(member.node.value)}`, fix)
    return []
  }
  checkTwice(member.node, `"args" of ${rule}`, report)
  return member.node.members.flatMap(({ name, line, node: wanted }) => {
    // A document of JSON holds JSON.
    const pattern = compileArgument(name, wanted.value as JsonValue, options)
    if (!isFault(pattern)) return [pattern]
    report('error', line, `"args.${name}" of ${rule} ${pattern.message}`, pattern.fix)
    return []
  })
}

function readDefinition(node: ConfigNode, rule: string, report: Report): string | undefined {
  const member = memberOf(node, 'definition')
  if (member === undefined) return undefined
  const { value } = member.node
  if (typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value)) return value
  const fix = 'Write "sha256:" and 64 digits, as a question about a changed tool shows them.'
  report('error', member.line, `"definition" of ${rule} is ${shown(value)}`, fix)
  return undefined
}

/** A list of names and patterns of servers. */
function readServers(
  root: ConfigNode,
  key: 'trusted' | 'sampling',
  report: Report,
): readonly { readonly text: string; readonly glob: Glob }[] {
  const node = memberOf(root, key)?.node
  if (node === undefined) return []
  if (!Array.isArray(node.value)) {
    report('error', node.line, `"${key}" is no list`, `Write "${key}": ["git"].`)
    return []
  }
  return node.items.flatMap(({ value, line }) => {
    const text = typeof value === 'string' ? value : ''
    const glob =
      text === ''
        ? { message: `has ${shown(value)}`, fix: 'Write names of servers, such as "git".' }
        : compileGlob(text)
    if (!isGlobFault(glob)) return [{ text, glob }]
    report('error', line, `"${key}" ${glob.message}`, glob.fix)
    return []
  })
}

function readLimits(node: ConfigNode | undefined, report: Report): ConsentRuleLimits {
  if (node === undefined) return {}
  if (!isObjectNode(node)) {
    report('error', node.line, '"limits" is no object', 'Write "limits": { "callsPerTurn": 20 }.')
    return {}
  }
  checkKeys(node, limitKeys, '"limits"', report)
  const limits: { [name: string]: number } = {}
  for (const name of limitKeys) {
    const member = memberOf(node, name)
    if (member === undefined) continue
    const { value } = member.node
    if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) limits[name] = value
    else report('error', member.line, `"${name}" is ${shown(value)}`, 'Use a whole number from 1.')
  }
  return limits
}

function checkKeys(node: ConfigNode, keys: readonly string[], of: string, report: Report): void {
  checkTwice(node, of, report)
  for (const { name, line } of node.members) {
    if (keys.includes(name)) continue
    const meant = didYouMean(name, keys)
    const fix = meant === undefined ? `Known: ${keys.join(', ')}.` : `Did you mean "${meant}"?`
    report('error', line, `${of} has "${name}", which is not known`, fix)
  }
}

function checkTwice(node: ConfigNode, of: string, report: Report): void {
  const seen = new Set<string>()
  for (const { name, line } of node.members) {
    if (seen.has(name)) report('error', line, `${of} has "${name}" twice`, 'Keep one of them.')
    seen.add(name)
  }
}

function isObjectNode(
  node: ConfigNode | undefined,
): node is ConfigNode & { readonly value: JsonObject } {
  const value = node?.value
  return isJsonObject(value)
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
