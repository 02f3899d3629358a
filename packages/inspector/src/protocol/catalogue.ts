/** A version in a registry, as its publisher describes it. */
export interface CatalogueItem {
  readonly name: string
  readonly version: string
  readonly title?: string | undefined
  readonly description: string
  /** `active`, `deprecated` or `deleted`. */
  readonly status: string
  readonly statusMessage?: string | undefined
  /** What the registry noticed about it. */
  readonly flags: readonly string[]
}

/** Something to answer before a server can be started. */
export interface CatalogueQuestion {
  readonly id: string
  readonly description?: string | undefined
  readonly isRequired: boolean
  readonly isSecret: boolean
  readonly format: 'string' | 'number' | 'boolean' | 'filepath'
  readonly default?: string | undefined
  readonly placeholder?: string | undefined
  readonly choices?: readonly string[] | undefined
}

/** One way to run or reach a server. */
export interface CataloguePlan {
  /** Such as `npm @scope/server@1.0.0`, or the URL of a remote. */
  readonly title: string
  readonly kind: 'command' | 'url'
  readonly questions: readonly CatalogueQuestion[]
}

/** What was found in which registry. */
export interface CatalogueFound {
  readonly registry: string
  readonly items: readonly CatalogueItem[]
}

/** A version, and how it can be used. */
export interface CatalogueEntry {
  readonly item: CatalogueItem
  readonly plans: readonly CataloguePlan[]
}
