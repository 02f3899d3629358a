/**
 * The calls of one answer of the model, from its words to the messages that answer it: plans each call (`plan-calls.ts`),
 * has those of servers decided and made (`make-calls.ts`), and shows every end to the model and in the events of the turn.
 * Calls above the limit of the turn are answered without being made: providers refuse a conversation without an answer to
 * each call.
 */

import { plainName } from '@parley/foundation/text-safety'
import type { CallToolResult } from '@parley/mcp'

import { runProgram } from '../code/run-program.ts'
import type { ConsentDecision } from '../consent/consent.ts'
import { estimateMessage } from '../context/estimate.ts'
import { showResult } from '../context/result-content.ts'
import type { ModelCall, ModelMessage } from '../models/model.ts'
import { decideServerCalls, makeServerCall, namesOf, type DecidedCall } from './make-calls.ts'
import { planCall, type PlannedCall } from './plan-calls.ts'
import type { TurnContext } from './turn-parts.ts'

/** The outcome of the calls of one answer. */
export interface CallsOutcome {
  /** One for each call, in order. */
  readonly messages: readonly ModelMessage[]
  readonly decisions: readonly ConsentDecision[]
  /** The last one that was made failed. */
  readonly hasFailed: boolean
  readonly reachedLimit?: string | undefined
  /** The servers of the tools. */
  readonly servers: readonly string[]
}

/** Decides about all calls of an answer together, makes those that are allowed side by side, and answers the others. */
export async function runCalls(
  calls: readonly ModelCall[],
  capacity: number,
  parts: TurnContext,
): Promise<CallsOutcome> {
  const { limits, emit } = parts
  const allowedCount = Math.max(0, Math.min(calls.length, capacity))
  const planned = await Promise.all(
    calls.slice(0, allowedCount).map((call) => planCall(call, parts)),
  )
  const wanted = planned.filter((one) => one.kind === 'server')
  const decided = await decideServerCalls(wanted, parts)
  const inner: ConsentDecision[] = []

  const messages = await Promise.all([
    ...planned.flatMap((one) => {
      if (one.kind === 'own') return [answerOwn(one, parts)]
      if (one.kind === 'program')
        return [runProgram(one, parts, (decision) => inner.push(decision))]
      const entry = decided.find(({ call }) => call === one) // there is one for each
      return entry === undefined ? [] : [makeOne(entry, parts)]
    }),
    ...calls.slice(allowedCount).map(async (call) => {
      const text = `not called: the limit of ${limits.callsPerTurn} calls in a turn is reached`
      emit({
        type: 'result',
        id: call.id,
        tool: call.name,
        isError: true,
        content: [{ type: 'text', text }],
        wasCalled: false,
      })
      return toolMessage(call, text, true)
    }),
  ])
  const isOver = allowedCount < calls.length
  return {
    messages,
    decisions: [...decided.map(({ decision }) => decision), ...inner],
    servers: [...new Set(decided.map(({ proposed }) => proposed.server))],
    hasFailed: messages.some((message) => message.role === 'tool' && message.isError),
    ...(isOver && { reachedLimit: `the limit of ${limits.callsPerTurn} calls in a turn` }),
  }
}

type ServerCall = Extract<PlannedCall, { kind: 'server' }>

/** Makes a call if it is allowed, and shows how it ended. */
async function makeOne(
  decided: DecidedCall<ServerCall>,
  parts: TurnContext,
): Promise<ModelMessage> {
  const { decision, call: planned } = decided
  const { result, wasCalled } = await makeServerCall(decided, parts)
  const { call, registered } = planned
  const names = namesOf(registered)
  const isError = result.isError === true
  const { emit, limits, stored, model } = parts
  const { content, structuredContent } = result
  const outcome = { type: 'result', id: call.id, ...names, isError, content, wasCalled } as const
  const structured = structuredContent === undefined ? {} : { structuredContent }
  if (!wasCalled) {
    emit({ ...outcome, ...structured })
    return toolMessage(call, textOf(result.content), true)
  }
  const isEdited = decision.decision === 'allow' && decision.arguments !== undefined
  const note = isEdited ? ', called with arguments a person changed' : ''
  const label = `${isError ? 'error' : 'result'} of ${plainName(names.tool)} of the server ${plainName(names.server)}${note}`
  const shown = showResult(result, {
    label,
    accepts: model.accepts,
    stored,
    maxCharacters: limits.resultCharacters,
  })
  emit({ ...outcome, ...structured, ...(shown.handle !== undefined && { handle: shown.handle }) })
  if (shown.hiddenCharacters > 0) {
    const message = `${shown.hiddenCharacters} hidden characters were removed from the result`
    emit({ type: 'notice', code: 'hidden-characters', message, ...names })
  }
  const message = {
    role: 'tool',
    callId: call.id,
    name: call.name,
    content: shown.content,
    isError,
  } as const
  parts.countResult(names.server, estimateMessage(message))
  return message
}

async function answerOwn(
  { call, text, isError, server, tool, notice }: Extract<PlannedCall, { kind: 'own' }>,
  { emit }: TurnContext,
): Promise<ModelMessage> {
  if (notice !== undefined) emit({ type: 'notice', code: notice, message: text, server, tool })
  emit({
    type: 'result',
    id: call.id,
    server,
    tool,
    isError,
    content: [{ type: 'text', text }],
    wasCalled: false,
  })
  return toolMessage(call, text, isError)
}

function toolMessage({ id, name }: ModelCall, text: string, isError: boolean): ModelMessage {
  return { role: 'tool', callId: id, name, content: [{ type: 'text', text }], isError }
}

function textOf(content: CallToolResult['content']): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('')
}
