import type { Resource } from '../references.ts'
import { every, spend, type Check } from '../run.ts'
import type { Site } from '../site.ts'
import { compileApplicators } from './applicators.ts'
import { compileArrayKeywords, compileUnevaluatedItems } from './array-keywords.ts'
import { createEvaluated, mergeEvaluated } from './evaluated.ts'
import { compileNumberKeywords } from './number-keywords.ts'
import { compileObjectKeywords, compileUnevaluatedProperties } from './object-keywords.ts'
import { compileReferences, type ReferenceContext } from './reference-keywords.ts'
import { compileStringKeywords } from './string-keywords.ts'
import { compileChoices, compileType } from './value-keywords.ts'

/** Everything one schema object asks of a value, as one check. */
export function compileKeywords(
  site: Site,
  context: ReferenceContext & { readonly isResource: boolean },
): Check {
  const type = compileType(site)
  const checks = [
    ...compileChoices(site),
    ...compileStringKeywords(site),
    ...compileNumberKeywords(site),
    ...compileArrayKeywords(site),
    ...compileObjectKeywords(site),
    ...compileReferences(site, context),
    ...compileApplicators(site),
  ]
  const last = [compileUnevaluatedItems(site), compileUnevaluatedProperties(site)].filter(
    (check) => check !== undefined,
  )
  const rest = last.length === 0 ? every(checks) : compileTracked(every(checks), every(last))
  const check = countSteps(type, rest, checks.length + last.length)
  return context.isResource ? compileScoped(check, context.place.resource) : check
}

/** Of a value of the wrong type nothing else is said. */
function countSteps(type: Check | undefined, rest: Check, restCount: number): Check {
  const steps = 1 + (restCount >> 2)
  const first = type ?? rest
  if (!type || restCount === 0) {
    return (value, run) => {
      spend(run, steps)
      return first(value, run)
    }
  }
  return (value, run) => {
    spend(run, steps)
    return first(value, run) && rest(value, run)
  }
}

/** Runs checks with a fresh note of what they evaluate, for the unevaluated keywords to read. */
function compileTracked(checks: Check, last: Check): Check {
  return (value, run) => {
    const outer = run.evaluated
    const own = createEvaluated()
    run.evaluated = own
    const fits = checks(value, run) && last(value, run)
    run.evaluated = outer
    if (fits && outer) mergeEvaluated(outer, own)
    return fits
  }
}

function compileScoped(check: Check, resource: Resource): Check {
  return (value, run) => {
    const { scope } = run
    if (scope.resource !== resource) run.scope = { resource, outer: scope }
    const fits = check(value, run)
    run.scope = scope
    return fits
  }
}
