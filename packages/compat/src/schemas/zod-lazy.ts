import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

import type * as Zod3 from 'zod/v3'
import type * as Zod from 'zod/v4'

/** Makes the JSON Schema of a schema of Zod 3. */
export type ZodToJsonSchema = (schema: unknown, options: object) => Record<string, unknown>

const require = createRequire(import.meta.url)
let loaded: typeof Zod | undefined
let loaded3: typeof Zod3 | undefined

/**
 * Returns Zod 4, loaded when first needed: a low-level server that gets only valid messages never needs it.
 *
 * The ES module is preferred, which is the copy that programs import.
 */
export function zod(): typeof Zod {
  loaded ??= load('zod/v4') as typeof Zod
  return loaded
}

/** Returns Zod 3, which comes with Zod since 3.25; loaded for the first shape of such schemas. */
export function zod3(): typeof Zod3 {
  loaded3 ??= load('zod/v3') as typeof Zod3
  return loaded3
}

/** Returns the converter, loaded with the first schema of Zod 3. */
export function zodToJsonSchema(): ZodToJsonSchema {
  return (require('zod-to-json-schema') as { zodToJsonSchema: ZodToJsonSchema }).zodToJsonSchema
}

function load(name: string): unknown {
  try {
    return require(fileURLToPath(import.meta.resolve(name)))
  } catch {
    // A loader without import.meta.resolve, or Node without require(esm): the CommonJS copy does the same.
    return require(name)
  }
}
