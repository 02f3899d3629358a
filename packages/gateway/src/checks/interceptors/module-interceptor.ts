import { pathToFileURL } from 'node:url'

import { isJsonObject, errorMessage } from '@parley/mcp/json'

import type { Check } from '../check.ts'
import { createInterceptor, type InterceptorOptions } from './interceptor.ts'

/** An interceptor that is a module of yours. */
export interface ModuleInterceptorOptions extends InterceptorOptions {
  /**
   * A JavaScript module that exports `before(request, { signal })`, `after(request, result, { signal })`, or both. It runs in the process of the
   * gateway, with all its rights: a loop without end in it stops everything.
   */
  readonly module: string
}

/** Loads the module with the first request. */
export function moduleInterceptor({ module, ...options }: ModuleInterceptorOptions): Check {
  let loading: Promise<Loaded> | undefined

  return createInterceptor(options, async (stage, request, result, signal) => {
    loading ??= load(module)
    const { before, after } = await loading
    // Copies: what a module does to its arguments must not reach the caller or the server unseen.
    const copy = structuredClone(request)
    if (stage === 'before') return before?.(copy, { signal })
    return after?.(copy, structuredClone(result), { signal })
  })
}

interface Loaded {
  readonly before?: (request: unknown, context: { readonly signal: AbortSignal }) => unknown
  readonly after?: (
    request: unknown,
    result: unknown,
    context: { readonly signal: AbortSignal },
  ) => unknown
}

async function load(module: string): Promise<Loaded> {
  let exported: unknown
  try {
    exported = await import(pathToFileURL(module).href)
  } catch (error) {
    throw new Error(`cannot be loaded from ${module}: ${errorMessage(error)}`, { cause: error })
  }
  const { before, after } = isJsonObject(exported)
    ? (exported as { before?: unknown; after?: unknown })
    : {}
  const isUsable = [before, after].every((each) => each === undefined || typeof each === 'function')
  if (!isUsable || (before === undefined && after === undefined)) {
    throw new Error(`exports neither a function before nor a function after (${module})`)
  }
  return { before, after } as Loaded // functions, or absent
}
