import { createRequire } from 'node:module'

import type { CompileSchema } from '@parley/mcp'

let compile: CompileSchema | undefined

/** Returns Parley's compiler of JSON Schemas, loaded for the first schema. */
export function compiler(): CompileSchema {
  compile ??= (
    createRequire(import.meta.url)('@parley/mcp') as { compileJsonSchema: CompileSchema }
  ).compileJsonSchema
  return compile
}
