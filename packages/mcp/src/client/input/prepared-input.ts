import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { describeProblem, type Problem } from '../../schema/check.ts'
import type { JsonObject } from '../../schema/json/json.ts'
import { encodeQuestion } from '../../wire/question-codec.ts'
import type { RequestCodec } from '../../wire/request-codec.ts'
import type { AskedBy } from './input-handlers.ts'

/** What can be done about a question of the server's: answer it, or say why not. */
export type Asked =
  | { readonly kind: 'ready'; run(about: AskedBy): Promise<object> }
  /** This client answers no such question, as it has said when it introduced itself. */
  | { readonly kind: 'unavailable'; readonly why: RpcError }
  /** The question itself breaks the protocol. */
  | { readonly kind: 'invalid'; readonly why: RpcError }

/** A question for which nobody is there. */
export function noHandler(method: string): Asked {
  const why = `this client does not offer ${method}`
  return { kind: 'unavailable', why: new RpcError('method_not_found', why, { data: { method } }) }
}

/** A question whose kind is answered, but not in this way. */
export function undeclared(what: string): Asked {
  return { kind: 'unavailable', why: new RpcError('invalid_params', what) }
}

/** Undefined if there is no problem. */
export function invalid(method: string, problem: Problem | undefined): Asked | undefined {
  return problem && invalidBecause(method, describeProblem(problem))
}

/** A question that nobody may ask so. */
export function invalidBecause(method: string, why: string): Asked {
  return { kind: 'invalid', why: new RpcError('invalid_params', `${method}: ${why}`) }
}

/** A question that the revision in use could not have written breaks it, although a later one allows it. */
export function unsayable(
  method: string,
  params: JsonObject,
  codec: Pick<RequestCodec, 'has'> | undefined,
): Asked | undefined {
  try {
    if (codec) encodeQuestion(method, params, codec.has)
    return undefined
  } catch (error) {
    if (error instanceof RpcError) return invalidBecause(method, error.message)
    throw error
  }
}

/** Throws for an answer of our own handler that is none. */
export function expectAnswer(problem: Problem | undefined, what: string): void {
  if (problem !== undefined) throw new TypeError(`${what}: ${describeProblem(problem)}`)
}
