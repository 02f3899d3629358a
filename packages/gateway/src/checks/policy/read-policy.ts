import type { JsonValue } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import type { CheckProblem } from '../check-problem.ts'
import { compileExpression } from './compile-expression.ts'
import type { PolicyRule } from './policy.ts'

const maxRules = 500

/** Reads `policy:`: a list of expressions, or of `{ name, when, decision }`. Rules with mistakes are left out and told. */
export function readPolicy(section: JsonValue): {
  readonly rules: readonly PolicyRule[]
  readonly problems: readonly CheckProblem[]
} {
  const problems: CheckProblem[] = []
  const rules: PolicyRule[] = []
  if (!Array.isArray(section) || section.length === 0 || section.length > maxRules) {
    const message = Array.isArray(section)
      ? `policy has ${section.length} rules`
      : 'policy is no list'
    const cure = `write a list of at most ${maxRules} rules: policy: [ "mcp.tool.annotations.readOnlyHint" ]`
    return { rules, problems: [{ path: ['policy'], message, cure }] }
  }
  const names = new Set<string>()
  for (const [index, written] of section.entries()) {
    const path = ['policy', index]
    const found = readRule(written, path, `rule ${index + 1}`)
    problems.push(...found.problems)
    if (found.rule === undefined) continue
    const { name = '' } = found.rule
    if (names.has(name)) {
      problems.push({
        path,
        message: `two rules are called "${name}"`,
        cure: 'give each rule a name of its own',
      })
    }
    names.add(name)
    rules.push(found.rule)
  }
  return { rules, problems }
}

function readRule(
  written: JsonValue,
  path: readonly (string | number)[],
  ownName: string,
): { readonly rule?: PolicyRule; readonly problems: readonly CheckProblem[] } {
  if (typeof written === 'string') return withExpression({ name: ownName, when: written }, path)
  if (!isJsonObject(written)) {
    const message = `a rule is ${written === null ? 'empty' : `a ${typeof written}`}`
    return {
      problems: [{ path, message, cure: 'write an expression, or { name, when, decision }' }],
    }
  }
  const { name = ownName, when, decision = 'allow', ...others } = written
  const [other] = Object.keys(others)
  if (other !== undefined) {
    const message = `a rule has no "${other}"`
    return { problems: [{ path: [...path, other], message, cure: 'use name, when and decision' }] }
  }
  if (typeof name !== 'string' || name === '' || name.length > 100) {
    const message = 'the name of a rule is no short text'
    return { problems: [{ path: [...path, 'name'], message, cure: 'write 1 to 100 characters' }] }
  }
  if (decision !== 'allow' && decision !== 'deny') {
    const message = `decision is ${JSON.stringify(decision)}`
    return { problems: [{ path: [...path, 'decision'], message, cure: 'write allow or deny' }] }
  }
  if (typeof when !== 'string') {
    const message = 'a rule needs an expression'
    return { problems: [{ path: [...path, 'when'], message, cure: 'write when: "…"' }] }
  }
  return withExpression({ name, when, decision }, [...path, 'when'])
}

function withExpression(rule: PolicyRule, path: readonly (string | number)[]) {
  const compiled = compileExpression(rule.when)
  if (compiled.ok) return { rule, problems: [] }
  const { message, cure } = compiled
  return {
    problems: [{ path, message: `the policy ${rule.name} cannot be used: ${message}`, cure }],
  }
}
