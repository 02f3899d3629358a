import type { JsonObject } from '../json/json.ts'

/** The values a literal JSON Schema describes, for the keywords that say it plainly; `unknown` for the rest. */
export type FromJsonSchema<S> = S extends { readonly const: infer Value }
  ? Value
  : S extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : S extends
          | { readonly anyOf: readonly (infer Option)[] }
          | { readonly oneOf: readonly (infer Option)[] }
      ? FromJsonSchema<Option>
      : S extends { readonly type: readonly (infer Type)[] }
        ? FromType<Type, S>
        : S extends { readonly type: infer Type }
          ? FromType<Type, S>
          : unknown

/** Distributes over `Type`, so that a list of types becomes their union. */
type FromType<Type, S> = Type extends 'object'
  ? FromProperties<S>
  : Type extends 'array'
    ? S extends { readonly items: infer Item }
      ? FromJsonSchema<Item>[]
      : unknown[]
    : Type extends keyof Scalars
      ? Scalars[Type]
      : unknown

interface Scalars {
  string: string
  number: number
  integer: number
  boolean: boolean
  null: null
}

type FromProperties<S> = S extends { readonly properties: infer Properties }
  ? Simplify<
      { [Name in keyof Properties & RequiredNames<S>]: FromJsonSchema<Properties[Name]> } & {
        [Name in Exclude<keyof Properties, RequiredNames<S>>]?: FromJsonSchema<Properties[Name]>
      }
    >
  : JsonObject

type RequiredNames<S> = S extends { readonly required: readonly (infer Name)[] } ? Name : never
type Simplify<T> = { -readonly [Name in keyof T]: T[Name] }
