/**
 * One turn: asks the model and makes its calls, again and again, until it has answered, a limit is reached, or somebody stops it.
 * Everything that happens is an event; the messages go into the transcript.
 *
 * A request to the model is `request-model.ts`, the calls of one answer are `run-calls.ts`. `transcript/conversation.ts` starts
 * turns and reads their events.
 */

import { waitAtMost } from '@parley/mcp/signals'

import { startAll } from '../connections/connections.ts'
import { failureReason } from '../connections/failure-reason.ts'
import type { ConsentDecision } from '../consent/consent.ts'
import { offeredTools } from '../context/offered-tools.ts'
import { systemText } from '../context/system-text.ts'
import { requestModel, type ModelReply } from './request-model.ts'
import { runCalls, type CallsOutcome } from './run-calls.ts'
import type { TurnEnd } from './turn-event.ts'
import type { TurnContext } from './turn-parts.ts'

/** Asks the model and makes its calls in turns, until it has answered or something ends it. */
export async function runTurn(parts: TurnContext): Promise<TurnEnd> {
  const { connections, limits, signal, startWaitMs: waitMs, recorder } = parts
  await startAll(connections, { waitMs, signal })
  nameLate(parts)
  const unanswered: Unanswered[] = []
  let tokens = 0
  let calls = 0
  let last: CallsOutcome | undefined

  for (let requests = 1; ; requests += 1) {
    if (signal.aborted) return stopped(parts, '', unanswered)
    const answer = await askOnce(parts)
    tokens += answer.tokens
    const ended = endWithout(answer, last, parts, unanswered)
    if (ended !== undefined) return ended
    const { text } = answer
    const limit =
      requests >= limits.requestsPerTurn
        ? `the limit of ${limits.requestsPerTurn} requests to the model in a turn`
        : tokens > limits.tokensPerTurn
          ? `the limit of ${limits.tokensPerTurn} tokens in a turn`
          : undefined
    if (limit !== undefined) {
      rejectAll(answer, `${limit} was reached`, parts)
      return limited(limit, text, parts, unanswered)
    }

    last = await runCalls(answer.calls, limits.callsPerTurn - calls, parts)
    calls += answer.calls.length
    for (const message of last.messages) recorder.addMessage(message)
    for (const decision of last.decisions) {
      if (decision.decision === 'deny' && decision.unanswered) {
        unanswered.push(decision.unanswered)
      }
    }
    if (last.reachedLimit !== undefined) return limited(last.reachedLimit, text, parts, unanswered)
    await refreshed(parts)
  }
}

type Unanswered = NonNullable<Extract<ConsentDecision, { decision: 'deny' }>['unanswered']>

/** Reports the servers that the turn no longer waits for. */
function nameLate({ connections, startWaitMs, emit, signal }: TurnContext): void {
  if (signal.aborted) return
  for (const { server, status, hasFailed } of connections) {
    if (status.state !== 'connecting' || hasFailed) continue // its failure was reported
    const message = `it has not answered within ${startWaitMs / 1000} s; the turn goes on without it, and it joins when it comes`
    emit({ type: 'notice', code: 'server-late', message, server: server.name })
  }
}

async function askOnce(parts: TurnContext): Promise<ModelReply> {
  const { connections, recorder, instructions, fence, trimming, model } = parts
  await parts.selection.ready?.()
  const system = { role: 'system', text: systemText(instructions, connections, fence) } as const
  const tools = offeredTools(parts)
  const { messages, notice } = trimming.fit(system, recorder.turns(), tools, model.contextTokens)
  if (notice !== undefined) parts.emit({ type: 'notice', code: 'context-trimmed', message: notice })
  const answer = await requestModel(messages, tools, parts)
  const { text, calls, provider } = answer
  if (text !== '' || calls.length > 0) {
    recorder.addMessage({ role: 'assistant', text, calls, ...(provider && { provider }) })
  }
  return answer
}

/** How the turn ends by this answer; undefined if there are calls to make. */
function endWithout(
  answer: ModelReply,
  last: CallsOutcome | undefined,
  parts: TurnContext,
  unanswered: readonly Unanswered[],
): TurnEnd | undefined {
  const { text, error, calls, finish } = answer
  if (parts.signal.aborted) {
    rejectAll(answer, 'the turn was stopped', parts)
    return stopped(parts, text, unanswered)
  }
  if (error !== undefined) {
    const message = failureReason(error)
    return { type: 'end', reason: 'model-error', text, message }
  }
  if (calls.length > 0) return undefined
  if (finish === 'length' || finish === 'filter') {
    const message =
      finish === 'length'
        ? 'the answer was cut: it reached the longest length of the model'
        : "the answer was withheld by the model's provider"
    parts.emit({ type: 'notice', code: 'model-stopped', message })
  }
  if (unanswered.length > 0) return nobodyThere(text, unanswered)
  if (text === '' && last?.hasFailed === true) {
    const unreachable = last.servers.filter((name) => isClosed(name, parts))
    const why = unreachable.length === 0 ? '' : `: ${unreachable.join(', ')} cannot be reached`
    const message = `the model said nothing after a call that failed${why}`
    const unreachableServers = unreachable.length > 0 && { unreachable }
    return { type: 'end', reason: 'tool-error', text, message, ...unreachableServers }
  }
  return { type: 'end', reason: 'answered', text }
}

function isClosed(name: string, { connections }: TurnContext): boolean {
  const state = connections.find(({ server }) => server.name === name)?.status.state
  return state === 'failed' || state === 'sign-in' || state === 'off'
}

/** Records an answer for calls that are no longer made: providers need one for each. */
function rejectAll({ calls }: ModelReply, why: string, { recorder, emit }: TurnContext): void {
  for (const { id, name } of calls) {
    const text = `not called: ${why}`
    emit({
      type: 'result',
      id,
      tool: name,
      isError: true,
      content: [{ type: 'text', text }],
      wasCalled: false,
    })
    recorder.addMessage({
      role: 'tool',
      callId: id,
      name,
      content: [{ type: 'text', text }],
      isError: true,
    })
  }
}

function limited(
  limit: string,
  text: string,
  { emit }: TurnContext,
  unanswered: readonly Unanswered[],
): TurnEnd {
  const message = `${limit} was reached`
  emit({ type: 'notice', code: 'limit', message })
  if (unanswered.length > 0) return nobodyThere(text, unanswered)
  return { type: 'end', reason: 'limit', text, message }
}

function nobodyThere(text: string, unanswered: readonly Unanswered[]): TurnEnd {
  const what = unanswered.length === 1 ? 'a call' : `${unanswered.length} calls`
  const message = `${what} needed approval, and there was no person to ask`
  const rulesThatAllow = unanswered.map(({ ruleThatAllows }) => ruleThatAllows)
  const asking = new Set(unanswered.flatMap(({ standsAgainst = [] }) => standsAgainst))
  return {
    type: 'end',
    reason: 'unanswered',
    text,
    message,
    rulesThatAllow,
    ...(asking.size > 0 && { rulesThatAsk: [...asking] }),
  }
}

function stopped(parts: TurnContext, text: string, unanswered: readonly Unanswered[]): TurnEnd {
  const { reason } = parts.signal as { readonly reason: unknown }
  if (reason instanceof TimeUp) return limited(reason.message, text, parts, unanswered)
  return { type: 'end', reason: 'cancelled', text, message: 'the turn was stopped' }
}

/** Why a turn is aborted whose time is over. */
export class TimeUp extends Error {
  constructor(ms: number) {
    super(`the limit of ${Math.round(ms / 1000)} s for a turn`)
  }
}

/** Lists that a call has changed count for the next request; one that does not come is not waited for long. */
async function refreshed({ connections, signal, startWaitMs }: TurnContext): Promise<void> {
  const ready = connections.filter(({ client }) => client !== undefined)
  const upToDate = Promise.all(ready.map((connection) => connection.upToDate()))
  await waitAtMost(startWaitMs, upToDate, { signal })
}
