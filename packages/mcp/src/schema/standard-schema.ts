import type { JsonObject } from './json.ts'

/** The part of Standard Schema v1 we use, written out so that no schema library is in our types. */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** The interface of Standard Schema v1: the library's name, and how a value is checked. */
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
  }
}

/** The result of a Standard Schema: the parsed value, or its issues. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] }

/** One thing that is wrong with a value, and where. */
export interface SchemaIssue {
  /** The problem, for people. */
  readonly message: string
  /** Where, from the root of the value; absent for the root itself. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** JSON Schema, 2020-12 unless `$schema` says otherwise. */
export interface JsonSchema {
  /** Any keyword. */
  readonly [keyword: string]: unknown
}

/** Anything a schema may be: Zod, Valibot, ArkType …, or plain JSON Schema. */
export type Schema = StandardSchema | JsonSchema

/** The type that a caller sends. Plain JSON Schema infers nothing; give it a type with `jsonSchema`. */
export type InferInput<S> = S extends { readonly _zod: { readonly input: unknown } }
  ? S['_zod']['input']
  : S extends StandardSchema
    ? NonNullable<S['~standard']['types']>['input']
    : JsonObject

/**
 * What a handler receives. Zod 4 keeps its types in `_zod` as well, where the compiler reads them with half the work:
 * see test/types/cost.test.ts.
 */
export type InferOutput<S> = S extends { readonly _zod: { readonly output: unknown } }
  ? S['_zod']['output']
  : S extends StandardSchema
    ? NonNullable<S['~standard']['types']>['output']
    : JsonObject
