import type { Subject } from './gather.ts'
import type { Place } from './schema-document.ts'

/** Schemas that apply, with no union settled yet. */
export function subjectOf(locations: readonly Place[]): Subject {
  return { places: locations, decided: new Map() }
}

/** The same with one union settled. */
export function decideUnion(
  { places, decided }: Subject,
  key: unknown,
  variant: Place | undefined,
): Subject {
  return { places, decided: new Map([...decided, [key, variant]]) }
}

/** The same with one more schema that applies. */
export function alsoApply({ places, decided }: Subject, location: Place): Subject {
  return { places: [...places, location], decided }
}
