/** Which members of one value some keyword has already looked at. */
export interface Evaluated {
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
