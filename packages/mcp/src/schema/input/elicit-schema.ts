/**
 * Types and checks of the schema of an elicitation form: a flat object of fields. Validating what the user filled in is in `elicitation.ts`.
 */

import * as s from '../check.ts'

/** A text field. */
export interface StringSchema {
  readonly type: 'string'
  readonly title?: string
  readonly description?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly format?: 'date' | 'date-time' | 'email' | 'uri'
  readonly default?: string
}

/** A number field. */
export interface NumberSchema {
  readonly type: 'number' | 'integer'
  readonly title?: string
  readonly description?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: number
}

/** A yes or no. */
export interface BooleanSchema {
  readonly type: 'boolean'
  readonly title?: string
  readonly description?: string
  readonly default?: boolean
}

/** One of several values; `enumNames`, in the same order, is how 2025-06-18 shows them. */
export interface EnumSchema {
  readonly type: 'string'
  readonly title?: string
  readonly description?: string
  readonly enum: readonly string[]
  readonly enumNames?: readonly string[]
  readonly default?: string
}

/** A value to choose, and what people see for it. */
export interface TitledValue {
  readonly const: string
  readonly title: string
}

/** One of several values, each with its own title. */
export interface TitledSingleSelectEnumSchema {
  readonly type: 'string'
  readonly title?: string
  readonly description?: string
  readonly oneOf: readonly TitledValue[]
  readonly default?: string
}

/** Values to choose from. */
export interface UntitledItems {
  readonly type: 'string'
  readonly enum: readonly string[]
}

/** Values to choose from, each with its own title. */
export interface TitledItems {
  readonly anyOf: readonly TitledValue[]
}

/** The choices of a {@link MultiSelectEnumSchema}. */
export type MultiSelectItems = UntitledItems | TitledItems

/** Any of several values. */
export interface MultiSelectEnumSchema {
  readonly type: 'array'
  readonly title?: string
  readonly description?: string
  readonly minItems?: number
  readonly maxItems?: number
  readonly items: MultiSelectItems
  readonly default?: readonly string[]
}

/** One field of a form. */
export type PrimitiveSchemaDefinition =
  | StringSchema
  | NumberSchema
  | BooleanSchema
  | EnumSchema
  | TitledSingleSelectEnumSchema
  | MultiSelectEnumSchema

/** A form: a flat object of fields. */
export interface ElicitSchema {
  readonly type: 'object'
  readonly properties: { readonly [property: string]: PrimitiveSchemaDefinition }
  readonly required?: readonly string[]
  readonly $schema?: string
  readonly [keyword: string]: unknown
}

const stringSchema = s.object<StringSchema>({
  type: s.literal('string'),
  title: s.optional(s.string),
  description: s.optional(s.string),
  minLength: s.optional(s.integer),
  maxLength: s.optional(s.integer),
  format: s.optional(s.oneOf(['date', 'date-time', 'email', 'uri'])),
  default: s.optional(s.string),
})

const numberSchema = s.object<NumberSchema>({
  type: s.oneOf(['number', 'integer']),
  title: s.optional(s.string),
  description: s.optional(s.string),
  minimum: s.optional(s.number),
  maximum: s.optional(s.number),
  default: s.optional(s.number),
})

const booleanSchema = s.object<BooleanSchema>({
  type: s.literal('boolean'),
  title: s.optional(s.string),
  description: s.optional(s.string),
  default: s.optional(s.boolean),
})

const enumSchema = s.object<EnumSchema>({
  type: s.literal('string'),
  title: s.optional(s.string),
  description: s.optional(s.string),
  enum: s.array(s.string),
  enumNames: s.optional(s.array(s.string)),
  default: s.optional(s.string),
})

const titledValues = s.array(s.object<TitledValue>({ const: s.string, title: s.string }))

const titledSingleSelectEnumSchema = s.object<TitledSingleSelectEnumSchema>({
  type: s.literal('string'),
  title: s.optional(s.string),
  description: s.optional(s.string),
  oneOf: titledValues,
  default: s.optional(s.string),
})

const items = s.keyed<MultiSelectItems, 'enum' | 'anyOf'>(
  {
    enum: s.object<UntitledItems>({ type: s.literal('string'), enum: s.array(s.string) }),
    anyOf: s.object<TitledItems>({ anyOf: titledValues }),
  },
  s.is('an object with enum or anyOf', () => false),
)

const multiSelectEnumSchema = s.object<MultiSelectEnumSchema>({
  type: s.literal('array'),
  title: s.optional(s.string),
  description: s.optional(s.string),
  minItems: s.optional(s.integer),
  maxItems: s.optional(s.integer),
  items,
  default: s.optional(s.array(s.string)),
})

const primitiveSchemaDefinition = s.tagged<PrimitiveSchemaDefinition, 'type'>('type', {
  string: s.keyed<StringSchema | EnumSchema | TitledSingleSelectEnumSchema, 'enum' | 'oneOf'>(
    { enum: enumSchema, oneOf: titledSingleSelectEnumSchema },
    stringSchema,
  ),
  number: numberSchema,
  integer: numberSchema,
  boolean: booleanSchema,
  array: multiSelectEnumSchema,
})

/** The schema of a form. */
export const elicitSchema = s.object<ElicitSchema>({
  type: s.literal('object'),
  properties: s.record(primitiveSchemaDefinition),
  required: s.optional(s.array(s.string)),
  $schema: s.optional(s.string),
})
