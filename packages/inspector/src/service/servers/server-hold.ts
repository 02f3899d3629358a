import type { TraceTap } from '@parley/foundation/trace'
import type { Client, ServerEntry, Subscription } from '@parley/mcp/client'

import type { ServerApproval } from '../../options.ts'
import type {
  ApprovalView,
  Problem,
  ServerSettings,
  ServerView,
  SessionView,
} from '../../protocol/index.ts'
import type { StderrLines } from '../trace/stderr-lines.ts'
import { isCommand, maskEntry } from './entry-view.ts'

/** One server of the rail, and all that belongs to it. */
export interface ServerRecord {
  readonly name: string
  readonly entry: ServerEntry
  readonly source: string | undefined
  readonly tap: TraceTap
  /** Takes what its program says on standard error. */
  readonly stderr: StderrLines
  settings: ServerSettings
  /** A person has seen the command and wants it run, or named it when starting us. */
  isConfirmed: boolean
  /** It comes with a project: what has to be approved, and keeps that. */
  readonly approval: ServerApproval | undefined
  client: Client | undefined
  connecting: Promise<Client> | undefined
  /** Ends a connection that is being made. */
  abort: AbortController | undefined
  state: ServerView['state']
  problem: Problem | undefined
  /** Also after the connection has ended by itself: what is shown stays in view. */
  session: SessionView | undefined
  /** How it ended by itself. */
  ended: string | undefined
  connectingSince: number | undefined
  /** What its program wrote to standard output that is no message. */
  noise: ServerView['noise']
  lastLatencyMs: number | undefined
  /** The `seq` of the first message that came in on this connection. */
  firstReceived: number | undefined
  /** Methods sent since connecting began; only until it is done. */
  opening: string[]
  readonly subscriptions: Map<string, Subscription>
  /** Records nothing for now: a load would push out everything else. */
  isQuiet: boolean
}

/** As the page sees it. */
export function viewServer(record: ServerRecord): ServerView {
  const { name, entry, source, state, problem, settings, session, lastLatencyMs, approval } = record
  const { ended, connectingSince, noise } = record
  return {
    name,
    entry: isBlocked(record) ? maskEntry(entry, { args: 'shown' }) : maskEntry(entry),
    ...(source !== undefined && { source }),
    ...(approval !== undefined && isBlocked(record) && { approval: viewApproval(approval) }),
    state: isBlocked(record) && state === 'off' ? 'blocked' : state,
    ...(problem !== undefined && { problem }),
    ...(ended !== undefined && { ended }),
    ...(connectingSince !== undefined && { connectingSince }),
    ...(noise !== undefined && { noise }),
    settings,
    ...(session !== undefined && { session }),
    ...(lastLatencyMs !== undefined && { lastLatencyMs }),
  }
}

/** A command that nobody has confirmed yet, or what a project's file does and nobody has approved. */
export function isBlocked({ entry, isConfirmed, approval }: ServerRecord): boolean {
  return !isConfirmed && (isCommand(entry) || approval !== undefined)
}

/** Without the way to approve it. */
export function viewApproval({ reads, to }: ServerApproval): ApprovalView {
  return { reads, ...(to !== undefined && { to }) }
}
