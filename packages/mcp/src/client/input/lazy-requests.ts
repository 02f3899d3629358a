import type { OnError } from '../../rpc/errors/on-error.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { lazy, type Lazy } from '../../rpc/promise.ts'
import type { RequestCodec } from '../../wire/request-codec.ts'
import type { ClientInput } from './client-input.ts'
import type { ServerRequests } from './server-requests.ts'

/** Answers requests of the server on one connection, in order. What answers them is loaded with the first. */
export function createLazyRequests(
  input: Lazy<ClientInput>,
  codec: () => RequestCodec | undefined,
  onError: OnError,
): ServerRequests {
  if (input.loaded) return input.loaded.open(codec)
  const requests = lazy(async () => (await input.load()).open(codec))
  let hasRequests = false

  function whenLoaded(use: (requests: ServerRequests) => void): void {
    // Nothing was asked: there is nothing to end either.
    if (hasRequests) requests.load().then(use, () => undefined)
  }

  return {
    onRequest(request, connection) {
      hasRequests = true
      requests.load().then(
        ({ onRequest }) => onRequest(request, connection),
        (error: unknown) => {
          const { id, method } = request
          const { wireCode, message } = new RpcError('internal_error', `${method} failed`)
          connection.reject(id, { code: wireCode, message })
          onError(error, { severity: 'error', operation: method })
        },
      )
    },
    answer: async (...requestArguments) => (await requests.load()).answer(...requestArguments),
    cancel: (id, reason) => whenLoaded(({ cancel }) => cancel(id, reason)),
    abortAll: (reason) => whenLoaded(({ abortAll }) => abortAll(reason)),
  }
}
