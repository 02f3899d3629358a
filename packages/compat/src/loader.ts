/** The hooks for `import`; see `register.ts`. */

import { describeMissing } from './missing-path.ts'

const official = '@modelcontextprotocol/sdk'
const own = '@parley/compat'
const here = new URL('.', import.meta.url).href

interface Context {
  readonly parentURL?: string | undefined
}
type Resolve = (
  specifier: string,
  context?: Context,
) => Promise<{ url: string; format?: string | null; shortCircuit?: boolean }>

let program: string | undefined

/** Gives importers of the official SDK this package. */
export async function resolve(specifier: string, context: Context, next: Resolve) {
  if (specifier === official || specifier.startsWith(`${official}/`)) {
    program ??= context.parentURL
    const path = specifier.slice(official.length)
    try {
      return await next(own + path, { ...context, parentURL: import.meta.url })
    } catch (error) {
      throw describeMissing(error, specifier)
    }
  }
  const isZod = specifier === 'zod' || specifier.startsWith('zod/')
  if (isZod && program !== undefined && context.parentURL?.startsWith(here)) {
    try {
      return await next(specifier, { ...context, parentURL: program })
    } catch {
      // A program without Zod uses ours.
    }
  }
  return next(specifier, context)
}
