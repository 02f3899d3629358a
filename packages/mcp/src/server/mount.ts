import { RpcError } from '../rpc/errors/rpc-error.ts'
import type { MaybePromise } from '../rpc/promise.ts'
import type { ParamsOf, Operation } from '../schema/methods/client-requests.ts'
import type { Call } from './calls/call.ts'
import type { Definition, Entry, Mount } from './definition.ts'

/** Runs an operation in a mounted definition, through its own `app` and middleware. */
export type RunOperation = <O extends Operation>(
  definition: Definition,
  operation: O,
  params: ParamsOf<O>,
  call: Call,
) => MaybePromise<object>

/** Calls a tool or gets a prompt of a mounted definition, by the name it has there. */
export async function runMounted<O extends 'tools/call' | 'prompts/get'>(
  { inner, prefix }: Mount,
  operation: O,
  params: ParamsOf<O>,
  call: Call,
  run: RunOperation,
): Promise<object> {
  try {
    const name = params.name.slice(prefix.length)
    return await run(inner, operation, { ...params, name }, call)
  } catch (error) {
    // Under the name the caller knows, so that hidden and missing read the same.
    const kind = operation === 'tools/call' ? 'tool' : 'prompt'
    throw isUnknownFeature(error) ? unknownFeature(kind, params.name) : error
  }
}

/** Errors that say that a feature does not exist, or is hidden. */
const unknownFeatures = new WeakSet<object>()

/** The error for a feature that does not exist, or that this caller may not see. */
export function unknownFeature(kind: string, name: string): RpcError {
  return markUnknown(new RpcError('invalid_params', `unknown ${kind}: ${name}`))
}

/** The same for an error of another kind. */
export function markUnknown(error: RpcError): RpcError {
  unknownFeatures.add(error)
  return error
}

export function isUnknownFeature(error: unknown): boolean {
  return unknownFeatures.has(error as object) // membership needs an object only
}

/** Tools and prompts get the prefix; URIs are global already. */
export function exposedName(kind: Entry['kind'], name: string, prefix: string): string {
  return kind === 'resource' ? name : `${prefix}${name}`
}
