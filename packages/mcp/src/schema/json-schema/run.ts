import type { SchemaIssue } from '../standard-schema.ts'
import type { Resource } from './references.ts'

/** One schema, compiled: whether a value fits it. Problems are written to the run only while it collects them. */
export type Check = (value: unknown, run: Run) => boolean

/** One validation under way: what it may still spend, where it is, and what it has found. */
export interface Run {
  /** How much work is left; reaching zero ends the validation. */
  steps: number
  /** How many references are open. */
  depth: number
  /** Set on the second pass alone: the first only says yes or no, and stops at the first no. */
  issues: SchemaIssue[] | undefined
  readonly path: (string | number)[]
  /** The schema resources entered, innermost first; a dynamic reference looks among them. */
  scope: Scope
  /** State of the current value that `unevaluatedProperties` and `unevaluatedItems` need. */
  evaluated: Evaluated | undefined
}

/** The schema resources entered so far. */
export interface Scope {
  readonly resource: Resource
  readonly outer: Scope | undefined
}

/** Ends a validation that costs more than it may. Its message becomes an issue. */
export class LimitReached extends Error {
  override readonly name = 'LimitReached'
}

const maxIssues = 20

/** A fresh run; `issues` is given where problems are to be collected. */
export function startRun(steps: number, scope: Scope, issues: SchemaIssue[] | undefined): Run {
  return { steps, depth: 0, issues, path: [], scope, evaluated: undefined }
}

/** Takes the cost of a piece of work from the run, and ends it when nothing is left. */
export function takeStep(run: Pick<Run, 'steps'>, steps: number): void {
  run.steps -= steps
  if (run.steps < 0) throw new LimitReached('takes too many steps to check (maxSteps)')
}

/** Notes a problem with the current value. Always false, so that a check can return it. */
export function fail(run: Run, message: string): false {
  const { issues, path } = run
  if (issues !== undefined && issues.length < maxIssues) issues.push({ message, path: [...path] })
  return false
}

/** Applies a check to a member of the current value. */
export function descend(check: Check, value: unknown, key: string | number, run: Run): boolean {
  if (run.issues === undefined && run.evaluated === undefined) return check(value, run)
  const { evaluated } = run
  run.evaluated = undefined
  run.path.push(key)
  const matches = check(value, run)
  run.path.pop()
  run.evaluated = evaluated
  return matches
}

/** Applies a check whose failure is no problem by itself: it reports nothing, and evaluates nothing if it fails. */
export function attempt(check: Check, value: unknown, run: Run): boolean {
  const { issues, evaluated } = run
  run.issues = undefined
  const own = evaluated && createEvaluated()
  run.evaluated = own
  const matches = check(value, run)
  run.issues = issues
  run.evaluated = evaluated
  if (matches && evaluated && own) {
    takeStep(run, (own.properties.size + own.items.size) >> 2)
    mergeEvaluated(evaluated, own)
  }
  return matches
}

/** One check out of several: stops at the first no, unless problems are being collected. */
export function every(checks: readonly Check[]): Check {
  const [first, second] = checks
  if (first === undefined) return () => true
  if (second === undefined) return first
  if (checks.length === 2) return (value, run) => both(first(value, run), second, value, run)
  return (value, run) => {
    let matches = true
    for (const check of checks) {
      if (check(value, run)) continue
      if (run.issues === undefined) return false
      matches = false
    }
    return matches
  }
}

function both(matches: boolean, second: Check, value: unknown, run: Run): boolean {
  if (matches) return second(value, run)
  if (run.issues !== undefined) second(value, run)
  return false
}

/** Which members of one value some keyword has already looked at. */
interface Evaluated {
  readonly properties: Set<string>
  hasAllProperties: boolean
  readonly items: Set<number>
  /** Items before this index are evaluated, besides those in `items`. */
  itemCount: number
}

/** Nothing looked at yet. */
export function createEvaluated(): Evaluated {
  return { properties: new Set(), hasAllProperties: false, items: new Set(), itemCount: 0 }
}

/** Adds what one schema has looked at to what another has. */
export function mergeEvaluated(into: Evaluated, from: Evaluated): void {
  for (const name of from.properties) into.properties.add(name)
  for (const index of from.items) into.items.add(index)
  into.hasAllProperties ||= from.hasAllProperties
  into.itemCount = Math.max(into.itemCount, from.itemCount)
}
