import { RpcError } from '../../rpc/errors/rpc-error.ts'
import type { Call } from './call.ts'

/** Masks an internal error: the client gets a correlation id, `onError` gets the same id and the cause. */
export function reportUnexpected(error: unknown, call: Call): RpcError<'internal_error'> {
  const correlationId = newCorrelationId()
  if (call.observation) (call.metrics ??= {}).fault = { error, correlationId }
  if (!call.isAborted) {
    const { caller, method, params } = call
    const name = params['name'] ?? params['uri']
    caller.onError(error, {
      severity: 'error',
      correlationId,
      operation: method,
      ...(typeof name === 'string' && { name }),
      ...(caller.auth && { auth: caller.auth }),
    })
  }
  return new RpcError('internal_error', `internal error (${correlationId})`, {
    data: { correlationId },
    cause: error,
  })
}

/** Errors that handlers threw, by the results they became; for middleware. */
export const thrownErrors = new WeakMap<object, unknown>()

/** The error that a client may see for a fault outside of calls. Report the fault itself. */
export function internalError(): RpcError<'internal_error'> {
  return new RpcError('internal_error', 'internal error')
}

/** Random, so that one caller's id tells nothing about errors of others. */
function newCorrelationId(): string {
  return globalThis.crypto.randomUUID()
}
