import type { JsonSchema } from '../../standard-schema.ts'
import type { Place, References, Resource, Target } from '../references.ts'
import { LimitReached, type Check, type Run, type Scope } from '../run.ts'
import type { Site } from '../site.ts'

/** A schema that is compiled once and may be entered from many places, itself included. */
export interface Unit {
  check: Check
}

/** What compiling a reference needs besides the schema it stands in. */
export interface ReferenceContext {
  readonly references: References
  readonly place: Place
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
  const fits = unit.check(value, run)
  run.scope = scope
  run.depth -= 1
  return fits
}
