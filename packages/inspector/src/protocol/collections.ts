import type { RunOutcome } from './runs.ts'

/** Saved requests that can be run again, all together, with what their answers must be. */
export interface Collection {
  /** Its name. */
  readonly name: string
  /** Values for `{{variable}}` in its requests. */
  readonly variables: { readonly [name: string]: string }
  /** Its requests, in the order they are run. */
  readonly requests: readonly SavedRequest[]
}

/** A request to be sent again, and what its answer must be. */
export interface SavedRequest {
  /** Tells it from the others of the collection. */
  readonly id: string
  /** What people read. */
  readonly title: string
  /** The name of the server that it goes to. */
  readonly server: string
  /** The method, such as `tools/call`. */
  readonly method: string
  /** Texts in it may hold `{{variable}}`. */
  readonly params: { readonly [name: string]: unknown }
  /** What its answer must be; none if any will do. */
  readonly assertions: readonly Assertion[]
}

/** What must be true of an answer, or of a place in it. */
export type Assertion =
  | {
      /** The value at a place is equal to this one. */
      readonly kind: 'equals'
      /** Where, as a JSON pointer. */
      readonly pointer: string
      /** The value. */
      readonly value: unknown
    }
  | {
      /** The text at a place matches a pattern. */
      readonly kind: 'matches'
      /** Where, as a JSON pointer. */
      readonly pointer: string
      /** A regular expression. */
      readonly pattern: string
    }
  | {
      /** The value at a place fits a schema. */
      readonly kind: 'schema'
      /** Where, as a JSON pointer. */
      readonly pointer: string
      /** The JSON Schema. */
      readonly schema: unknown
    }
  | {
      /** The answer came in time. */
      readonly kind: 'latency'
      /** Milliseconds that it may take. */
      readonly atMostMs: number
    }
  | {
      /** The request succeeds: no error, and no result with `isError`. */
      readonly kind: 'succeeds'
    }
  | {
      /** The request fails: an error, or a result with `isError`. */
      readonly kind: 'fails'
    }

/** How a collection went, once. */
export interface CollectionRun {
  /** The name of the collection. */
  readonly collection: string
  /** When it was run, in milliseconds since the epoch. */
  readonly at: number
  /** What each request brought, and which assertions held. */
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
