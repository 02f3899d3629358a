import { at, type Source } from '../schema/gather.ts'
import type { SchemaLocation } from '../schema/schema-document.ts'
import type { Shape } from '../schema/shape.ts'

/** The rules for one member. */
export interface MemberRules {
  readonly locations: readonly SchemaLocation[]
  /** A pattern could not be matched, so there may be more. */
  readonly isUnsure: boolean
}

/** The schemas for a member, each rule by its own names: `properties`, patterns, then `additionalProperties`. */
export function memberRules({ checker }: Source, shape: Shape, name: string): MemberRules {
  const locations: SchemaLocation[] = []
  let isUnsure = false
  for (const { properties, patterns, additional, location } of shape.objects) {
    const before = locations.length
    if (Object.hasOwn(properties, name)) locations.push(at(location, properties[name]))
    for (const [pattern, schema] of Object.entries(patterns)) {
      const matches = checker.matches(pattern, name)
      if (matches) locations.push(at(location, schema))
      isUnsure ||= matches === undefined
    }
    if (locations.length === before && additional !== undefined)
      locations.push(at(location, additional))
  }
  if (locations.length === 0) {
    const rest = shape.objects.find(({ unevaluated }) => unevaluated !== undefined)
    if (rest) locations.push(at(rest.location, rest.unevaluated))
  }
  return { locations: locations, isUnsure }
}

/** Every name a schema gives, in the order written; those that must be there and have no schema come last. */
export function declaredNames(shape: Shape): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { properties } of shape.objects) {
    for (const [name, schema] of Object.entries(properties)) if (schema !== false) names.add(name)
  }
  for (const name of shape.required) names.add(name)
  return names
}

/** Whether names the schema does not give may be added, and whether it asks for them; `free`: it says nothing at all. */
export function furtherNames(shape: Shape): 'closed' | 'allowed' | 'free' | 'offered' {
  const hasPatterns = shape.objects.some(({ patterns }) => Object.keys(patterns).length > 0)
  if (hasPatterns) return 'offered'
  const isClosed = shape.objects.some(
    ({ additional, unevaluated }) => additional === false || unevaluated === false,
  )
  if (isClosed) return 'closed'
  const isRequested = shape.objects.some(({ additional }) => additional !== undefined)
  if (isRequested) return 'offered'
  return declaredNames(shape).size === 0 ? 'free' : 'allowed'
}

/** The schemas for an item: those at its index, else those for the rest. */
export function itemLocations(shape: Shape, index: number): SchemaLocation[] {
  const locations: SchemaLocation[] = []
  for (const { prefix, rest, location } of shape.arrays) {
    const schema = index < prefix.length ? prefix[index] : rest
    if (schema !== undefined) locations.push(at(location, schema))
  }
  return locations
}

/** How many first items have a schema of their own. */
export function fixedCount(shape: Shape): number {
  return Math.max(0, ...shape.arrays.map(({ prefix }) => prefix.length))
}
