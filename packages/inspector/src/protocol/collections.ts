import type { RunOutcome } from './runs.ts'

/** Saved requests that can be run again, all together, with what their answers must be. */
export interface Collection {
  readonly name: string
  readonly variables: { readonly [name: string]: string }
  readonly requests: readonly SavedRequest[]
}

/** A request to be sent again, and what its answer must be. */
export interface SavedRequest {
  readonly id: string
  readonly title: string
  readonly server: string
  readonly method: string
  /** Texts in it may hold `{{variable}}`. */
  readonly params: { readonly [name: string]: unknown }
  readonly assertions: readonly Assertion[]
}

/** What must be true of an answer, or of a place in it. */
export type Assertion =
  | { readonly kind: 'equals'; readonly pointer: string; readonly value: unknown }
  | { readonly kind: 'matches'; readonly pointer: string; readonly pattern: string }
  | { readonly kind: 'schema'; readonly pointer: string; readonly schema: unknown }
  | { readonly kind: 'latency'; readonly atMostMs: number }
  | { readonly kind: 'succeeds' }
  | { readonly kind: 'fails' }

/** How a collection went, once. */
export interface CollectionRun {
  readonly collection: string
  readonly at: number
  readonly results: readonly {
    readonly request: string
    readonly outcome: RunOutcome
    readonly assertions: readonly {
      readonly assertion: Assertion
      readonly passed: boolean
      readonly seen?: unknown
    }[]
    readonly passed: boolean
    /** The answer was too large to keep with the run; so many bytes. */
    readonly cutBytes?: number | undefined
  }[]
}
