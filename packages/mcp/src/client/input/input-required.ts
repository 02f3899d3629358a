import { anySignal } from '../../rpc/signals.ts'
import { jsonObject } from '../../schema/check.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Call, Calls, CallsContext } from '../calls/calls.ts'
import { describeCall } from '../calls/running-call.ts'
import { sendRequest } from '../calls/send-request.ts'
import { peerOf } from '../connection/attempt.ts'
import { keepProcessAlive } from '../connection/hold-process.ts'
import type { ClientSession } from '../connection/session.ts'
import { hooksFor, type ExtensionCall } from '../extension.ts'
import { resolveAll, createRounds, type SendInputRequest, type Rounds } from './input-rounds.ts'

/** A raw result, and the session that gave it. */
export interface RawResponse {
  readonly session: ClientSession
  readonly result: JsonObject
}

export interface InputRoundsContext extends CallsContext {
  readonly kindOf: (result: JsonObject, method: string, session: ClientSession) => string
  readonly send: Calls['send']
}

/** Until the server has given the result the caller waits for. `first` is not it. */
export async function followResult(
  call: Call,
  first: RawResponse,
  parts: InputRoundsContext,
): Promise<RawResponse> {
  const { method, params, options } = call
  const { stored, identity, clock, closed } = parts
  const signal = anySignal(closed, options.signal)
  let exchanged = first
  let rounds: Rounds | undefined
  let inputMs = 0
  for (;;) {
    const { session, result } = exchanged
    const kind = parts.kindOf(result, method, session)
    if (kind === 'complete') return exchanged
    const ask = prompter(session, call)
    if (kind !== 'input_required') {
      const sent = (params ?? {}) as JsonObject // messages are JSON
      const { codec } = session
      const about = { method, params: sent, options, codec, host: parts.host(), clock, signal }
      const tools = toolsFor(call, ask, signal, parts)
      return { session, result: await resolve(kind, result, { ...about, ...tools }, parts) }
    }
    const peer = peerOf(session)
    rounds ??= createRounds({ method, most: parts.maxRounds, ask, clock, signal, peer })
    const replies = await keepProcessAlive(rounds.answer(result))
    inputMs += replies.inputMs
    const usedMs = clock.now() - call.startedAt - inputMs
    const totalMs = call.totalMs - usedMs
    exchanged = await sendRequest(
      { stored, identity, take: asItCame, fail: (_, error) => error },
      { ...call, params: { ...params, ...replies.added }, totalMs },
    )
  }
}

function asItCame(_: Call, result: JsonObject, session: ClientSession): RawResponse {
  return { result, session }
}

function prompter(session: ClientSession, call: Call): SendInputRequest {
  const { info } = session.server
  if (session.kind === 'legacy') return () => Promise.reject(new TypeError('asked by request'))
  const running = describeCall(call.method, call.params)
  return (method, params, signal) =>
    session.ask(method, params, { ...running, signal, ...(info && { server: info }) })
}

async function resolve(
  kind: string,
  result: JsonObject,
  call: ExtensionCall,
  { extensions }: InputRoundsContext,
): Promise<JsonObject> {
  const extension = hooksFor(extensions, kind, call.method)
  return (await extension?.onResult?.(kind, result, call)) ?? result
}

function toolsFor(
  { options }: Call,
  request: SendInputRequest,
  signal: AbortSignal,
  { send }: InputRoundsContext,
): Pick<ExtensionCall, 'request' | 'ask'> {
  return {
    request: (method, params, own = { signal: options.signal }) =>
      send<JsonObject>(method, params, own, jsonObject, true),
    ask: (requests) => resolveAll(requests, request, signal),
  }
}
