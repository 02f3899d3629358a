import { findDuplicate } from '../json-value.ts'
import { attempt, descend, fail, takeStep, type Check, type Run } from '../run.ts'
import { readNumber, readSchema, readSchemas, type Site } from '../site.ts'

type ArrayCheck = (items: readonly unknown[], run: Run) => boolean

/** `items`, `prefixItems`, `contains`, `uniqueItems` and the counts; what is not an array passes. */
export function compileArrayKeywords(site: Site): Check[] {
  const checks: ArrayCheck[] = []
  const min = readNumber(site, 'minItems')
  if (min !== undefined) {
    const message = `must have at least ${min} ${min === 1 ? 'item' : 'items'}`
    checks.push((items, run) => items.length >= min || fail(run, `${message}, has ${items.length}`))
  }
  const max = readNumber(site, 'maxItems')
  if (max !== undefined) {
    const message = `must have at most ${max} ${max === 1 ? 'item' : 'items'}`
    checks.push((items, run) => items.length <= max || fail(run, `${message}, has ${items.length}`))
  }
  if (site.read('uniqueItems') === true) checks.push(checkUnique)
  checks.push(...compileItems(site), ...compileContains(site))
  return checks.map((check) => (value, run) => !Array.isArray(value) || check(value, run))
}

function checkUnique(items: readonly unknown[], run: Run): boolean {
  takeStep(run, items.length >> 2)
  const index = findDuplicate(items, run)
  return index < 0 || fail(run, `must not have equal items, item ${index} repeats an earlier one`)
}

function compileItems(site: Site): ArrayCheck[] {
  // Before 2020-12 a tuple was written as an array under `items`.
  const isTuple = site.version < 2020 && Array.isArray(site.read('items'))
  const prefix = readSchemas(site, isTuple ? 'items' : 'prefixItems') ?? []
  const rest = readSchema(site, isTuple ? 'additionalItems' : 'items')
  const checks: ArrayCheck[] = []
  if (prefix.length > 0) checks.push((items, run) => checkPrefix(prefix, items, run))
  if (rest !== undefined) checks.push((items, run) => checkRest(rest, prefix.length, items, run))
  return checks
}

function checkPrefix(prefix: readonly Check[], items: readonly unknown[], run: Run): boolean {
  let matches = true
  const end = Math.min(prefix.length, items.length)
  takeStep(run, end >> 2)
  for (const [index, check] of prefix.slice(0, end).entries()) {
    if (descend(check, items[index], index, run)) continue
    if (run.issues === undefined) return false
    matches = false
  }
  if (run.evaluated) run.evaluated.itemCount = Math.max(run.evaluated.itemCount, end)
  return matches
}

function checkRest(check: Check, from: number, items: readonly unknown[], run: Run): boolean {
  let matches = true
  takeStep(run, items.length >> 2)
  for (let index = from; index < items.length; index++) {
    if (descend(check, items[index], index, run)) continue
    if (run.issues === undefined) return false
    matches = false
  }
  if (run.evaluated) run.evaluated.itemCount = items.length
  return matches
}

function compileContains(site: Site): ArrayCheck[] {
  const check = readSchema(site, 'contains')
  if (check === undefined) return []
  const min = readNumber(site, 'minContains') ?? 1
  const max = readNumber(site, 'maxContains') ?? Infinity
  const marks = site.version >= 2020
  return [
    (items, run) => {
      const count = countFitting(check, items, run, marks)
      if (count < min)
        return fail(run, `must contain at least ${min} items that fit "contains", has ${count}`)
      if (count > max)
        return fail(run, `must contain at most ${max} items that fit "contains", has ${count}`)
      return true
    },
  ]
}

function countFitting(check: Check, items: readonly unknown[], run: Run, marks: boolean): number {
  const { evaluated } = run
  run.evaluated = undefined
  let count = 0
  takeStep(run, items.length >> 2)
  for (const [index, item] of items.entries()) {
    if (!attempt(check, item, run)) continue
    count += 1
    if (marks) evaluated?.items.add(index)
  }
  run.evaluated = evaluated
  return count
}

/** `unevaluatedItems`: applies to what no other keyword has looked at. */
export function compileUnevaluatedItems(site: Site): Check | undefined {
  const check = readSchema(site, 'unevaluatedItems')
  if (check === undefined) return undefined
  return (value, run) => {
    const { evaluated } = run
    if (!Array.isArray(value) || !evaluated) return true
    let matches = true
    takeStep(run, value.length >> 2)
    for (let index = evaluated.itemCount; index < value.length; index++) {
      if (!evaluated.items.has(index) && !descend(check, value[index], index, run)) matches = false
    }
    evaluated.itemCount = value.length
    return matches
  }
}
