import type { CatalogueChoice, CatalogueEntry, CatalogueFound } from '@parley/foundation/catalogue'

/** The service of a page, which asks the registry: the page itself never does. Without `registry` the usual one is meant. */
export interface BrowseSource {
  /** The latest versions that fit, the best first. */
  readonly search: (params: {
    readonly text: string
    readonly registry?: string
  }) => Promise<CatalogueFound>
  /** One version, and what it asks. */
  readonly read: (params: {
    readonly name: string
    readonly version: string
    readonly registry?: string
  }) => Promise<CatalogueEntry>
  /** Shows what adding would do before it is done. @defaultValue it is added at once */
  readonly review?: ((choice: RegistryChoice) => Promise<RegistryReview>) | undefined
  /** Adds it; `shown` is what was agreed to, where there was a review. */
  readonly add: (choice: RegistryChoice & { readonly shown?: string }) => Promise<void>
}

/** What was picked, and the name it gets here. */
export interface RegistryChoice extends CatalogueChoice {
  readonly answers: { readonly [id: string]: string }
  readonly as: string
  readonly registry?: string
}

/** What adding would do. */
export interface RegistryReview {
  /** All that would be written and started, line by line, without secrets. */
  readonly shown: string
  /** The file that would be changed. */
  readonly file: string
}

/** What the view needs to know of its page. */
export interface BrowseRegistryProps {
  readonly source: BrowseSource
  /** Names that servers have already. */
  readonly taken: ReadonlySet<string>
  /** Why nothing can be started here; undefined if it can. */
  readonly whyNotStart?: string | undefined
  /** What the button says for something that is started, or reached. */
  readonly labels: { readonly command: string; readonly url: string }
}
