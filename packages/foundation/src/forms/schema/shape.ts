import type { JsonValue } from '@parley/mcp'

import type { Option } from '../describe/form-node.ts'
import type { TypeName } from '../json.ts'
import type { SchemaLocation } from './schema-document.ts'

/** The combination of all schemas that apply to one value: the normal form that fields are made from. */
export interface Shape {
  /** Undefined: every type. `integer` never stands beside `number`. */
  readonly types: ReadonlySet<TypeName> | undefined
  /** The only values there are, in the order they were written. */
  readonly options: readonly Option[] | undefined
  /** Choices between schemas that are still to be made, outermost first. */
  readonly unions: readonly Union[]
  readonly objects: readonly ObjectRules[]
  readonly arrays: readonly ArrayRules[]
  readonly required: ReadonlySet<string>
  readonly title?: string | undefined
  /** The title written at the field itself: that of a definition names the kind of thing, not the field. */
  readonly ownTitle?: string | undefined
  /** The name in a reference on the way. */
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly default?: JsonValue | undefined
  readonly examples: readonly JsonValue[]
  readonly deprecated: boolean
  readonly readOnly: boolean
  readonly writeOnly: boolean
  readonly format?: string | undefined
  readonly contentEncoding?: string | undefined
  readonly contentMediaType?: string | undefined
  readonly patterns: readonly string[]
  readonly limits: Limits
  readonly uniqueItems: boolean
  /** No value fits: `false`, or types and values that exclude each other. */
  readonly impossible: boolean
  readonly unknownKeywords: readonly string[]
  /** Why the form cannot know all that applies: a reference that leads nowhere, or too many schemas. */
  readonly trouble?: string | undefined
}

/** The tightest of each bound. */
export type Limits = { readonly [name in LimitName]?: number | undefined }

export type LimitName = (typeof lowerLimits)[number] | (typeof upperLimits)[number] | 'multipleOf'

export const lowerLimits = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'] as const
export const upperLimits = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'] as const

/** `anyOf` or `oneOf` of one schema. */
export interface Union {
  /** Tells unions of one value apart: the list as it stands in the schema. */
  readonly key: unknown
  readonly variants: readonly SchemaLocation[]
}

/** The rules of one schema for members. Which of them applies to a name depends on that schema alone. */
export interface ObjectRules {
  readonly properties: { readonly [name: string]: unknown }
  readonly patterns: { readonly [pattern: string]: unknown }
  /** Undefined where it is not written. */
  readonly additional: unknown
  /** For names that no schema of this value speaks for. */
  readonly unevaluated: unknown
  readonly location: SchemaLocation
}

/** The rules of one schema for items. */
export interface ArrayRules {
  readonly prefix: readonly unknown[]
  /** For those behind the prefix; undefined where it is not written. */
  readonly rest: unknown
  readonly location: SchemaLocation
}
