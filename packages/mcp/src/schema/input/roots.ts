import * as s from '../check.ts'
import { type MetaObject, optionalMeta } from '../metadata.ts'

/** @deprecated Roots are deprecated since 2026-07-28 (SEP-2577). Take paths as tool arguments. */
export interface Root {
  /** Always a `file://` URI. */
  readonly uri: string
  /** For people. */
  readonly name?: string
  /** Extra data, under keys with a prefix of your own; neither side has to understand it. */
  readonly _meta?: MetaObject
}

/** @deprecated See {@link Root}. */
export interface ListRootsResult {
  readonly roots: readonly Root[]
  readonly _meta?: MetaObject
}

const fileUri = s.is<string>(
  'a file:// URI',
  (value) => typeof value === 'string' && value.startsWith('file://'),
)

const root = s.object<Root>({
  uri: fileUri,
  name: s.optional(s.string),
  _meta: optionalMeta,
})

/** Result of `roots/list`. */
export const listRootsResult = s.object<ListRootsResult>({
  roots: s.array(root),
  _meta: optionalMeta,
})
