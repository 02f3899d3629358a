import type { JsonSchema, StandardResult, StandardSchema } from '../standard-schema.ts'
import { compileJsonSchema } from './compile.ts'
import type { FromJsonSchema } from './from-json-schema.ts'

/** A schema that can give itself as JSON Schema: the Standard JSON Schema interface. */
export interface TypedJsonSchema<T> extends StandardSchema<T> {
  /** What Standard Schema v1 defines, with the schema as JSON Schema. */
  readonly '~standard': StandardSchema<T>['~standard'] & {
    readonly validate: (value: unknown) => StandardResult<T>
    readonly jsonSchema: {
      /** As it was written, whatever the target: its own `$schema` says which draft that is. */
      readonly input: (options?: JsonSchemaTarget) => JsonSchema
      readonly output: (options?: JsonSchemaTarget) => JsonSchema
    }
  }
}

/** What Standard JSON Schema lets a caller ask for. */
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
