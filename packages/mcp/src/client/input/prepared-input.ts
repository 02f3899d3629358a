import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { describeProblem, type Problem } from '../../schema/check.ts'
import type { JsonObject } from '../../schema/json.ts'
import { encodeInputRequest } from '../../wire/downgrade-input.ts'
import type { RequestCodec } from '../../wire/request-codec.ts'
import type { InputContext } from './input-handlers.ts'

/** An input request that is ready to be answered, or why it cannot be. */
export type PreparedRequest =
  | { readonly kind: 'ready'; run(about: InputContext): Promise<object> }
  /** This client did not declare the capability. */
  | { readonly kind: 'unavailable'; readonly why: RpcError }
  /** The request breaks the protocol. */
  | { readonly kind: 'invalid'; readonly why: RpcError }

/** An input request without a handler. */
export function noHandler(method: string): PreparedRequest {
  const why = `this client does not offer ${method}`
  return { kind: 'unavailable', why: new RpcError('method_not_found', why, { data: { method } }) }
}

/** An input request of a mode that the client did not declare. */
export function undeclared(what: string): PreparedRequest {
  return { kind: 'unavailable', why: new RpcError('invalid_params', what) }
}

/** Undefined if there is no problem. */
export function invalid(method: string, problem: Problem | undefined): PreparedRequest | undefined {
  return problem && invalidBecause(method, describeProblem(problem))
}

/** An input request that breaks the protocol. */
export function invalidBecause(method: string, why: string): PreparedRequest {
  return { kind: 'invalid', why: new RpcError('invalid_params', `${method}: ${why}`) }
}

/** An input request with members that only a later revision has breaks the one in use. */
export function unsayable(
  method: string,
  params: JsonObject,
  codec: Pick<RequestCodec, 'has'> | undefined,
): PreparedRequest | undefined {
  try {
    if (codec) encodeInputRequest(method, params, codec.has)
    return undefined
  } catch (error) {
    if (error instanceof RpcError) return invalidBecause(method, error.message)
    throw error
  }
}

/** Throws if the handler returned an invalid answer. */
export function expectResponse(problem: Problem | undefined, what: string): void {
  if (problem !== undefined) throw new TypeError(`${what}: ${describeProblem(problem)}`)
}
