import type { Subject } from './gather.ts'
import type { SchemaLocation } from './schema-document.ts'

/** Schemas that apply, with no union settled yet. */
export function subjectOf(locations: readonly SchemaLocation[]): Subject {
  return { locations: locations, decided: new Map() }
}

/** The same with one union settled. */
export function decideUnion(
  { locations, decided }: Subject,
  key: unknown,
  variant: SchemaLocation | undefined,
): Subject {
  return { locations, decided: new Map([...decided, [key, variant]]) }
}

/** The same with one more schema that applies. */
export function alsoApply({ locations, decided }: Subject, location: SchemaLocation): Subject {
  return { locations: [...locations, location], decided }
}
