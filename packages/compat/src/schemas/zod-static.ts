import { zodToJsonSchema as convert } from 'zod-to-json-schema'
import * as z3 from 'zod/v3'
import * as z from 'zod/v4'

import type { ZodToJsonSchema } from './zod-lazy.ts'

/** Returns Zod 4. Bundles and runtimes without `require` load it at the start. */
export function zod(): typeof z {
  return z
}

/** Returns Zod 3. */
export function zod3(): typeof z3 {
  return z3
}

/** Returns the converter of schemas of Zod 3. */
export function zodToJsonSchema(): ZodToJsonSchema {
  // The converter takes any schema of Zod 3.
  return convert as unknown as ZodToJsonSchema
}
