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

/** The values of an {@link UntitledMultiSelectEnumSchema}. */
export interface UntitledItems {
  readonly type: 'string'
  readonly enum: readonly string[]
}

/** Any of several values. */
export interface UntitledMultiSelectEnumSchema {
  readonly type: 'array'
  readonly title?: string
  readonly description?: string
  readonly minItems?: number
  readonly maxItems?: number
  readonly items: UntitledItems
  readonly default?: readonly string[]
}

/** The values of a {@link TitledMultiSelectEnumSchema}. */
export interface TitledItems {
  readonly anyOf: readonly TitledValue[]
}

/** Any of several values, each with its own title. */
export interface TitledMultiSelectEnumSchema {
  readonly type: 'array'
  readonly title?: string
  readonly description?: string
  readonly minItems?: number
  readonly maxItems?: number
  readonly items: TitledItems
  readonly default?: readonly string[]
}

/** One field of a form. */
export type PrimitiveSchemaDefinition =
  | StringSchema
  | NumberSchema
  | BooleanSchema
  | EnumSchema
  | TitledSingleSelectEnumSchema
  | UntitledMultiSelectEnumSchema
  | TitledMultiSelectEnumSchema

/** A form: a flat object of fields. */
export interface ElicitSchema {
  readonly type: 'object'
  readonly properties: { readonly [property: string]: PrimitiveSchemaDefinition }
  readonly required?: readonly string[]
  readonly [keyword: string]: unknown
}
