import { safeJson } from '@parley/foundation/terminal'
import type { Assertion, CollectionRun } from '@parley/inspector'

import { excerpt } from '../json.ts'

/** A collection that was run. */
export interface TestedCollection {
  readonly file: string
  readonly name: string
  readonly requests: readonly TestedRequest[]
  /** As the inspector has it. */
  readonly run: CollectionRun
}

/** One request of it, and what is wrong with its answer. */
export interface TestedRequest {
  readonly title: string
  readonly server: string
  readonly method: string
  readonly durationMs: number
  /** Nothing if it passed. */
  readonly problems: readonly string[]
}

type Result = CollectionRun['results'][number]

/** In words: what is wrong with an answer. */
export function problemsOf({ outcome, assertions, passed }: Result): readonly string[] {
  if (passed) return []
  const untrue = assertions.filter((assertion) => !assertion.passed)
  const problems = untrue.map(({ assertion, seen }) => {
    const was = seen === undefined ? 'it is missing' : `it is ${shown(seen)}`
    return `${describeAssertion(assertion)}: ${was}`
  })
  // Where an answer was expected, that there was none is the first thing to know.
  const { error } = outcome
  return error === undefined ? problems : [`${error.code}: ${error.message}`, ...problems]
}

function describeAssertion(assertion: Assertion): string {
  switch (assertion.kind) {
    case 'equals':
      return `${placeOf(assertion.pointer)} must be ${shown(assertion.value)}`
    case 'matches':
      return `${placeOf(assertion.pointer)} must match ${assertion.pattern}`
    case 'schema':
      return `${placeOf(assertion.pointer)} must match ${shown(assertion.schema)}`
    case 'latency':
      return `it may take ${assertion.atMostMs} ms`
    case 'succeeds':
      return 'it must succeed'
    case 'fails':
      return 'it must fail'
  }
}

function placeOf(pointer: string): string {
  return pointer === '' ? 'the answer' : pointer
}

function shown(value: unknown): string {
  return excerpt(safeJson(value), 300)
}
