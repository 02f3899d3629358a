import { createHash } from 'node:crypto'

import { maskSecrets } from '@parley/foundation/secrets'
import type { JsonObject } from '@parley/mcp'

import type { CallOutcome, ConsentDecision, ProposedCall, ServerExchange } from './consent.ts'
import type { IdentifiedCall } from './memory/consent-memory.ts'

/** A decision with how it came to be. */
export interface AuditedDecision {
  readonly decision: ConsentDecision
  /** Why the user was to be asked, if so. */
  readonly asked?: string | undefined
  /** A person decided. */
  readonly by?: 'person' | undefined
  /** Arguments that were changed and then refused. */
  readonly edited?: JsonObject | undefined
}

const maxArgumentsSize = 16 * 1024

/** A decision as the audit has it. */
export function decisionRecord(
  { call, hash }: IdentifiedCall,
  { decision, asked, by, edited }: AuditedDecision,
  mask: (value: JsonObject) => JsonObject = (value) => maskSecrets(value),
): JsonObject {
  const changed = decision.decision === 'allow' ? decision.arguments : edited
  const isUnanswered = decision.decision === 'deny' && decision.unanswered !== undefined
  return {
    type: 'decision',
    ...callRecord(call),
    serverHash: call.serverHash,
    definition: hash,
    arguments: bounded(mask(call.arguments)),
    proposedBy: call.by,
    flow: { untrusted: call.flow.untrusted, private: call.flow.private },
    decision: decision.decision,
    rule: decision.rule,
    ...(asked !== undefined && { asked }),
    ...(by !== undefined && { decidedBy: by }),
    ...(changed !== undefined && { changedArguments: bounded(mask(changed)) }),
    ...(isUnanswered && { unanswered: true }),
  }
}

/** Returns the audit record of the outcome of a call. */
export function outcomeRecord(call: ProposedCall, outcome: CallOutcome): JsonObject {
  const { message, durationMs, bytes } = outcome
  return {
    type: 'outcome',
    ...callRecord(call),
    outcome: outcome.outcome,
    ...(message !== undefined && { message: message.slice(0, 1_000) }),
    ...(durationMs !== undefined && { durationMs }),
    ...(bytes !== undefined && { bytes }),
  }
}

/** Returns the audit record of something that a server got apart from calls. */
export function exchangeRecord({ kind, server, decision, message }: ServerExchange): JsonObject {
  return { type: kind, server, decision, message: maskSecrets(message).slice(0, 1_000) }
}

/** Which call a record is about. */
export function callRecord({ id, server, tool }: ProposedCall): JsonObject {
  return { call: id, server, tool: tool.name }
}

/** Large arguments are known by their hash. */
function bounded(value: JsonObject): JsonObject {
  const text = JSON.stringify(value)
  if (text.length <= maxArgumentsSize) return value
  const sha256 = createHash('sha256').update(text).digest('hex')
  return { truncated: true, length: text.length, sha256, head: text.slice(0, 1_000) }
}
