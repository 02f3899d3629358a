import { plainName } from '@parley/foundation/text-safety'
import type { CallToolResult, JsonObject } from '@parley/mcp'

import { decideCalls } from '../calls/decide-calls.ts'
import { makeCall, type CallEnd, type CallTarget } from '../calls/make-call.ts'
import type { ConsentDecision, ProposedCall } from '../consent/consent.ts'
import { estimateMessage } from '../context/estimate.ts'
import { hasResources, readAsResult } from '../context/read-resource.ts'
import { showResult } from '../context/result-content.ts'
import type { ModelCall, ModelMessage } from '../models/model.ts'
import { planCall, type PlannedCall } from './plan-calls.ts'
import type { TurnContext } from './turn-parts.ts'

/** What became of the calls of one answer. */
export interface CallsOutcome {
  /** One for each call, in order: providers refuse a conversation without them. */
  readonly messages: readonly ModelMessage[]
  readonly decisions: readonly ConsentDecision[]
  /** The last one that was made failed. */
  readonly hasFailed: boolean
  readonly reachedLimit?: string | undefined
  /** Whose tools they are. */
  readonly servers: readonly string[]
}

type ServerCall = Extract<PlannedCall, { kind: 'server' }>

/** Decides about all calls of an answer together, makes those that are allowed side by side, and answers the others. */
export async function runCalls(
  calls: readonly ModelCall[],
  room: number,
  parts: TurnContext,
): Promise<CallsOutcome> {
  const { limits, emit } = parts
  const allowedCount = Math.max(0, Math.min(calls.length, room))
  const planned = await Promise.all(
    calls.slice(0, allowedCount).map((call) => planCall(call, parts)),
  )
  const wanted = planned.filter((one) => one.kind === 'server')
  for (const { call, registered, arguments: args } of wanted) {
    emit({ type: 'call', id: call.id, ...namesOf(registered), arguments: args })
  }
  const proposed = wanted.map((one) => proposal(one, parts))
  const decisions = await decideAll(proposed, parts)

  const messages = await Promise.all([
    ...planned.map((one) => {
      if (one.kind === 'own') return answerOwn(one, parts)
      const at = wanted.indexOf(one)
      return makeOne(one, decisions[at], proposed[at], parts)
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
    decisions,
    servers: [...new Set(proposed.map(({ server }) => server))],
    hasFailed: messages.some((message) => message.role === 'tool' && message.isError),
    ...(isOver && { reachedLimit: `the limit of ${limits.callsPerTurn} calls in a turn` }),
  }
}

function proposal(
  { call, registered, arguments: args }: ServerCall,
  parts: TurnContext,
): ProposedCall {
  const { connection, tool } = registered
  return {
    id: call.id,
    server: connection.server.name,
    serverHash: connection.hash,
    serverDefinition: connection.definition,
    tool,
    arguments: args,
    flow: parts.recorder.flow,
    by: 'model',
  }
}

/** One decision for each call; the time of the turn does not run meanwhile. */
async function decideAll(
  proposed: readonly ProposedCall[],
  { consent, clock, signal, emit }: TurnContext,
): Promise<readonly ConsentDecision[]> {
  if (proposed.length === 0) return []
  const decisions = await clock.paused(() => decideCalls(consent, proposed, signal))
  for (const [at, decision] of decisions.entries()) {
    const { id = '' } = proposed[at] ?? {}
    const { rule } = decision
    if (decision.decision === 'allow') {
      emit({ type: 'decision', id, decision: 'allow', rule, arguments: decision.arguments })
    } else {
      const ruleThatAllows = decision.unanswered?.ruleThatAllows
      emit({ type: 'decision', id, decision: 'deny', rule, ruleThatAllows })
    }
  }
  return decisions
}

/** Makes a call if it is allowed; one that is not made, fails or is stopped is answered too. */
async function makeOne(
  planned: ServerCall,
  decision: ConsentDecision | undefined,
  proposed: ProposedCall | undefined,
  parts: TurnContext,
): Promise<ModelMessage> {
  if (decision?.decision !== 'allow' || proposed === undefined) {
    const text =
      decision?.decision === 'deny' ? decision.message : 'not called: no decision was made'
    return showOutcome(planned, notCalled(text), parts)
  }
  const { registered, call } = planned
  const names = namesOf(registered)
  const end = await makeCall(
    proposed,
    decision,
    targetOf(planned, decision.arguments ?? proposed.arguments, parts),
    {
      ...parts,
      onSend: () => parts.selection.noteUse(registered.name),
      onProgress: ({ progress, total, message }) =>
        parts.emit({ type: 'progress', id: call.id, ...names, progress, total, message }),
      onProblem: (message) => parts.emit({ type: 'notice', code: 'warning', message, ...names }),
    },
  )
  if (end.kind === 'not-called' && end.why === 'limit') {
    parts.emit({ type: 'notice', code: 'limit', message: end.message, ...names })
  }
  const note = decision.arguments === undefined ? '' : ', called with arguments a person changed'
  return showOutcome(planned, outcomeOf(end), parts, note)
}

/** A tool of the host's own list, or a resource that is read. */
function targetOf(
  { registered, isRead }: ServerCall,
  { uri }: JsonObject,
  parts: TurnContext,
): CallTarget {
  const { connection, name, tool } = registered
  const target = {
    use: (signal: AbortSignal) => connection.use(signal),
    serverHash: () => connection.hash,
    idleMs: connection.server.connect?.timeouts?.idleMs,
  }
  if (isRead !== true) return { ...target, currentTool: () => parts.registry.find(name)?.tool }
  return {
    ...target,
    currentTool: () => (hasResources(connection) ? tool : undefined),
    async send(client, options) {
      if (typeof uri !== 'string') throw new Error('uri must be a string')
      return readAsResult(client, uri, options)
    },
  }
}

/** The end of a call as the model is told. */
interface ShownOutcome {
  readonly result: CallToolResult
  /** False if nothing was sent to the server. */
  readonly wasCalled: boolean
}

function outcomeOf(end: CallEnd): ShownOutcome {
  switch (end.kind) {
    case 'result':
      return { result: end.result, wasCalled: true }
    case 'failed':
      return { ...notCalled(end.message), wasCalled: true }
    case 'not-called':
      return notCalled(end.why === 'changed' ? `${end.message}. Look at it again.` : end.message)
    case 'cancelled':
      return end.wasSent
        ? {
            ...notCalled('cancelled: the turn was stopped. The call may have had effects.'),
            wasCalled: true,
          }
        : notCalled('not called: the turn was stopped')
  }
}

function notCalled(text: string): ShownOutcome {
  return { result: { content: [{ type: 'text', text }], isError: true }, wasCalled: false }
}

function showOutcome(
  { call, registered }: ServerCall,
  { result, wasCalled }: ShownOutcome,
  parts: TurnContext,
  note = '',
): ModelMessage {
  const { connection } = registered
  const names = namesOf(registered)
  const isError = result.isError === true
  const { emit, recorder, limits, kept, model } = parts
  const { content, structuredContent } = result
  const outcome = { type: 'result', id: call.id, ...names, isError, content, wasCalled } as const
  const structured = structuredContent === undefined ? {} : { structuredContent }
  if (!wasCalled) {
    emit({ ...outcome, ...structured })
    return toolMessage(call, textOf(result.content), true)
  }
  const label = `${isError ? 'error' : 'result'} of ${plainName(names.tool)} of the server ${plainName(names.server)}${note}`
  const shown = showResult(result, {
    label,
    accepts: model.accepts,
    kept,
    maxCharacters: limits.resultCharacters,
  })
  emit({ ...outcome, ...structured, ...(shown.handle !== undefined && { handle: shown.handle }) })
  if (shown.hiddenCharacters > 0) {
    const message = `${shown.hiddenCharacters} hidden characters were removed from the result`
    emit({ type: 'notice', code: 'hidden-characters', message, ...names })
  }
  recorder.addFlow({
    ...(connection.server.isTrusted !== true && { untrusted: true }),
    ...(connection.server.isPrivate === true && { private: true }),
  })
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

function namesOf({ connection, tool }: ServerCall['registered']) {
  return { server: connection.server.name, tool: tool.name }
}
