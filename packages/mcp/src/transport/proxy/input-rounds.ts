import type { ClientSession } from '../../client/connection/session.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { sleep } from '../../rpc/signals.ts'
import { describeProblem } from '../../schema/check.ts'
import { inputRequests, type InputRequests } from '../../schema/input/input.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Outcome } from '../../server/calls/dispatch.ts'
import { resolveAll } from './answer-all.ts'
import { finishAtOnce, sendTo, type Finish, type Forwarded } from './forward.ts'
import type { ProxySettings } from './proxy-options.ts'
import { failureFor, paramsFor } from './translate.ts'

/**
 * For a client with a session in front of a server without: what the server asks in a result becomes a request to the
 * client inside the call, and its answer goes back as the same request again.
 */
export function finishRounds(settings: ProxySettings, finish: Finish = finishAtOnce): Finish {
  return (result, session, forwarded) =>
    session.kind === 'modern' &&
    forwarded.call.caller.codec.has.serverRequests &&
    result['resultType'] === 'input_required'
      ? followRounds(settings, session, forwarded, result, finish)
      : finish(result, session, forwarded)
}

async function followRounds(
  settings: ProxySettings,
  session: ClientSession,
  forwarded: Forwarded,
  first: JsonObject,
  finish: Finish,
): Promise<Outcome> {
  const { call, client } = forwarded
  const signal = forwarded.signal ?? call.signal
  const { clock, limits } = settings
  let result = first
  try {
    for (let round = 1; result['resultType'] === 'input_required'; round += 1) {
      if (round > limits.rounds) throw tooManyRounds(call.method, limits.rounds)
      const { requestState } = result
      const requests = readRequests(result)
      const inputResponses = await resolveAll(session, forwarded, requests)
      if (Object.keys(requests).length === 0) {
        await sleep(Math.min(250 * 2 ** round, 5_000), { clock, signal })
      }
      const params = {
        ...paramsFor(session, call, client),
        inputResponses,
        ...(requestState !== undefined && { requestState }),
      }
      result = await sendTo(settings, session, forwarded, params)
    }
  } catch (error) {
    return failureFor(session, call, error)
  }
  return finish(result, session, forwarded)
}

function readRequests({ inputRequests: requests = {} }: JsonObject): InputRequests {
  const problem = inputRequests(requests)
  if (problem === undefined) return requests as unknown as InputRequests // just checked
  const why = `the server asks for input in a way that cannot be read: ${describeProblem(problem)}`
  throw new RpcError('internal_error', why)
}

function tooManyRounds(operation: string, most: number): RpcError {
  const why = `${operation}: the server asked more often than limits.rounds (${most}) allows`
  return new RpcError('limit_exceeded', why, { data: { limit: 'rounds', allowed: most } })
}
