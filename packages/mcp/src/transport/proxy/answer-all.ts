import type { ClientSession } from '../../client/connection/session.ts'
import type { InputRequests, InputResponses } from '../../schema/input/input.ts'
import type { JsonObject } from '../../schema/json.ts'
import { encodeInputResponse, encodeInputRequest } from '../../wire/downgrade-input.ts'
import type { Forwarded } from './forward.ts'

/** Has the client answer what a server of 2026-07-28 asks in a result. */
export async function resolveAll(
  { codec }: ClientSession,
  forwarded: Forwarded,
  requests: InputRequests,
): Promise<InputResponses> {
  const { call } = forwarded
  const { has } = call.caller.codec
  const signal = forwarded.signal ?? call.signal
  const answers = Object.entries(requests).map(async ([key, { method, params = {} }]) => {
    const inputRequest = encodeInputRequest(method, withLinkId(params, has.elicitationIds), has)
    const answer = await forwarded.ask({
      method,
      params: inputRequest as JsonObject, // as it came
      signal,
      onProgress: undefined,
    })
    return [key, encodeInputResponse(method, answer, codec.has)] as const
  })
  return Object.fromEntries(await Promise.all(answers)) as InputResponses // as the client gave them
}

/** In the revision that has them, a link needs an id. */
function withLinkId(params: JsonObject, hasIds: boolean): JsonObject {
  if (!hasIds || params['mode'] !== 'url' || params['elicitationId'] !== undefined) return params
  return { ...params, elicitationId: globalThis.crypto.randomUUID() }
}
