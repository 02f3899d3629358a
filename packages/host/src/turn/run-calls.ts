import { plainName } from '@parley/foundation/text-safety'

import { unlessAborted } from '../connections/connection.ts'
import { failureReason } from '../connections/failure-reason.ts'
import type { CallOutcome as AuditedOutcome, Decision, ProposedCall } from '../consent/consent.ts'
import { estimateMessage } from '../context/estimate.ts'
import { showResult } from '../context/result-content.ts'
import type { ModelCall, ModelMessage } from '../models/model.ts'
import { callServer, notCalled, type CallOutcome } from './call-server.ts'
import { planCall, type PlannedCall } from './plan-calls.ts'
import type { TurnParts } from './turn-parts.ts'

/** What became of the calls of one answer. */
export interface CallsOutcome {
  /** One for each call, in order: providers refuse a conversation without them. */
  readonly messages: readonly ModelMessage[]
  readonly decisions: readonly Decision[]
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
  parts: TurnParts,
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
  parts: TurnParts,
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

/** One decision for each call. Who cannot decide allows nothing. */
async function decideAll(
  proposed: readonly ProposedCall[],
  { consent, clock, signal, emit }: TurnParts,
): Promise<readonly Decision[]> {
  if (proposed.length === 0) return []
  let given: readonly (Decision | undefined)[] = []
  let why = 'no decision was made'
  try {
    given = await clock.paused(() => unlessAborted(consent.decide(proposed, signal), signal))
  } catch (error) {
    why = signal.aborted ? 'the turn was stopped' : `deciding failed: ${String(error)}`
  }
  return proposed.map(({ id }, at) => {
    const decision = given[at] ?? { decision: 'deny', rule: why, message: `not called: ${why}` }
    const { rule } = decision
    if (decision.decision === 'allow') {
      emit({ type: 'decision', id, decision: 'allow', rule, arguments: decision.arguments })
    } else {
      const ruleThatAllows = decision.unanswered?.ruleThatAllows
      emit({ type: 'decision', id, decision: 'deny', rule, ruleThatAllows })
    }
    return decision
  })
}

/** Refusals are answered at once; calls wait for a place. One that was stopped is answered too. */
async function makeOne(
  planned: ServerCall,
  decision: Decision | undefined,
  proposed: ProposedCall | undefined,
  parts: TurnParts,
): Promise<ModelMessage> {
  if (decision?.decision !== 'allow') return finish(planned, decision, proposed, parts)
  let hasBegun = false
  const work = () => {
    hasBegun = true
    return finish(planned, decision, proposed, parts)
  }
  try {
    return await parts.slots.run(work, parts.signal)
  } catch (error) {
    if (!parts.signal.aborted) throw error
    const text = hasBegun
      ? 'cancelled: the turn was stopped. The call may have had effects.'
      : 'not called: the turn was stopped'
    return showOutcome(planned, { ...notCalled(text), wasCalled: hasBegun }, parts)
  }
}

/** The one place where servers are called, and only with a decision that allows. */
async function finish(
  planned: ServerCall,
  decision: Decision | undefined,
  proposed: ProposedCall | undefined,
  parts: TurnParts,
): Promise<ModelMessage> {
  if (decision?.decision !== 'allow' || proposed === undefined) {
    const text =
      decision?.decision === 'deny' ? decision.message : 'not called: no decision was made'
    return showOutcome(planned, notCalled(text), parts)
  }
  const waitMs = parts.rate.take()
  if (waitMs > 0) {
    const text = `not called: ${parts.limits.callsPerMinute} calls were made within a minute; wait ${Math.ceil(waitMs / 1000)} s`
    parts.emit({ type: 'notice', code: 'limit', message: text, ...namesOf(planned.registered) })
    return showOutcome(planned, notCalled(text), parts)
  }
  parts.selection.noteUse(planned.registered.name)
  const startedAt = performance.now()
  const made = { ...proposed, arguments: decision.arguments ?? proposed.arguments }
  const outcome = await callServer(planned, decision, proposed.serverHash, parts).catch(
    async (error: unknown) => {
      await record(made, { outcome: 'cancelled', durationMs: performance.now() - startedAt }, parts)
      throw error
    },
  )
  await record(made, auditedOutcome(outcome, performance.now() - startedAt), parts)
  const changed = decision.arguments === undefined ? '' : ', called with arguments a person changed'
  return showOutcome(planned, outcome, parts, changed)
}

function auditedOutcome(
  { result, wasCalled, isAnswered }: CallOutcome,
  ms: number,
): AuditedOutcome {
  const durationMs = Math.round(ms)
  const bytes = Buffer.byteLength(JSON.stringify(result))
  if (result.isError !== true) return { outcome: 'result', durationMs, bytes }
  const message = textOf(result.content).slice(0, 1_000)
  const isError = wasCalled && isAnswered
  return { outcome: isError ? 'error' : 'failed', message, durationMs, bytes }
}

/** A call that was made cannot be unmade because the audit fails; it is told. */
async function record(
  call: ProposedCall,
  outcome: AuditedOutcome,
  { consent, emit }: TurnParts,
): Promise<void> {
  try {
    await consent.recordOutcome?.(call, outcome)
  } catch (error) {
    const message = `the outcome of ${plainName(call.tool.name)} was not written to the audit: ${failureReason(error)}`
    emit({ type: 'notice', code: 'warning', message, server: call.server, tool: call.tool.name })
  }
}

function showOutcome(
  { call, registered }: ServerCall,
  { result, wasCalled }: CallOutcome,
  parts: TurnParts,
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
    takes: model.takes,
    kept,
    mostCharacters: limits.resultCharacters,
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
  { emit }: TurnParts,
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

function textOf(content: CallOutcome['result']['content']): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('')
}

function namesOf({ connection, tool }: ServerCall['registered']) {
  return { server: connection.server.name, tool: tool.name }
}
