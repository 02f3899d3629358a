/**
 * Reads a file of consent rules: JSON with comments, as a person writes it. Every mistake is reported with its line and what to
 * write instead, and a file with an error is not used at all: without one rule that denies, the others would allow too much.
 *
 * It turns text into `ConsentRules` and decides nothing; `evaluate-rules.ts` does. The form of the file is declared in `rules-file.ts`;
 * patterns are compiled by `@parley/foundation/rules`, `when` by `condition.ts`. The command line and the chat read with it.
 */

import { basename } from 'node:path'

import { readDocument, type ConfigNode } from '@parley/foundation/config/document'
import { compileArgument, compileGlob, type GlobProblem } from '@parley/foundation/rules'
import {
  nodeAt,
  readSettings,
  type SettingsFault,
  type SettingsPath,
} from '@parley/foundation/settings'
import type { JsonObject } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'
import type * as v from 'valibot'

import { compileCondition } from './condition.ts'
import { deadRules } from './rule-warnings.ts'
import { noRules, type ConsentRules, type ConsentRule } from './rule.ts'
import { rulesFile, type ruleSettings } from './rules-file.ts'

/** A mistake in a file of rules, or something in it that has no effect. */
export interface ConsentRuleProblem {
  /** With an `error` the file is not used. */
  readonly level: 'error' | 'warning'
  /** The line, counted from 1. */
  readonly line: number
  /** The column, counted from 1. */
  readonly column?: number | undefined
  /** The mistake, for people. */
  readonly message: string
  /** The text to write instead. */
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

/** Values besides the text of the file. */
export interface ReadRulesOptions {
  /** The file's name, for labels. @defaultValue `rules` */
  readonly file?: string | undefined
  /** The value of `${workspaceFolder}` in patterns of arguments. */
  readonly workspaceFolder?: string | undefined
  /** Where a path leads. @defaultValue by asking this machine's file system */
  readonly realPath?: ((path: string) => string | undefined) | undefined
}

const maxTextLength = 1024 * 1024
const maxProblems = 100

/** Reads rules from JSON with comments, or from a value. Total: every mistake is reported with its line, column and what to write instead. */
export function readRules(
  source: string | JsonObject,
  options: ReadRulesOptions = {},
): ReadRulesResult {
  const text = typeof source === 'string' ? source : JSON.stringify(source, undefined, 2)
  const problems: ConsentRuleProblem[] = []
  const report: Report = (level, { line, column }, message, fix) => {
    if (problems.length < maxProblems) problems.push({ level, line, column, message, fix })
  }
  const rules = readFile(text, options, report)
  if (problems.some(({ level }) => level === 'error')) return { ok: false, problems }
  for (const dead of deadRules(rules.rules)) report('warning', dead, dead.message, dead.fix)
  return { ok: true, rules, problems }
}

type Report = (
  level: 'error' | 'warning',
  place: Pick<ConfigNode, 'line' | 'column'>,
  message: string,
  fix: string,
) => void

const top = { line: 1, column: 1 }

function readFile(text: string, options: ReadRulesOptions, report: Report): ConsentRules {
  if (text.length > maxTextLength) {
    report('error', top, `the file has ${text.length} characters`, `Use at most ${maxTextLength}.`)
    return noRules
  }
  const { root, problems: faults } = readDocument(text, 'json')
  for (const fault of faults) {
    const fix = 'Correct the syntax there; comments are allowed.'
    report('error', fault, `syntax: ${fault.message}`, fix)
  }
  if (root === undefined || !isJsonObject(root.value)) {
    if (faults.length === 0) {
      report('error', root ?? top, 'the file is not an object', 'Write { "rules": [] }.')
    }
    return noRules
  }
  reportTwice(root, [], report)
  const wrong: SettingsFault[] = []
  const file = readSettings(rulesFile, root.value, [], wrong)
  for (const { path, message, fix } of wrong) {
    report('error', nodeAt(root, path), `${placeOf(path)} ${message}`.trim(), fix)
  }
  if (file === undefined) return noRules
  const at = (path: SettingsPath): ConfigNode => nodeAt(root, path)
  const rules = file.rules.flatMap((rule, index) =>
    compileRule(rule, index, { ...options, at, report }),
  )
  const compileAll = (key: 'trusted' | 'sampling') =>
    (file[key] ?? []).flatMap((each, index) => {
      const path = [key, index]
      return compiled(compileGlob(each), path, at, report)
    })
  const [trusted, sampling] = [compileAll('trusted'), compileAll('sampling')]
  return {
    rules,
    limits: file.limits ?? {},
    trusted: file.trusted ?? [],
    isTrusted: (server) => trusted.some((glob) => glob.matches(server)),
    sampling: file.sampling ?? [],
    allowsSampling: (server) => sampling.some((glob) => glob.matches(server)),
  }
}

interface Compiling extends ReadRulesOptions {
  at(path: SettingsPath): ConfigNode
  readonly report: Report
}

function compileRule(
  rule: v.InferOutput<typeof ruleSettings>,
  index: number,
  { at, report, ...options }: Compiling,
): readonly ConsentRule[] {
  const path = ['rules', index]
  const node = at(path)
  const { decision, remember, server = '*', tool = '*', definition } = rule
  if (remember !== undefined && decision !== 'ask') {
    const fix = 'Take it out: only answers to questions are remembered.'
    report('warning', node, `rule ${index + 1} has "remember" with "${decision}"`, fix)
  }
  const take = <T extends object>(name: string, value: T | GlobProblem): T | undefined =>
    compiled(value, [...path, ...name.split(' ')], at, report)[0]
  const servers = take('server', compileGlob(server))
  const tools = take('tool', compileGlob(tool))
  const when = rule.when === undefined ? undefined : take('when', compileCondition(rule.when))
  const args = Object.entries(rule.args ?? {}).flatMap(([name, wanted]) =>
    compiled(compileArgument(name, wanted, options), [...path, 'args', name], at, report),
  )
  if (servers === undefined || tools === undefined) return []
  const file = basename(options.file ?? 'rules')
  const label = `rule ${index + 1} (${file}:${node.line}): ${decision} ${server}/${tool}`
  return [
    {
      decision,
      server: servers,
      tool: tools,
      args,
      when,
      definition,
      source: node.value as JsonObject, // the declaration has just read it as one
      label,
      line: node.line,
      remember: remember ?? 'always',
    },
  ]
}

/** A compiled part, or nothing and its fault reported. */
function compiled<T extends object>(
  value: T | GlobProblem,
  path: SettingsPath,
  at: Compiling['at'],
  report: Report,
): readonly T[] {
  if (!('fix' in value)) return [value]
  report('error', at(path), `${placeOf(path)} ${value.message}`, value.fix)
  return []
}

/** `rule 2: "args.path"`, `"limits"`. */
function placeOf(path: SettingsPath): string {
  const [section, index, ...rest] = path
  if (section === 'rules' && typeof index === 'number') {
    return rest.length === 0 ? `rule ${index + 1}` : `rule ${index + 1}: "${rest.join('.')}"`
  }
  return path.length === 0 ? 'the file' : `"${path.join('.')}"`
}

/** Parsers disagree on which of two members of one name counts. */
function reportTwice({ members, items }: ConfigNode, path: SettingsPath, report: Report): void {
  const seen = new Set<string>()
  for (const { name, line, node } of members) {
    const message = `${placeOf(path)} has "${name}" twice`
    if (seen.has(name)) report('error', { line, column: node.column }, message, 'Keep one of them.')
    seen.add(name)
    reportTwice(node, [...path, name], report)
  }
  for (const [index, item] of items.entries()) reportTwice(item, [...path, index], report)
}
