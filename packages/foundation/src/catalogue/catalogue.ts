/** The entries of a registry, as the programs show them: a page asks its service, and the service asks the registry. */

/** A version as a list shows it. All of it is text of its publisher. */
export interface CatalogueItem {
  /** Its name in the registry, `namespace/name`. */
  readonly name: string
  /** Its version. */
  readonly version: string
  /** A name for people. */
  readonly title?: string | undefined
  /** The purpose. */
  readonly description: string
  /** `active`, `deprecated` or `deleted`. */
  readonly status: string
  /** Why it is deprecated or deleted, if its publisher said so. */
  readonly statusMessage?: string | undefined
  /** Observations of the registry. */
  readonly flags: readonly string[]
}

/** Something to answer before a server can be started or reached. */
export interface CatalogueQuestion {
  /** The key of an answer: the name of the variable, header, flag or argument. */
  readonly id: string
  /** A hint for the answer, for people. */
  readonly description?: string | undefined
  /** It cannot be left out. */
  readonly isRequired: boolean
  /** The answer must not be shown, nor be written to a file. */
  readonly isSecret: boolean
  /** The type of the value. */
  readonly format: 'string' | 'number' | 'boolean' | 'filepath'
  /** The value without an answer. */
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
  /** Where the server comes from, and what starts it, for people. */
  readonly origin?: string | undefined
  /** The questions to answer first. */
  readonly questions: readonly CatalogueQuestion[]
}

/** The results by registry. */
export interface CatalogueFound {
  /** The URL of the registry. */
  readonly registry: string
  /** The best match first. */
  readonly items: readonly CatalogueItem[]
}

/** A way to run or reach a server that is not used. */
export interface RejectedPlan {
  /** The title of its plan. */
  readonly title: string
  /** The problems, and what its publisher should write instead. */
  readonly reasons: readonly string[]
}

/** A version, and how it can be used. */
export interface CatalogueEntry {
  /** The version. */
  readonly item: CatalogueItem
  /** The ways to use it, best first. */
  readonly plans: readonly CataloguePlan[]
  /** Other ways that the version offers, and why they are not used. @defaultValue none */
  readonly refused?: readonly RejectedPlan[] | undefined
}

/** Which version and which way was picked, and what was answered. */
export interface CatalogueChoice {
  /** The server. */
  readonly name: string
  /** Which version of it. */
  readonly version: string
  /** The title of a plan. */
  readonly plan: string
  /** Answers by the ids of the questions; those left out are asked again or left open. */
  readonly answers: { readonly [id: string]: string | undefined }
}
