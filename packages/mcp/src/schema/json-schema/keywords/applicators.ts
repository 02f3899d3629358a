import type { SchemaIssue } from '../../standard-schema.ts'
import { attempt, fail, spend, type Check, type Run } from '../run.ts'
import { readSchema, readSchemas, type Site } from '../site.ts'

/** `allOf`, `anyOf`, `oneOf`, `not` and `if`: schemas that look at the same value. */
export function compileApplicators(site: Site): Check[] {
  const checks: Check[] = [...(readSchemas(site, 'allOf') ?? [])]
  const anyOf = readSchemas(site, 'anyOf')
  if (anyOf) checks.push((value, run) => checkAnyOf(anyOf, value, run))
  const oneOf = readSchemas(site, 'oneOf')
  if (oneOf) checks.push((value, run) => checkOneOf(oneOf, value, run))
  const not = readSchema(site, 'not')
  if (not) checks.push((value, run) => checkNot(not, value, run))
  return [...checks, ...compileCondition(site)]
}

function checkAnyOf(alternatives: readonly Check[], value: unknown, run: Run): boolean {
  let fits = false
  spend(run, alternatives.length >> 2)
  for (const alternative of alternatives) {
    if (!attempt(alternative, value, run)) continue
    fits = true
    // What the others evaluate matters only to someone who asks.
    if (run.evaluated === undefined) return true
  }
  return fits || reportClosest(alternatives, value, run)
}

function checkOneOf(alternatives: readonly Check[], value: unknown, run: Run): boolean {
  let first = -1
  spend(run, alternatives.length >> 2)
  for (const [index, alternative] of alternatives.entries()) {
    if (!attempt(alternative, value, run)) continue
    if (first >= 0) {
      return fail(run, `must fit only one alternative, fits both ${first + 1} and ${index + 1}`)
    }
    first = index
  }
  return first >= 0 || reportClosest(alternatives, value, run)
}

function checkNot(check: Check, value: unknown, run: Run): boolean {
  const { evaluated } = run
  run.evaluated = undefined
  const isForbidden = attempt(check, value, run)
  run.evaluated = evaluated
  return !isForbidden || fail(run, 'must not fit the schema under "not"')
}

function compileCondition(site: Site): Check[] {
  const condition = readSchema(site, 'if')
  const consequence = readSchema(site, 'then')
  const alternative = readSchema(site, 'else')
  if (!condition) return []
  return [
    (value, run) => {
      const branch = attempt(condition, value, run) ? consequence : alternative
      return branch === undefined || branch(value, run)
    },
  ]
}

/** Says why nothing fits: each alternative's one reason, or everything that is wrong by the closest. */
function reportClosest(alternatives: readonly Check[], value: unknown, run: Run): false {
  const { issues: outer, path } = run
  if (outer === undefined) return false
  const attempts = alternatives.map((alternative) => {
    const issues: SchemaIssue[] = []
    run.issues = issues
    alternative(value, run)
    return issues
  })
  run.issues = outer
  const isPlain = attempts.every(
    ([first, ...rest]) => rest.length === 0 && first?.path?.length === path.length,
  )
  if (isPlain) {
    const reasons = [...new Set(attempts.flat().map(({ message }) => message))].slice(0, 5)
    return fail(run, reasons.length === 0 ? 'fits no alternative' : reasons.join(', or '))
  }
  const closest = attempts.reduce((best, issues) => (issues.length < best.length ? issues : best))
  fail(
    run,
    `fits none of ${attempts.length} alternatives, closest is ${attempts.indexOf(closest) + 1}`,
  )
  for (const issue of closest) if (outer.length < 20) outer.push(issue)
  return false
}
