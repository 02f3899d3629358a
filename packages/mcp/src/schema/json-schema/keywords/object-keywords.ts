/**
 * Keywords for objects: `required`, counts, `properties` and its relatives, dependencies, and `unevaluatedProperties`. One walk over a value
 * serves all of them.
 *
 * `keywords.ts` puts the groups of keywords together; values are checked by `run.ts`.
 */

import { isObject, readMember } from '../../json.ts'
import type { Matcher } from '../patterns/matcher.ts'
import { quote } from '../read-document.ts'
import { descend, fail, takeStep, type Check, type Run } from '../run.ts'
import { readMembers, readNumber, readSchema, type Site } from '../site.ts'

type JsonRecord = Readonly<Record<string, unknown>>
type ObjectCheck = (value: JsonRecord, run: Run) => boolean

/** `required`, the counts, `properties` and its relatives; what is not an object passes. */
export function compileObjectKeywords(site: Site): Check[] {
  const checks: ObjectCheck[] = []
  const min = readNumber(site, 'minProperties')
  if (min !== undefined) {
    const message = `must have at least ${min} properties`
    checks.push((value, run) => presentKeys(value, run).length >= min || fail(run, message))
  }
  const max = readNumber(site, 'maxProperties')
  if (max !== undefined) {
    const message = `must have at most ${max} properties`
    checks.push((value, run) => presentKeys(value, run).length <= max || fail(run, message))
  }
  const required = site.read('required') as readonly string[] | undefined // the document has been read
  if (required !== undefined) checks.push(compileRequired(required, ''))
  const names = readSchema(site, 'propertyNames')
  if (names) checks.push((value, run) => checkNames(names, value, run))
  checks.push(...compileDependencies(site), ...compileProperties(site))
  return checks.map((check) => (value, run) => !isObject(value) || check(value, run))
}

/** The names of members JSON would write: one that is `undefined` is not there. */
function presentKeys(value: JsonRecord, run: Run): readonly string[] {
  const keys = Object.keys(value)
  takeStep(run, keys.length >> 2)
  return keys.some((key) => value[key] === undefined)
    ? keys.filter((key) => value[key] !== undefined)
    : keys
}

function compileRequired(names: readonly string[], reason: string): ObjectCheck {
  return (value, run) => {
    run.steps -= names.length >> 2
    let matches = true
    for (const name of names) {
      if (readMember(value, name) !== undefined) continue
      if (run.issues === undefined) return false
      matches = fail(run, `must have property ${quote(name)}${reason}`)
    }
    return matches
  }
}

function checkNames(check: Check, value: JsonRecord, run: Run): boolean {
  let matches = true
  for (const name of presentKeys(value, run)) {
    if (!descend(check, name, name, run))
      matches = fail(run, `must not have a property named ${quote(name)}`)
  }
  return matches
}

/** `dependentRequired`, `dependentSchemas`, and `dependencies`, which was both. */
function compileDependencies(site: Site): ObjectCheck[] {
  return ['dependentRequired', 'dependentSchemas', 'dependencies'].flatMap((keyword) =>
    readMembers(site, keyword).map(([name, dependency]): ObjectCheck => {
      const check = Array.isArray(dependency)
        ? compileRequired(dependency, ` when it has ${quote(name)}`)
        : site.compile(dependency)
      return (value, run) => readMember(value, name) === undefined || check(value, run)
    }),
  )
}

/** `properties`, `patternProperties` and `additionalProperties`, which share one walk over the value. */
function compileProperties(site: Site): ObjectCheck[] {
  const properties = readMembers(site, 'properties').map(
    ([name, schema]) => [name, site.compile(schema)] as const,
  )
  const patterns = readMembers(site, 'patternProperties').map(([source, schema]): Pattern => ({
    matches: site.compilePattern(source, 'patternProperties', source),
    check: site.compile(schema),
  }))
  const isClosed = site.read('additionalProperties') === false
  const additional = readSchema(site, 'additionalProperties')
  if (patterns.length > 0 || additional) {
    const rejection = isClosed ? describeAllowed(properties.map(([name]) => name)) : undefined
    const byName = new Map(properties)
    return [
      (value, run) =>
        checkMembers({ byName, patterns, additional, refusal: rejection }, value, run),
    ]
  }
  return properties.length > 0 ? [compileOpen(properties)] : []
}

interface Pattern {
  readonly matches: Matcher
  readonly check: Check
}

interface Members {
  readonly byName: ReadonlyMap<string, Check>
  readonly patterns: readonly Pattern[]
  readonly additional: Check | undefined
  /** The message for members that are not allowed. */
  readonly refusal: string | undefined
}

function compileOpen(properties: readonly (readonly [string, Check])[]): ObjectCheck {
  return (value, run) => {
    run.steps -= properties.length >> 2
    let matches = true
    for (const [name, check] of properties) {
      const member = readMember(value, name)
      if (member === undefined) continue
      run.evaluated?.properties.add(name)
      if (descend(check, member, name, run)) continue
      if (run.issues === undefined) return false
      matches = false
    }
    return matches
  }
}

function checkMembers(members: Members, value: JsonRecord, run: Run): boolean {
  const names = Object.keys(value)
  run.steps -= (names.length * (1 + members.patterns.length)) >> 2
  let matches = true
  for (const name of names) {
    const member = value[name]
    if (member === undefined || checkMember(members, name, member, run)) continue
    if (run.issues === undefined) return false
    matches = false
  }
  return matches
}

function checkMember(members: Members, name: string, member: unknown, run: Run): boolean {
  const { byName, patterns, additional, refusal } = members
  const property = byName.get(name)
  let isKnown = property !== undefined
  let fits = property === undefined || descend(property, member, name, run)
  for (const { matches, check } of patterns) {
    if (!matches(name, run)) continue
    isKnown = true
    fits = descend(check, member, name, run) && fits
  }
  if (isKnown || additional) run.evaluated?.properties.add(name)
  if (isKnown || !additional) return fits
  if (refusal === undefined) return descend(additional, member, name, run)
  return fail(run, `must not have property ${quote(name)}${refusal}`)
}

function describeAllowed(names: readonly string[]): string {
  if (names.length === 0) return ''
  const shown = names.slice(0, 10).map((name) => quote(name))
  return `; allowed: ${shown.join(', ')}${names.length > shown.length ? ', …' : ''}`
}

/** `unevaluatedProperties`: applies to what no other keyword has looked at. */
export function compileUnevaluatedProperties(site: Site): Check | undefined {
  const check = readSchema(site, 'unevaluatedProperties')
  if (check === undefined) return undefined
  return (value, run) => {
    const { evaluated } = run
    if (!isObject(value) || !evaluated || evaluated.hasAllProperties) return true
    let matches = true
    for (const name of presentKeys(value, run)) {
      if (!evaluated.properties.has(name) && !descend(check, value[name], name, run))
        matches = false
    }
    evaluated.hasAllProperties = true
    return matches
  }
}
