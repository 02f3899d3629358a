import type { JsonObject } from '../json.ts'
import type { JsonSchema, StandardResult, StandardSchema } from '../standard-schema.ts'
import { compileJsonSchema } from './compile.ts'

/** A schema that can give itself as JSON Schema: the Standard JSON Schema interface. */
export interface TypedJsonSchema<T> extends StandardSchema<T> {
  /** The interface of Standard Schema v1, with the schema as JSON Schema. */
  readonly '~standard': StandardSchema<T>['~standard'] & {
    readonly validate: (value: unknown) => StandardResult<T>
    readonly jsonSchema: {
      /** Returns the schema as written, whatever the target: its own `$schema` names the draft. */
      readonly input: (options?: JsonSchemaTarget) => JsonSchema
      readonly output: (options?: JsonSchemaTarget) => JsonSchema
    }
  }
}

/** Options of Standard JSON Schema. */
export interface JsonSchemaTarget {
  readonly target: string
  readonly libraryOptions?: Record<string, unknown> | undefined
}

/**
 * Plain JSON Schema with types: stated, `jsonSchema<Input>({…})`, or inferred from the literal. Compiled at once, so a
 * schema that cannot be honoured throws here.
 */
export function jsonSchema<T = never, const S extends JsonSchema = JsonSchema>(
  schema: S,
): TypedJsonSchema<[T] extends [never] ? FromJsonSchema<S> : T> {
  type Value = [T] extends [never] ? FromJsonSchema<S> : T
  const validate = compileJsonSchema(schema)
  return {
    '~standard': {
      version: 1,
      vendor: 'parley',
      validate: (value) => {
        const issues = validate(value)
        // The schema is what makes it a `Value`: by statement of the caller, or by inference from the literal.
        return issues === undefined ? { value: value as Value } : { issues }
      },
      jsonSchema: { input: () => schema, output: () => schema },
    },
  }
}

/** The values a literal JSON Schema describes, for the keywords that say it plainly; `unknown` for the rest. */
type FromJsonSchema<S> = S extends { readonly const: infer Value }
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

/** A schema as callers see each side of it. */
export interface ConvertedSchema {
  readonly input: JsonSchema
  readonly output: JsonSchema
}

/** Teaches us to convert a schema library that has no JSON Schema output of its own, such as Zod 3. */
export function withJsonSchema<S extends StandardSchema>(
  schema: S,
  converted: { readonly input: JsonSchema; readonly output?: JsonSchema | undefined },
): S {
  taught.set(schema, { input: converted.input, output: converted.output ?? converted.input })
  return schema
}
const taught = new WeakMap<object, ConvertedSchema>()

/** Returns the conversion registered for a schema; undefined without one. */
export function taughtSchema(schema: StandardSchema): ConvertedSchema | undefined {
  return taught.get(schema)
}
