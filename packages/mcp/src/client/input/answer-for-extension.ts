import type { InputRequests, InputResponses } from '../../schema/input/input.ts'
import type { ClientSession } from '../connection/session.ts'
import type { AskedFor } from '../extension-host.ts'
import { answerAll, type AskOne } from './input-rounds.ts'

/** Answers input requests that an extension found in a result. */
export function answerForExtension(
  session: ClientSession,
  requests: InputRequests,
  about: AskedFor,
  signal: AbortSignal,
): Promise<InputResponses> {
  if (session.kind === 'legacy')
    throw new TypeError('in the legacy era the server sends requests for input itself')
  const server = session.server.info
  const send: AskOne = (method, params, ending) =>
    session.ask(method, params, { ...about, signal: ending, ...(server && { server }) })
  return answerAll(requests, send, signal)
}
