/**
 * Calls of server tools inside a turn: consent decides about those that are proposed together, and each call that was
 * allowed is made. `run-calls.ts` uses it for the calls of a model's answer, a program's runner for the calls of the program.
 *
 * Both bring the tool and the arguments (`ServerCall`) and read a `MadeCall`; how the model or the program sees the result is
 * theirs to decide. The sending itself, its limits and its audit are `calls/make-call.ts`.
 *
 * Guarantees: no call without a decision that allows it; a call that is denied, fails or is stopped has a result too, and
 * nothing here rejects; the clock of the turn stands still while a person decides; what a result brings into the
 * conversation counts for every decision after it.
 */

import type { CallToolResult, JsonObject } from '@parley/mcp'

import { makeCall, type CallEnd, type CallTarget } from '../calls/make-call.ts'
import type { CallOfProgram, ConsentDecision, ProposedCall } from '../consent/consent.ts'
import { decideCalls } from '../consent/decide-calls.ts'
import { hasResources, readAsResult } from '../context/read-resource.ts'
import type { RegisteredTool } from '../tools/tool-registry.ts'
import type { TurnContext } from './turn-parts.ts'

/** The parts of a turn that calls need. */
export type CallsContext = Pick<
  TurnContext,
  | 'clock'
  | 'consent'
  | 'emit'
  | 'limits'
  | 'rate'
  | 'recorder'
  | 'registry'
  | 'selection'
  | 'signal'
  | 'slots'
>

/** A call of a server's tool that is proposed. */
export interface ServerCall {
  /** Names the call in events and in the audit. */
  readonly id: string
  /** The one who proposes it. */
  readonly by: ProposedCall['by']
  /** The program that makes it, if one does. */
  readonly program?: CallOfProgram | undefined
  readonly registered: Pick<RegisteredTool, 'name' | 'connection' | 'tool'>
  readonly arguments: JsonObject
  /** A resource is read instead of a tool called. */
  readonly isRead?: true | undefined
}

/** A call with the decision about it. */
export interface DecidedCall<Call extends ServerCall = ServerCall> {
  readonly call: Call
  readonly proposed: ProposedCall
  readonly decision: ConsentDecision
}

/** How a call ended. */
export interface MadeCall {
  /** The result of the server, or an error with the reason. */
  readonly result: CallToolResult
  /** False if nothing was sent to the server. */
  readonly wasCalled: boolean
}

/** Decides about calls together, so that a person sees all of them. One decision for each, in order. */
export async function decideServerCalls<Call extends ServerCall>(
  calls: readonly Call[],
  { consent, clock, signal, emit, recorder }: CallsContext,
): Promise<readonly DecidedCall<Call>[]> {
  if (calls.length === 0) return []
  const entries = calls.map((call) => ({ call, proposed: proposalOf(call, recorder.flow) }))
  for (const { id, arguments: args, registered } of calls) {
    emit({ type: 'call', id, ...namesOf(registered), arguments: args })
  }
  const proposed = entries.map((entry) => entry.proposed)
  const decisions = await clock.paused(() => decideCalls(consent, proposed, signal))
  return entries.map((entry, at) => {
    const { id } = entry.call
    const decision = decisions[at] ?? noDecision
    const { rule } = decision
    if (decision.decision === 'allow') {
      emit({ type: 'decision', id, decision: 'allow', rule, arguments: decision.arguments })
    } else {
      const ruleThatAllows = decision.unanswered?.ruleThatAllows
      emit({ type: 'decision', id, decision: 'deny', rule, ruleThatAllows })
    }
    return { ...entry, decision }
  })
}

/** Makes a call if it is allowed. Emits its progress and its notices, not its result. */
export async function makeServerCall(
  { call, proposed, decision }: DecidedCall,
  context: CallsContext,
): Promise<MadeCall> {
  if (decision.decision === 'deny') return notCalled(decision.message)
  const { id, registered } = call
  const { emit, recorder, selection } = context
  const names = namesOf(registered)
  const target = targetOf(call, decision.arguments ?? proposed.arguments, context)
  const end = await makeCall(proposed, decision, target, {
    ...context,
    onSend: () => selection.noteUse(registered.name),
    onProgress: ({ progress, total, message }) =>
      emit({ type: 'progress', id, ...names, progress, total, message }),
    onProblem: (message) => emit({ type: 'notice', code: 'warning', message, ...names }),
  })
  if (end.kind === 'not-called' && end.why === 'limit') {
    emit({ type: 'notice', code: 'limit', message: end.message, ...names })
  }
  const made = madeOf(end)
  if (made.wasCalled) {
    const { trusted, private: isPrivate } = registered.connection.server
    recorder.addFlow({
      ...(trusted !== true && { untrusted: true }),
      ...(isPrivate === true && { private: true }),
    })
  }
  return made
}

/** The server and the tool of a call, by the names that events have. */
export function namesOf({ connection, tool }: ServerCall['registered']) {
  return { server: connection.server.name, tool: tool.name }
}

const noDecision: ConsentDecision = {
  decision: 'deny',
  rule: 'no decision was made',
  message: 'not called: no decision was made',
}

function proposalOf(
  { id, by, program, registered, arguments: args }: ServerCall,
  flow: ProposedCall['flow'],
): ProposedCall {
  const { connection, tool } = registered
  return {
    id,
    server: connection.server.name,
    serverHash: connection.hash,
    serverDefinition: connection.definition,
    tool,
    arguments: args,
    flow,
    by,
    ...(program !== undefined && { program }),
  }
}

/** A tool of the host's own list, or a resource that is read. */
function targetOf(
  { registered, isRead }: ServerCall,
  { uri }: JsonObject,
  { registry }: CallsContext,
): CallTarget {
  const { connection, name, tool } = registered
  const target = {
    use: (signal: AbortSignal) => connection.use(signal),
    serverHash: () => connection.hash,
    idleMs: connection.server.connect?.timeouts?.idleMs,
  }
  if (isRead !== true) return { ...target, currentTool: () => registry.find(name)?.tool }
  return {
    ...target,
    currentTool: () => (hasResources(connection) ? tool : undefined),
    async send(client, options) {
      if (typeof uri !== 'string') throw new Error('uri must be a string')
      return readAsResult(client, uri, options)
    },
  }
}

function madeOf(end: CallEnd): MadeCall {
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

function notCalled(text: string): MadeCall {
  return { result: { content: [{ type: 'text', text }], isError: true }, wasCalled: false }
}
