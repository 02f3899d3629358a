import type { OnError } from '../../rpc/errors/error-report.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { later, type Later } from '../../rpc/lazy.ts'
import type { RequestCodec } from '../../wire/request-codec.ts'
import type { Asking } from './client-input.ts'
import type { Questions } from './server-requests.ts'

/** Answers what the server asks on one connection, in order, by what is loaded for it when the first question comes. */
export function questionsLater(
  asking: Later<Asking>,
  codec: () => RequestCodec | undefined,
  onError: OnError,
): Questions {
  if (asking.loaded) return asking.loaded.open(codec)
  const questions = later(async () => (await asking.load()).open(codec))
  let isAsked = false

  function whenLoaded(use: (questions: Questions) => void): void {
    // Nothing was asked: there is nothing to end either.
    if (isAsked) questions.load().then(use, () => undefined)
  }

  return {
    onRequest(request, connection) {
      isAsked = true
      questions.load().then(
        ({ onRequest }) => onRequest(request, connection),
        (error: unknown) => {
          const { id, method } = request
          const { wireCode, message } = new RpcError('internal_error', `${method} failed`)
          connection.refuse(id, { code: wireCode, message })
          onError(error, { severity: 'error', operation: method })
        },
      )
    },
    answer: async (...asked) => (await questions.load()).answer(...asked),
    cancel: (id, reason) => whenLoaded(({ cancel }) => cancel(id, reason)),
    abortAll: (reason) => whenLoaded(({ abortAll }) => abortAll(reason)),
  }
}
