import type { ClientIdentity } from '../../../client/connection/identity.ts'
import { RpcError } from '../../../rpc/errors/rpc-error.ts'
import { isJsonObject, type JsonObject, omit } from '../../../schema/json.ts'
import type { LoggingLevel } from '../../../schema/logging.ts'
import type { CallToolResult } from '../../../schema/tools.ts'
import type { Call } from '../../../server/calls/call.ts'
import type { Outcome } from '../../../server/calls/dispatch.ts'
import type { WireFeatures } from '../../../wire/codec.ts'
import { encodeInputResponse, encodeInputRequest } from '../../../wire/downgrade-input.ts'
import { decodeWireError } from '../../../wire/error-codes.ts'
import { metaKeys } from '../../../wire/request-meta.ts'
import type { Finish, Forwarded } from '../forward.ts'
import type { InputRequestForm } from '../questions.ts'

/** The work of a task that the proxy keeps, on its way to the server. Questions wait in the task for their answers. */
export function hostedCall(
  work: Call,
  client: ClientIdentity,
  serverHas: WireFeatures | undefined,
): Forwarded {
  const { caller } = work

  async function ask({ method, params, signal }: InputRequestForm): Promise<JsonObject> {
    const { background } = work
    if (background === undefined) throw new TypeError('it works in the background')
    const encoded = encodeInputRequest(method, withoutTask(params), caller.codec.has)
    const limits = { timeoutMs: caller.limits.inputMs, signal, key: undefined }
    const answer = await background.ask(method, encoded, limits)
    return serverHas ? (encodeInputResponse(method, answer, serverHas) as JsonObject) : answer // as the client gave it
  }

  return {
    call: work,
    client,
    owner: work,
    isTask: true,
    capabilities: client.capabilities,
    signal: work.signal,
    onProgress: (progress) => void work.progress(progress as never), // checked when it arrived
    ask,
    log: ({ level, data, logger }) =>
      work.log(level as LoggingLevel, data, logger as string | undefined), // as it came
  }
}

/** The result in our own words, to be kept. */
export const finishForTask: Finish = (result, { codec }, { call }) => ({
  kind: 'result',
  result: codec.decodeResult(call.method, result),
})

/** Returns the result of the work. Throws its error. */
export function taskResult(answer: Outcome): CallToolResult {
  if (answer.kind === 'error') throw decodeWireError(answer.error)
  if (answer.kind !== 'result') throw new RpcError('internal_error', 'the task has no result')
  return answer.result as CallToolResult // as the server sent it
}

/** Without the id of a task that the client does not know. */
export function withoutTask(result: JsonObject): JsonObject {
  const { _meta, ...rest } = result
  if (!isJsonObject(_meta)) return result
  const meta = omit(_meta, [metaKeys.task])
  return Object.keys(meta).length === 0 ? rest : { ...rest, _meta: meta }
}
