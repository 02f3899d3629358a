/** A version in a registry, as its publisher describes it. */
export interface CatalogueItem {
  /** Its name in the registry. */
  readonly name: string
  /** Its version. */
  readonly version: string
  /** A name for people. */
  readonly title?: string | undefined
  /** What it is for. */
  readonly description: string
  /** `active`, `deprecated` or `deleted`. */
  readonly status: string
  /** Why it is deprecated or deleted, if its publisher said so. */
  readonly statusMessage?: string | undefined
  /** What the registry noticed about it. */
  readonly flags: readonly string[]
}

/** Something to answer before a server can be started. */
export interface CatalogueQuestion {
  /** What the answer is filed under. */
  readonly id: string
  /** What to answer, for people. */
  readonly description?: string | undefined
  /** It cannot be left out. */
  readonly isRequired: boolean
  /** The answer must not be shown. */
  readonly isSecret: boolean
  /** What kind of value it is. */
  readonly format: 'string' | 'number' | 'boolean' | 'filepath'
  /** What is used if nothing is answered. */
  readonly default?: string | undefined
  /** An example of an answer. */
  readonly placeholder?: string | undefined
  /** The only answers that fit; absent if any does. */
  readonly choices?: readonly string[] | undefined
}

/** One way to run or reach a server. */
export interface CataloguePlan {
  /** Such as `npm @scope/server@1.0.0`, or the URL of a remote. */
  readonly title: string
  /** A command to start, or a URL to connect to. */
  readonly kind: 'command' | 'url'
  /** What to answer first. */
  readonly questions: readonly CatalogueQuestion[]
}

/** What was found in which registry. */
export interface CatalogueFound {
  readonly registry: string
  readonly items: readonly CatalogueItem[]
}

/** A version, and how it can be used. */
export interface CatalogueEntry {
  /** The version. */
  readonly item: CatalogueItem
  /** The ways to use it, best first. */
  readonly plans: readonly CataloguePlan[]
}
