import type { Assertion, CollectionRun } from '../../src/protocol/index.ts'

type Result = CollectionRun['results'][number]

/** One request in two runs. */
export interface ComparedRequest {
  readonly request: string
  readonly change: 'new' | 'gone' | 'same' | 'fixed' | 'broken'
  readonly now?: Result | undefined
  readonly before?: Result | undefined
  /** Those that hold now and did not, or the other way. */
  readonly assertions: readonly ChangedAssertion[]
  /** How much longer it took; less is negative. */
  readonly slowerMs?: number | undefined
  /** Absent: one of the answers was not kept. */
  readonly isSameAnswer?: boolean | undefined
}

export interface ChangedAssertion {
  readonly assertion: Assertion
  /** Absent: it was not there. */
  readonly before?: boolean | undefined
  readonly now?: boolean | undefined
}

/** What is different in a run, request by request, in the order of the newer one. */
export function compareRuns(now: CollectionRun, before: CollectionRun): readonly ComparedRequest[] {
  const earlier = new Map(before.results.map((result) => [result.request, result]))
  const later = new Set(now.results.map(({ request }) => request))
  return [
    ...now.results.map((result) => compareResult(result, earlier.get(result.request))),
    ...before.results
      .filter(({ request }) => !later.has(request))
      .map((result) => ({
        request: result.request,
        change: 'gone' as const,
        before: result,
        assertions: [],
      })),
  ]
}

function compareResult(now: Result, before: Result | undefined): ComparedRequest {
  const { request } = now
  if (before === undefined) return { request, change: 'new', now, assertions: [] }
  const isKept = now.cutBytes === undefined && before.cutBytes === undefined
  return {
    request,
    change: now.passed === before.passed ? 'same' : now.passed ? 'fixed' : 'broken',
    now,
    before,
    assertions: changedAssertions(now, before),
    slowerMs: now.outcome.durationMs - before.outcome.durationMs,
    ...(isKept && { isSameAnswer: answerOf(now) === answerOf(before) }),
  }
}

/** An assertion is known by what it says; the same one twice is compared in order. */
function changedAssertions(now: Result, before: Result): readonly ChangedAssertion[] {
  const earlier = new Map<string, boolean[]>()
  for (const { assertion, passed } of before.assertions) {
    const text = JSON.stringify(assertion)
    earlier.set(text, [...(earlier.get(text) ?? []), passed])
  }
  const changed: ChangedAssertion[] = []
  for (const { assertion, passed } of now.assertions) {
    const was = earlier.get(JSON.stringify(assertion))?.shift()
    if (was === undefined) changed.push({ assertion, now: passed })
    else if (was !== passed) changed.push({ assertion, now: passed, before: was })
  }
  for (const [text, left] of earlier) {
    for (const was of left) changed.push({ assertion: JSON.parse(text) as Assertion, before: was }) // written above
  }
  return changed
}

/** What counts of an answer; not when it came, nor how the run was called. */
function answerOf({ outcome: { result, error } }: Result): string {
  return JSON.stringify(error === undefined ? { result } : { code: error.code, data: error.data })
}
