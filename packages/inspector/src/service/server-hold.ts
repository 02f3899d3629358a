import type { TraceTap } from '@parley/foundation/trace'
import type { Client, ServerEntry, Subscription } from '@parley/mcp/client'

import type { Problem, ServerSettings, ServerView, SessionView } from '../protocol/index.ts'
import { isCommand, maskEntry } from './entry-view.ts'
import type { StderrLines } from './stderr-lines.ts'

/** One server of the rail, and all that belongs to it. */
export interface ServerHold {
  readonly name: string
  readonly entry: ServerEntry
  readonly source: string | undefined
  readonly tap: TraceTap
  /** Takes what its program says on standard error. */
  readonly stderr: StderrLines
  settings: ServerSettings
  /** A person has seen the command and wants it run, or named it when starting us. */
  isConfirmed: boolean
  client: Client | undefined
  connecting: Promise<Client> | undefined
  /** Ends a connection that is being made. */
  abort: AbortController | undefined
  state: ServerView['state']
  problem: Problem | undefined
  session: SessionView | undefined
  lastLatencyMs: number | undefined
  /** The `seq` of the first message that came in on this connection. */
  firstHeard: number | undefined
  /** Methods sent since connecting began; only until it is done. */
  opening: string[]
  readonly subscriptions: Map<string, Subscription>
  /** Records nothing for now: a load would push out everything else. */
  isQuiet: boolean
}

/** As the page sees it. */
export function viewServer(hold: ServerHold): ServerView {
  const { name, entry, source, state, problem, settings, session, lastLatencyMs } = hold
  return {
    name,
    entry: isBlocked(hold) ? maskEntry(entry, { args: 'shown' }) : maskEntry(entry),
    ...(source !== undefined && { source }),
    state: isBlocked(hold) && state === 'off' ? 'blocked' : state,
    ...(problem !== undefined && { problem }),
    settings,
    ...(session !== undefined && { session }),
    ...(lastLatencyMs !== undefined && { lastLatencyMs }),
  }
}

/** A command that nobody has confirmed yet. */
export function isBlocked({ entry, isConfirmed }: ServerHold): boolean {
  return isCommand(entry) && !isConfirmed
}
