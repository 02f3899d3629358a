import type { Clock } from '../../rpc/clock.ts'
import { McpError } from '../../rpc/errors/mcp-error.ts'
import { anySignal, sleep } from '../../rpc/signals.ts'
import { describeProblem } from '../../schema/check.ts'
import {
  inputRequiredResult,
  type InputResponseParams,
  type InputRequest,
  type InputRequests,
  type InputRequiredResult,
  type InputResponses,
} from '../../schema/input/input.ts'
import type { JsonObject } from '../../schema/json.ts'

/** Answers one input request. */
export type SendInputRequest = (
  method: InputRequest['method'],
  params: JsonObject,
  signal: AbortSignal,
) => Promise<JsonObject>

export interface RoundsOptions {
  readonly method: string
  readonly most: number
  readonly ask: SendInputRequest
  readonly clock: Clock
  /** Ends the call. */
  readonly signal: AbortSignal
  readonly peer: string | undefined
}

/** The input requests of one call, round by round. */
export interface Rounds {
  /** Returns the params to add when the request is sent again. The time of people does not count for the call. */
  answer(
    result: JsonObject,
  ): Promise<{ readonly added: InputResponseParams; readonly inputMs: number }>
}

/** A server may ask as often as it likes, up to a limit: a conversation, not a loop. */
export function createRounds(options: RoundsOptions): Rounds {
  const { method, most, clock, signal, peer } = options
  let count = 0
  let idle = 0

  return {
    async answer(result) {
      const { inputRequests = {}, requestState } = checked(result, method, peer)
      count += 1
      if (count > most) throw tooMany(method, most, peer)
      const added = requestState === undefined ? {} : { requestState }
      if (Object.keys(inputRequests).length === 0) {
        await sleep(Math.min(2 ** idle * firstPauseMs, maxPauseMs), { clock, signal })
        idle += 1
        return { added, inputMs: 0 }
      }
      idle = 0
      const start = clock.now()
      const inputResponses = await resolveAll(inputRequests, options.ask, signal)
      return { added: { inputResponses, ...added }, inputMs: clock.now() - start }
    },
  }
}

/** All at once, or none if they are too many; the first that cannot be answered makes the others void. */
export async function resolveAll(
  requests: InputRequests,
  send: SendInputRequest,
  signal: AbortSignal,
): Promise<InputResponses> {
  const seen = Object.keys(requests).length
  if (seen > inputRate.burst) throw tooManyInputRequests(seen)
  const failed = new AbortController()
  const either = anySignal(signal, failed.signal)
  const answering = Object.entries(requests).map(async ([key, { method, params = {} }]) => {
    const answer = await send(method, params, either)
    return [key, answer] as const
  })
  try {
    return Object.fromEntries(await Promise.all(answering))
  } catch (error) {
    failed.abort(error)
    throw error
  }
}

function checked(
  result: JsonObject,
  method: string,
  peer: string | undefined,
): InputRequiredResult {
  const problem = inputRequiredResult(result)
  if (problem === undefined) return result as unknown as InputRequiredResult // just checked
  const why = describeProblem(problem)
  throw new McpError('invalid_message', `${method} requests input with an invalid result: ${why}`, {
    details: { excerpt: why },
    peer,
  })
}

function tooMany(method: string, most: number, peer: string | undefined): McpError {
  const why = `${method} still requests input after ${most} rounds`
  return new McpError('limit_exceeded', why, {
    details: { limit: 'rounds', allowed: most, seen: most + 1 },
    peer,
    hint: 'Raise limits.rounds if the server is meant to ask that often.',
  })
}

/** A server that asks nothing and only wants to be called again is not called at once. */
const firstPauseMs = 100
const maxPauseMs = 5_000

/** Input requests beyond this rate are refused. */
export const inputRate = { burst: 50, perSecond: 10 }

/** The error of a call whose server sends too many input requests. */
export function tooManyInputRequests(seen?: number, peer?: string): McpError<'limit_exceeded'> {
  const { burst: allowed, perSecond } = inputRate
  const why = `the server asks more than ${allowed} questions at once, or ${perSecond} a second`
  return new McpError('limit_exceeded', why, {
    details: { limit: 'questions', allowed, ...(seen !== undefined && { seen }) },
    peer,
  })
}
