import type { CatalogueChoice, CatalogueEntry, CatalogueFound } from '@parley/foundation/catalogue'
import type { ConfigEntry } from '@parley/foundation/config'

/** Finds servers in a registry, and writes them into a configuration file of the user's. */
export interface ChatCatalogue {
  /** The latest versions that fit, in the registry that is named or the usual one. */
  search(text: string, registry?: string): Promise<CatalogueFound>
  /** One version, and what it asks. */
  read(name: string, version: string, registry?: string): Promise<CatalogueEntry>
  /** What would be written where. Nothing is written. */
  review(choice: RegistryChoice): Promise<RegistryReview>
  /** Writes it, and gives back what is in the file now. Rejects if that is not what was shown. */
  add(choice: RegistryChoice, shown: string): Promise<ConfigEntry>
}

/** What was picked, and the name it gets here. */
export interface RegistryChoice extends CatalogueChoice {
  /** The name of the server here. */
  readonly as: string
  /** The URL of the registry. @defaultValue the usual one */
  readonly registry?: string | undefined
}

/** What adding would do. */
export interface RegistryReview {
  /** All that would be written and started, line by line, without secrets: what is agreed to. */
  readonly shown: string
  /** The file that would be changed. */
  readonly file: string
}
