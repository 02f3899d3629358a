import type { JSONSchema } from 'json-schema-typed'

/** A JSON Schema that is an object. */
export type JsonSchemaType = JSONSchema.Interface

/** The outcome of a check of a value. */
export type JsonSchemaValidatorResult<T> =
  | { valid: true; data: T; errorMessage: undefined }
  | { valid: false; data: undefined; errorMessage: string }

/** Checks values with one schema. */
export type JsonSchemaValidator<T> = (input: unknown) => JsonSchemaValidatorResult<T>

/** Makes checks of JSON Schemas. */
export interface jsonSchemaValidator {
  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T>
}
