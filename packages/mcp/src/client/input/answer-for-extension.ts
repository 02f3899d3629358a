import type { InputRequests, InputResponses } from '../../schema/input/input.ts'
import type { ClientSession } from '../connection/session.ts'
import type { RequestedFor } from '../extension.ts'
import { resolveAll, type SendInputRequest } from './input-rounds.ts'

/** Answers input requests that an extension found in a result. */
export function respondForExtension(
  session: ClientSession,
  requests: InputRequests,
  about: RequestedFor,
  signal: AbortSignal,
): Promise<InputResponses> {
  if (session.kind === 'legacy')
    throw new TypeError('in the legacy era the server sends requests for input itself')
  const server = session.server.info
  const send: SendInputRequest = (method, params, ending) =>
    session.ask(method, params, { ...about, signal: ending, ...(server && { server }) })
  return resolveAll(requests, send, signal)
}
