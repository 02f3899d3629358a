/**
 * The memory of consent: the answers that count beyond one call, and the version of each tool that was last allowed to run. All
 * functions are pure; a memory is plain JSON that `consent-store.ts` keeps in memory and `file-consent-store.ts` in a file.
 *
 * `decide.ts` asks it three things: was this denied, was it allowed for this version and for what the conversation has read, and
 * what has changed since the tool last ran.
 */

import type { JsonObject, Tool } from '@parley/mcp'

import type { DefinitionChange, DataFlow, ProposedCall } from '../consent.ts'

/** The remembered answers, and the definitions that ran. */
export interface ConsentMemory {
  /** Answers that count for later calls. */
  readonly answers: readonly RememberedDecision[]
  /** Definitions that were last allowed to run. */
  readonly seen: readonly ApprovedDefinition[]
}

/** An answer that counts for later calls too. */
export interface RememberedDecision {
  /** Tells it from the others, to take it back. */
  readonly id: string
  /** The answer. */
  readonly decision: 'allow' | 'deny'
  /** The server, as the configuration names it. */
  readonly server: string
  /** Its command or URL at that time, as a hash; another one is asked about again. */
  readonly serverHash: string
  /** The value that was hashed, without secrets. */
  readonly serverDefinition?: JsonObject | undefined
  /** The tool it is about; without one it is about all of the server's. */
  readonly tool?: ToolVersion | undefined
  /** Labels of what the conversation had read at that time. */
  readonly flow: DataFlow
  /** When, as an ISO date. */
  readonly at: string
}

/** A tool as it was. */
export interface ToolVersion {
  /** Its name. */
  readonly name: string
  /** A hash of its definition. */
  readonly hash: string
  /** Missing if it was too large to keep. */
  readonly definition?: JsonObject | undefined
}

/** The version of a tool that was last allowed to run. */
export interface ApprovedDefinition {
  /** The server, as the configuration names it. */
  readonly server: string
  /** Its command or URL at that time, as a hash. */
  readonly serverHash: string
  /** The value that was hashed, without secrets. */
  readonly serverDefinition?: JsonObject | undefined
  /** The tool as it was. */
  readonly tool: ToolVersion
}

/** A call with the hash of its tool's definition. */
export interface IdentifiedCall {
  readonly call: ProposedCall
  readonly hash: string
  readonly definition: JsonObject
}

/** Nothing yet. */
export const emptyMemory: ConsentMemory = { answers: [], seen: [] }

/** More than a user answers; the oldest are dropped. */
const maxAnswers = 2_000
const maxSeen = 5_000
const maxDefinitionSize = 32 * 1024

/** Returns the denial that a call falls under. It holds whatever the server changes, or servers could ask until the user gives in. */
export function rejectionOf(
  memory: ConsentMemory,
  { call }: IdentifiedCall,
): RememberedDecision | undefined {
  return memory.answers.find((answer) => answer.decision === 'deny' && isAbout(answer, call))
}

/** The answers that allow a call, of this server and this version of the tool. */
export function permissionsOf(
  memory: ConsentMemory,
  { call, hash }: IdentifiedCall,
): readonly RememberedDecision[] {
  return memory.answers.filter(
    (answer) =>
      answer.decision === 'allow' &&
      isAbout(answer, call) &&
      answer.serverHash === call.serverHash &&
      (answer.tool === undefined || answer.tool.hash === hash),
  )
}

/**
 * Whether an answer goes far enough for what the conversation has read by now. Private and untrusted content together
 * need one that was given after both; after untrusted content, one for a whole server does not cover what the server
 * calls destructive or outward.
 */
export function isEnough({ flow, tool }: RememberedDecision, { call }: IdentifiedCall): boolean {
  const { untrusted, private: isPrivate } = call.flow
  if (!untrusted || flow.untrusted) return !(untrusted && isPrivate) || flow.private
  return !isPrivate && (tool !== undefined || !isOutward(call.tool))
}

/** Returns true for a tool whose server declares it destructive or open to the outside. */
export function isOutward({ annotations = {} }: Tool): boolean {
  return annotations.destructiveHint === true || annotations.openWorldHint === true
}

/**
 * How a call differs from what ran or was allowed last under the names of its server and tool. A package update changes
 * the command and the tool together: the tool is then compared with the version that ran under the earlier command. A
 * command that changed alone matters where a person's answer was bound to it; a rule names the server, not its command.
 */
export function changesOf(
  memory: ConsentMemory,
  { call, hash, definition }: IdentifiedCall,
): readonly DefinitionChange[] {
  const allowed = memory.answers.filter(
    (answer) => answer.decision === 'allow' && isAbout(answer, call),
  )
  const ran = memory.seen.filter((candidate) => isSameTool(candidate, call))
  const isKnownServer = [...allowed, ...ran].some(
    ({ serverHash }) => serverHash === call.serverHash,
  )
  const lastRun = ran.findLast(({ serverHash }) => serverHash === call.serverHash) ?? ran.at(-1)
  const versions =
    lastRun === undefined
      ? allowed.flatMap(({ tool }) => (tool === undefined ? [] : [tool]))
      : [lastRun.tool]
  const before = versions.at(-1)
  const isOtherTool = before !== undefined && !versions.some((version) => version.hash === hash)

  const changes: DefinitionChange[] = []
  const server = lastRun?.serverDefinition === undefined ? (allowed.at(-1) ?? lastRun) : lastRun
  if (server !== undefined && !isKnownServer && (allowed.length > 0 || isOtherTool)) {
    changes.push({
      what: 'server',
      before: server.serverDefinition ?? { hash: server.serverHash },
      after: call.serverDefinition ?? { hash: call.serverHash },
    })
  }
  if (isOtherTool) {
    changes.push({
      what: 'tool',
      before: before.definition ?? { hash: before.hash },
      after: definition,
    })
  }
  return changes
}

/** With one answer more. It takes the place of others about the same thing. */
export function withAnswer(memory: ConsentMemory, answer: RememberedDecision): ConsentMemory {
  const others = memory.answers.filter(
    ({ server, tool }) => server !== answer.server || tool?.name !== answer.tool?.name,
  )
  return { ...memory, answers: [...others, answer].slice(-maxAnswers) }
}

/** Without the answer of that id. The versions that ran stay known: a change is still noticed. */
export function withoutReply(memory: ConsentMemory, id: string): ConsentMemory {
  return { ...memory, answers: memory.answers.filter((answer) => answer.id !== id) }
}

/** Whether this very version is the one that last ran. */
export function hasSeen(memory: ConsentMemory, { call, hash }: IdentifiedCall): boolean {
  return memory.seen.some(
    (candidate) =>
      isSameTool(candidate, call) &&
      candidate.serverHash === call.serverHash &&
      candidate.tool.hash === hash,
  )
}

/** With this version as the one that last ran. */
export function withSeen(memory: ConsentMemory, identified: IdentifiedCall): ConsentMemory {
  const { call } = identified
  const { server, serverHash, serverDefinition } = call
  const others = memory.seen.filter(
    (candidate) => !isSameTool(candidate, call) || candidate.serverHash !== serverHash,
  )
  const now = {
    server,
    serverHash,
    ...(serverDefinition !== undefined && { serverDefinition }),
    tool: versionOf(identified),
  }
  return { ...memory, seen: [...others, now].slice(-maxSeen) }
}

/** A tool as it is now. */
export function versionOf({ call, hash, definition }: IdentifiedCall): ToolVersion {
  const isSmall = JSON.stringify(definition).length <= maxDefinitionSize
  return { name: call.tool.name, hash, ...(isSmall && { definition }) }
}

function isAbout({ server, tool }: RememberedDecision, call: ProposedCall): boolean {
  return server === call.server && (tool === undefined || tool.name === call.tool.name)
}

function isSameTool({ server, tool }: ApprovedDefinition, call: ProposedCall): boolean {
  return server === call.server && tool.name === call.tool.name
}
