import { jsonSchema, type JsonSchema, type TypedJsonSchema } from '@parley/mcp'

/** Checks what a page sends before anything is done with it. */
export interface ParamsCheck<Method extends string> {
  /** Whether there is such a method. */
  readonly isMethod: (method: unknown) => method is Method
  /** Throws an error that names what is wrong with the params of a method. */
  readonly checkParams: (method: Method, params: unknown) => void
}

/** Takes only what the schema of a method describes. `toError` makes the error that is thrown. */
export function createParamsCheck<Method extends string>(
  schemas: { readonly [M in Method]: JsonSchema },
  toError: (message: string) => Error,
): ParamsCheck<Method> {
  const compiled = new Map<string, TypedJsonSchema<unknown>>()

  return {
    isMethod: (method): method is Method =>
      typeof method === 'string' && Object.hasOwn(schemas, method),
    checkParams(method, params) {
      const check = compiled.get(method) ?? jsonSchema<unknown>(schemas[method])
      compiled.set(method, check)
      const checked = check['~standard'].validate(params)
      if (!('issues' in checked) || checked.issues === undefined) return
      const [first] = checked.issues
      const path = (first?.path ?? []).map((step) =>
        String(typeof step === 'object' ? step.key : step),
      )
      const where = ['', ...path].join('/') || 'params'
      throw toError(`${method}: ${where} ${first?.message ?? 'is not valid'}`)
    },
  }
}

/** A schema of an object with only these members; those whose name ends with a question mark may be missing. */
export function objectSchema(members: { readonly [name: string]: JsonSchema }): JsonSchema {
  const entries = Object.entries(members)
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([key, schema]) => [key.replace('?', ''), schema])),
    required: entries.map(([key]) => key).filter((key) => !key.endsWith('?')),
    additionalProperties: false,
  }
}

/** A schema of a list with at most so many items. */
export function listSchema(items: JsonSchema, maxItems: number): JsonSchema {
  return { type: 'array', items, maxItems }
}
