import type { MetaObject } from './metadata.ts'

/** @deprecated Roots are deprecated since 2026-07-28 (SEP-2577). Take paths as tool arguments. */
export interface Root {
  /** Always a `file://` URI. */
  readonly uri: string
  /** For people. */
  readonly name?: string
  readonly _meta?: MetaObject
}

/** @deprecated See {@link Root}. */
export interface ListRootsResult {
  readonly roots: readonly Root[]
  readonly _meta?: MetaObject
}
