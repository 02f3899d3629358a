import { readMember } from '../json.ts'
import { takeStep, type Run } from './run.ts'

/** Equality as JSON Schema means it: by value, whatever the order of members. */
export function equals(left: unknown, right: unknown, run: Run): boolean {
  if (typeof left === 'string') takeStep(run, left.length >> 6)
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || !left || !right) return false
  takeStep(run, 1)
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false
    return left.every((item, index) => equals(item, right[index], run))
  }
  if (Array.isArray(right)) return false
  const names = Object.keys(left)
  const hasMembers = names.every(
    (name) =>
      Object.hasOwn(right, name) && equals(readMember(left, name), readMember(right, name), run),
  )
  if (!hasMembers) return false
  const { length } = Object.keys(right)
  takeStep(run, length >> 2)
  return length === names.length
}

/** The index of the first item equal to an earlier one, or -1. Linear: objects are compared by a canonical text. */
export function findDuplicate(items: readonly unknown[], run: Run): number {
  // Canonical texts of objects and arrays start with a bracket and are kept apart from strings.
  const scalars = new Set<unknown>()
  const texts = new Set<string>()
  for (const [index, item] of items.entries()) {
    const isScalar = typeof item !== 'object' || item === null
    const seen: Set<unknown> = isScalar ? scalars : texts
    const size = seen.size
    seen.add(isScalar ? item : canonicalText(item, run))
    if (seen.size === size) return index
  }
  return -1
}

/** JSON text with members sorted, so that equal values have equal texts. */
function canonicalText(value: unknown, run: Run): string {
  takeStep(run, 1 + (typeof value === 'string' ? value.length >> 4 : 0))
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  if (Array.isArray(value)) return `[${value.map((item) => canonicalText(item, run)).join(',')}]`
  const members = Object.keys(value)
    .toSorted()
    .map((name) => `${canonicalText(name, run)}:${canonicalText(readMember(value, name), run)}`)
  return `{${members.join(',')}}`
}

/** Describes the type of a value in words: `a string`, `an array`, `null`. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined || Number.isNaN(value)) return String(value)
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
