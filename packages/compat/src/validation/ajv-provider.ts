import { compiler } from '#json-schema'

import { describeErrors } from './ajv-errors.ts'
import type { JsonSchemaType, JsonSchemaValidator, jsonSchemaValidator } from './types.ts'

/** The methods that are used of an Ajv instance of the program. */
interface Ajv {
  compile(schema: object): AjvCheck
  getSchema(id: string): AjvCheck | undefined
  errorsText(errors?: AjvCheck['errors']): string
}

interface AjvCheck {
  (data: unknown): unknown
  // Ajv's own type, whichever version the program has.
  errors?: any
}

/**
 * Checks values with JSON Schemas: by the Ajv of the program where one is given, else by Parley's validator, which generates no code and
 * is bounded against hostile schemas. The messages have Ajv's words for the usual keywords.
 */
export class AjvJsonSchemaValidator implements jsonSchemaValidator {
  private _ajv?: Ajv

  constructor(ajv?: Ajv) {
    this._ajv = ajv
  }

  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    return this._ajv ? validatorOf(this._ajv, schema) : ownValidator(schema)
  }
}

function validatorOf<T>(ajv: Ajv, schema: JsonSchemaType): JsonSchemaValidator<T> {
  const { $id } = schema
  const validate = (typeof $id === 'string' ? ajv.getSchema($id) : undefined) ?? ajv.compile(schema)
  return (input) =>
    validate(input)
      ? { valid: true, data: input as T, errorMessage: undefined }
      : { valid: false, data: undefined, errorMessage: ajv.errorsText(validate.errors) }
}

function ownValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
  const validate = compiler()(schema)
  return (input) => {
    const issues = validate(input)
    if (issues === undefined) return { valid: true, data: input as T, errorMessage: undefined }
    const described = describeErrors(schema, input)
    const errorMessage =
      described.length > 0
        ? described.join(', ')
        : issues.map(({ path, message }) => `${pointer(path)} ${message}`).join(', ')
    return { valid: false, data: undefined, errorMessage }
  }
}

function pointer(path: readonly unknown[] | undefined): string {
  const keys = (path ?? []).map((step) =>
    String(typeof step === 'object' && step !== null ? (step as { key: unknown }).key : step),
  )
  return ['data', ...keys].join('/')
}
