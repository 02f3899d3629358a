import { jsonSchema, type JsonSchema } from '@parley/mcp'

import type { Assertion, RunOutcome } from '../../protocol/index.ts'
import { valueAt } from '../pointer.ts'

/** Whether an outcome is what was expected, and what was there instead. */
export interface Asserted {
  readonly assertion: Assertion
  readonly passed: boolean
  readonly seen?: unknown
}

export function checkAssertion(assertion: Assertion, outcome: RunOutcome): Asserted {
  const { result, error, durationMs } = outcome
  const isFailed = error !== undefined || result?.['isError'] === true
  switch (assertion.kind) {
    case 'succeeds':
      return verdict(assertion, !isFailed, error ?? result)
    case 'fails':
      return verdict(assertion, isFailed, result)
    case 'latency':
      return verdict(assertion, durationMs <= assertion.atMostMs, durationMs)
    case 'equals': {
      const seen = valueAt(result ?? { error }, assertion.pointer)
      return verdict(assertion, isEqual(seen, assertion.value), seen)
    }
    case 'matches': {
      const seen = valueAt(result ?? { error }, assertion.pointer)
      const text = typeof seen === 'string' ? seen : JSON.stringify(seen)
      return verdict(assertion, matches(assertion.pattern, text), seen)
    }
    case 'schema': {
      const seen = valueAt(result ?? { error }, assertion.pointer)
      return verdict(assertion, seen !== undefined && fits(assertion.schema, seen), seen)
    }
  }
}

function verdict(assertion: Assertion, passed: boolean, seen: unknown): Asserted {
  return passed || seen === undefined ? { assertion, passed } : { assertion, passed, seen }
}

/** The user's own pattern; by the engine of schemas, which takes no pattern that could hang on a long text. */
function matches(pattern: string, text: string | undefined): boolean {
  return text !== undefined && fits({ type: 'string', pattern }, text)
}

function fits(schema: unknown, value: unknown): boolean {
  try {
    const checked = jsonSchema<unknown>(schema as JsonSchema)['~standard'].validate(value) // checked to be an object or a boolean
    return !('issues' in checked) || checked.issues === undefined
  } catch {
    return false // a schema that cannot be used is met by nothing
  }
}

function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const left = Object.entries(a)
  const right = new Map<string, unknown>(Object.entries(b))
  return (
    left.length === right.size &&
    left.every(([name, value]) => right.has(name) && isEqual(value, right.get(name)))
  )
}
