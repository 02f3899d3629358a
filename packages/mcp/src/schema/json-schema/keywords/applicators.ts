import type { SchemaIssue, JsonSchema } from '../../standard-schema.ts'
import type { SchemaLocation, References, Resource, Target } from '../references.ts'
import { attempt, fail, takeStep, type Check, type Run, LimitReached, type Scope } from '../run.ts'
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
  let matches = false
  takeStep(run, alternatives.length >> 2)
  for (const alternative of alternatives) {
    if (!attempt(alternative, value, run)) continue
    matches = true
    // The evaluation of the others matters only if the result is needed.
    if (run.evaluated === undefined) return true
  }
  return matches || reportClosest(alternatives, value, run)
}

function checkOneOf(alternatives: readonly Check[], value: unknown, run: Run): boolean {
  let first = -1
  takeStep(run, alternatives.length >> 2)
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

/** A schema that is compiled once and may be entered from many places, itself included. */
export interface Unit {
  check: Check
}

/** Context for compiling a reference, besides the schema that contains it. */
export interface ReferenceContext {
  readonly references: References
  readonly place: SchemaLocation
  readonly maxDepth: number
  readonly unitOf: (schema: JsonSchema | boolean) => Unit
  /** The schemas a dynamic reference may lead to; undefined if its target has no dynamic anchor. */
  readonly dynamicTargets: (target: Target) => ReadonlyMap<Resource, JsonSchema> | undefined
}

/** `$ref`, `$dynamicRef` and `$recursiveRef`. */
export function compileReferences(site: Site, context: ReferenceContext): Check[] {
  return ['$ref', '$dynamicRef', '$recursiveRef'].flatMap((keyword) => {
    const reference = site.read(keyword)
    if (typeof reference !== 'string') return []
    const target = context.references.resolve(reference, context.place)
    return target ? [compileReference(keyword, target, context)] : []
  })
}

function compileReference(keyword: string, target: Target, context: ReferenceContext): Check {
  const { maxDepth, unitOf } = context
  const unit = unitOf(target.schema)
  const anchored = keyword === '$ref' ? undefined : context.dynamicTargets(target)
  if (!anchored) return (value, run) => enter(unit, target.resource, value, run, maxDepth)
  return (value, run) => {
    // The outermost resource entered that has the anchor decides where a dynamic reference leads.
    let { resource, schema } = target
    for (let scope: Scope | undefined = run.scope; scope; scope = scope.outer) {
      run.steps -= 1
      const candidate = anchored.get(scope.resource)
      if (candidate) ({ resource, schema } = { resource: scope.resource, schema: candidate })
    }
    return enter(unitOf(schema), resource, value, run, maxDepth)
  }
}

function enter(
  unit: Unit,
  resource: Resource,
  value: unknown,
  run: Run,
  maxDepth: number,
): boolean {
  if (++run.depth > maxDepth) {
    throw new LimitReached(`follows references more than ${maxDepth} deep (maxReferenceDepth)`)
  }
  const { scope } = run
  if (scope.resource !== resource) run.scope = { resource, outer: scope }
  const matches = unit.check(value, run)
  run.scope = scope
  run.depth -= 1
  return matches
}
