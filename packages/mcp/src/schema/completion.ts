import * as s from './check.ts'
import { type MetaObject, optionalMeta } from './metadata.ts'
import type { RequestMeta } from './progress.ts'

/** A prompt, named for completion. */
export interface PromptReference {
  readonly type: 'ref/prompt'
  readonly name: string
  /** For people. */
  readonly title?: string
}

/** A resource template, or a resource, named for completion. */
export interface ResourceTemplateReference {
  readonly type: 'ref/resource'
  /** A URI or a URI template. */
  readonly uri: string
}

/** The owner of the argument that is being completed. */
export type CompletionReference = PromptReference | ResourceTemplateReference

/** The argument being typed, as far as it goes. */
export interface CompletionArgument {
  readonly name: string
  readonly value: string
}

/** The other arguments, as filled in so far. */
export interface CompletionContext {
  /** Arguments that already have their value. */
  readonly arguments?: { readonly [name: string]: string }
}

/** Params of `completion/complete`. */
export interface CompleteRequestParams {
  readonly ref: CompletionReference
  readonly argument: CompletionArgument
  readonly context?: CompletionContext
  readonly _meta?: RequestMeta
}

/** Values to choose from, at most a hundred. */
export interface Completion {
  /** The suggestions, best first. */
  readonly values: readonly string[]
  /** How many there are in all. */
  readonly total?: number
  /** More than are given here, even if how many is unknown. */
  readonly hasMore?: boolean
}

/** The answer to `completion/complete`. */
export interface CompleteResult {
  readonly completion: Completion
  readonly _meta?: MetaObject
}

const completion = s.object<Completion>({
  values: s.array(s.string),
  total: s.optional(s.integer),
  hasMore: s.optional(s.boolean),
})

/** Result of `completion/complete`. */
export const completeResult = s.object<CompleteResult>({
  completion,
  _meta: optionalMeta,
})
