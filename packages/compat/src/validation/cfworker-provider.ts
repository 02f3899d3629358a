import { Validator } from '@cfworker/json-schema'

import type { JsonSchemaType, JsonSchemaValidator, jsonSchemaValidator } from './types.ts'

/** The drafts that `@cfworker/json-schema` knows. */
export type CfWorkerSchemaDraft = '4' | '7' | '2019-09' | '2020-12'

/** Checks values by `@cfworker/json-schema`, which the program installs. */
export class CfWorkerJsonSchemaValidator implements jsonSchemaValidator {
  private shortcircuit: boolean
  private draft: CfWorkerSchemaDraft

  constructor(options?: {
    /**
     * Stops at the first error.
     * @defaultValue true
     */
    shortcircuit?: boolean
    /** @defaultValue '2020-12' */
    draft?: CfWorkerSchemaDraft
  }) {
    this.shortcircuit = options?.shortcircuit ?? true
    this.draft = options?.draft ?? '2020-12'
  }

  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    const validator = new Validator(schema as never, this.draft, this.shortcircuit)
    return (input) => {
      const { valid, errors } = validator.validate(input)
      return valid
        ? { valid: true, data: input as T, errorMessage: undefined }
        : {
            valid: false,
            data: undefined,
            errorMessage: errors
              .map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`)
              .join('; '),
          }
    }
  }
}
