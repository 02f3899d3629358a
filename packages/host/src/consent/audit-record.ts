import { createHash } from 'node:crypto'

import { isSecretName, mask, maskSecrets } from '@parley/foundation/secrets'
import type { JsonObject } from '@parley/mcp'

import type {
  CallOutcome,
  ConsentDecision,
  ProgramRecord,
  ProposedCall,
  ServerExchange,
} from './consent.ts'
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
  maskValue: (value: JsonObject) => JsonObject = (value) => maskSecrets(value),
): JsonObject {
  const changed = decision.decision === 'allow' ? decision.arguments : edited
  const isUnanswered = decision.decision === 'deny' && decision.unanswered !== undefined
  return {
    type: 'decision',
    ...callRecord(call),
    serverHash: call.serverHash,
    definition: hash,
    arguments: bounded(maskValue(call.arguments)),
    proposedBy: call.by,
    flow: { untrusted: call.flow.untrusted, private: call.flow.private },
    decision: decision.decision,
    rule: decision.rule,
    ...(asked !== undefined && { asked }),
    ...(by !== undefined && { decidedBy: by }),
    ...(changed !== undefined && { changedArguments: bounded(maskValue(changed)) }),
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
export function callRecord({ id, server, tool, program }: ProposedCall): JsonObject {
  const line = program?.line
  return {
    call: id,
    server,
    tool: tool.name,
    ...(program !== undefined && { program: program.id }),
    ...(line !== undefined && { line }),
  }
}

const maxSourceSize = 16 * 1024

/** A program that begins or has ended, as the audit has it. Secrets in its text are masked. */
export function programRecord(
  program: ProgramRecord,
  maskValue: (value: JsonObject) => JsonObject = (value) => maskSecrets(value),
): JsonObject {
  if (program.type === 'program-end') {
    const { type, id, outcome, calls, cpuMs } = program
    return { type, program: id, outcome, calls, cpuMs }
  }
  const { type, id, source } = program
  const sha256 = createHash('sha256').update(source).digest('hex')
  const text = maskLiterals(source.slice(0, maxSourceSize))
  const isCut = source.length > maxSourceSize
  const masked = maskValue({ source: text })
  return { type, program: id, sha256, ...masked, ...(isCut && { length: source.length }) }
}

/** `token = "…"` and `{ password: '…' }`: a text that a program gives to a name of a secret. */
function maskLiterals(source: string): string {
  return source.replaceAll(
    /(?<![\w$-])([A-Za-z_$][\w$-]*)(["']?\s*[:=]\s*)(["'`])(?:\\.|(?!\3)[^\\])*\3/g,
    (whole, name: string, between: string, quote: string) =>
      isSecretName(name) ? `${name}${between}${quote}${mask}${quote}` : whole,
  )
}

/** Large arguments are known by their hash. */
function bounded(value: JsonObject): JsonObject {
  const text = JSON.stringify(value)
  if (text.length <= maxArgumentsSize) return value
  const sha256 = createHash('sha256').update(text).digest('hex')
  return { truncated: true, length: text.length, sha256, head: text.slice(0, 1_000) }
}
