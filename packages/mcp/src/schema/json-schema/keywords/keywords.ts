import { isObject } from '../../json.ts'
import { describeValue, equals } from '../json-value.ts'
import { shorten } from '../read-document.ts'
import type { Resource } from '../references.ts'
import { every, fail, takeStep, type Check, createEvaluated, mergeEvaluated } from '../run.ts'
import type { Site } from '../site.ts'
import { compileApplicators, compileReferences, type ReferenceContext } from './applicators.ts'
import { compileArrayKeywords, compileUnevaluatedItems } from './array-keywords.ts'
import { compileObjectKeywords, compileUnevaluatedProperties } from './object-keywords.ts'
import { compileNumberKeywords, compileStringKeywords } from './scalar-keywords.ts'

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

/** A value of the wrong type has no other problem reported. */
function countSteps(type: Check | undefined, rest: Check, restCount: number): Check {
  const steps = 1 + (restCount >> 2)
  const first = type ?? rest
  if (!type || restCount === 0) {
    return (value, run) => {
      takeStep(run, steps)
      return first(value, run)
    }
  }
  return (value, run) => {
    takeStep(run, steps)
    return first(value, run) && rest(value, run)
  }
}

/** Runs checks with a fresh note of what they evaluate, for the unevaluated keywords to read. */
function compileTracked(checks: Check, last: Check): Check {
  return (value, run) => {
    const outer = run.evaluated
    const own = createEvaluated()
    run.evaluated = own
    const matches = checks(value, run) && last(value, run)
    run.evaluated = outer
    if (matches && outer) mergeEvaluated(outer, own)
    return matches
  }
}

function compileScoped(check: Check, resource: Resource): Check {
  return (value, run) => {
    const { scope } = run
    if (scope.resource !== resource) run.scope = { resource, outer: scope }
    const matches = check(value, run)
    run.scope = scope
    return matches
  }
}

interface TypeTest {
  readonly name: string
  readonly test: (value: unknown) => boolean
}

const types: ReadonlyMap<string, TypeTest> = new Map([
  ['null', { name: 'null', test: (value) => value === null }],
  ['boolean', { name: 'a boolean', test: (value) => typeof value === 'boolean' }],
  ['integer', { name: 'an integer', test: (value) => Number.isInteger(value) }],
  ['number', { name: 'a number', test: (value) => Number.isFinite(value) }],
  ['string', { name: 'a string', test: (value) => typeof value === 'string' }],
  ['array', { name: 'an array', test: (value) => Array.isArray(value) }],
  ['object', { name: 'an object', test: isObject }],
])

/** `type`. */
function compileType(site: Site): Check | undefined {
  const type = site.read('type')
  if (type === undefined) return undefined
  // The document has been read: these are names of types.
  const names = (Array.isArray(type) ? type : [type]) as readonly string[]
  const wanted = [...new Set(names)].flatMap((name) => types.get(name) ?? [])
  const message = `must be ${joinWords(wanted.map(({ name }) => name))}`
  const [first] = wanted
  if (first && wanted.length === 1) return compileOneType(first, message)
  return (value, run) =>
    wanted.some(({ test }) => test(value)) || fail(run, `${message}, got ${describeValue(value)}`)
}

function compileOneType({ name, test }: TypeTest, message: string): Check {
  const isInteger = name === 'an integer'
  return (value, run) => {
    if (test(value)) return true
    if (run.issues === undefined) return false
    // Only where an integer is asked for is a number the wrong number.
    const seen = typeof value === 'number' && isInteger ? value : describeValue(value)
    return fail(run, `${message}, got ${seen}`)
  }
}

/** `enum` and `const`. */
function compileChoices(site: Site): Check[] {
  const checks: Check[] = []
  const choices = site.read('enum') as readonly unknown[] | undefined // the document has been read
  if (choices !== undefined) checks.push(compileEnum(choices))
  const constant = site.read('const')
  if (constant !== undefined) checks.push(compileEnum([constant]))
  return checks
}

function compileEnum(choices: readonly unknown[]): Check {
  const scalars = new Set(choices.filter((choice) => typeof choice !== 'object' || choice === null))
  const composites = choices.filter((choice) => typeof choice === 'object' && choice !== null)
  const shown = choices.slice(0, 20).map((choice) => shorten(JSON.stringify(choice)))
  const rest = choices.length > shown.length ? ', …' : ''
  const message =
    choices.length === 1 ? `must be ${shown.join()}` : `must be one of ${shown.join(', ')}${rest}`
  return (value, run) => {
    if (typeof value === 'string') takeStep(run, value.length >> 6)
    if (typeof value !== 'object' || value === null) return scalars.has(value) || fail(run, message)
    return composites.some((choice) => equals(choice, value, run)) || fail(run, message)
  }
}

function joinWords(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
