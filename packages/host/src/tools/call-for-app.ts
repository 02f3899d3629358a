import type { CallToolResult, JsonObject, Tool } from '@parley/mcp'
import { isToolFor } from '@parley/mcp/apps'
import { anySignal } from '@parley/mcp/signals'

import type { CallSlots } from '../calls/call-slots.ts'
import { makeCall, type CallTarget } from '../calls/make-call.ts'
import type { ServerConnection } from '../connections/connection.ts'
import type { Consent, ProposedCall } from '../consent/consent.ts'
import { decideCalls } from '../consent/decide-calls.ts'
import { HostError } from '../host-error.ts'
import type { CallRate, ResolvedLimits } from '../turn/limits.ts'
import type { ToolRegistry } from './tool-registry.ts'

/** A call that an app in a frame asks for. */
export interface AppCall {
  /** The server that the app is of; it reaches no other. */
  readonly server: string
  /** The tool, by its own name. */
  readonly tool: string
  /** Its arguments. */
  readonly arguments: JsonObject
  /** @defaultValue one that is made up */
  readonly id?: string | undefined
  /** Cancels the call. */
  readonly signal?: AbortSignal | undefined
}

export interface AppCallContext {
  readonly connection: ServerConnection
  readonly registry: ToolRegistry
  readonly consent: Consent
  readonly limits: ResolvedLimits
  readonly rate: CallRate
  readonly slots: CallSlots
  /** One place for each server: its apps ask one question after the other. */
  readonly questions: CallSlots
  readonly closed: AbortSignal
  readonly onProblem: (message: string) => void
}

/** Calls a tool for an app, once consent allows it. Rejects with the reason if it was not called. */
export async function callForApp(wanted: AppCall, parts: AppCallContext): Promise<CallToolResult> {
  const { connection, consent, questions, closed } = parts
  const signal = anySignal(closed, wanted.signal)
  await connection.use(signal)
  const tool = findTool(wanted, parts)
  if (typeof tool === 'string') throw new HostError('not_called', `not called: ${tool}`)
  const proposed: ProposedCall = {
    id: wanted.id ?? crypto.randomUUID(),
    server: connection.server.name,
    serverHash: connection.hash,
    serverDefinition: connection.definition,
    tool,
    arguments: wanted.arguments,
    // A page is what its server wrote: it may say anything.
    flow: { untrusted: true, private: connection.server.private === true },
    by: 'app',
  }
  const [decision] = await questions.run(() => decideCalls(consent, [proposed], signal), signal)
  signal.throwIfAborted()
  if (decision?.decision !== 'allow') {
    throw new HostError('not_called', decision?.message ?? 'not called: no decision was made')
  }
  const target: CallTarget = {
    use: (current) => connection.use(current),
    serverHash: () => connection.hash,
    currentTool() {
      const now = findTool(wanted, parts)
      return typeof now === 'string' ? undefined : now
    },
    idleMs: connection.server.connect?.timeouts?.idleMs,
  }
  const end = await makeCall(proposed, decision, target, { ...parts, signal })
  switch (end.kind) {
    case 'result':
      return end.result
    case 'failed':
      throw end.error
    case 'not-called':
      throw new HostError('not_called', end.message)
    case 'cancelled':
      throw signal.reason
  }
}

/** Returns the tool, or why an app cannot call it. */
function findTool(
  { server, tool: name }: AppCall,
  { connection, registry }: AppCallContext,
): Tool | string {
  const tool = connection.features.tools.find((candidate) => candidate.name === name)
  if (tool === undefined || !registry.isEnabled(server, name)) {
    return `${server} has no tool ${JSON.stringify(name)}`
  }
  return isToolFor('app', tool) ? tool : `${name} is not for apps`
}
