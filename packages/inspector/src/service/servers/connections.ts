import { isMcpError } from '@parley/mcp'
import { connect, type Client, type ConnectOptions } from '@parley/mcp/client'

import type { Problem } from '../../protocol/index.ts'
import { ProblemError, toProblem } from '../problem.ts'
import { readEra } from '../state/settings.ts'
import type { Logs } from '../trace/logs.ts'
import { argvOf, isCommand } from './entry-view.ts'
import { recordExit, tellEnd } from './process-end.ts'
import { isBlocked, type ServerHold } from './server-hold.ts'
import { describeSession } from './session-view.ts'

/** Connects servers and lets them go. */
export interface Connections {
  /** Once however often it is asked for; throws a problem for a command that nobody has confirmed. */
  connect(hold: ServerHold): Promise<Client>
  /** Also gives up a connection that is being made. */
  disconnect(hold: ServerHold): Promise<void>
}

export interface ConnectionsContext {
  readonly logs: Logs
  /** What a connection is made with, besides era and status. */
  readonly connectOptions: (hold: ServerHold) => ConnectOptions
  readonly onConnected: (hold: ServerHold, client: Client) => void
  readonly onDisconnected: (hold: ServerHold) => void
  /** Something about a server changed that its view shows. */
  readonly changed: () => void
}

export function createConnections(parts: ConnectionsContext): Connections {
  const { logs, connectOptions, onConnected, onDisconnected, changed } = parts

  async function open(hold: ServerHold): Promise<Client> {
    const abort = new AbortController()
    hold.abort = abort
    hold.opening = []
    hold.firstHeard = undefined
    hold.lastLatencyMs = undefined
    hold.state = 'connecting'
    hold.connectingSince = Date.now()
    hold.problem = undefined
    hold.ended = undefined
    hold.noise = undefined
    changed()
    if (isCommand(hold.entry)) {
      const argv = argvOf(hold.entry)
      hold.tap.add({ kind: 'process', text: `start ${argv.join(' ')}`, details: { argv } })
    }
    let opened: Client | undefined
    try {
      const client = await connect(hold.entry, {
        ...connectOptions(hold),
        protocolVersion: readEra(hold.settings.era),
        signal: abort.signal,
        onStatus(status, previous) {
          if (status.state === 'closed') hold.stderr.flush()
          hold.tap.onStatus(status, previous)
          if (status.state === 'closed') recordExit(hold, status.cause)
          if (opened !== hold.client) return // an earlier connection that is ending
          hold.state = status.state
          if ('cause' in status && status.cause) hold.problem = toProblem(status.cause)
          else if (status.state === 'ready') hold.problem = undefined
          if (status.state === 'ready' && opened) agree(hold, opened) // it may have been agreed anew
          if (status.state === 'closed' && hold.client !== undefined) {
            drop(hold)
            if (needsSignIn(hold, status.cause)) hold.state = 'unauthorized'
            else tellEnd(hold, status.cause, logs)
          }
          changed()
        },
      })
      if (abort.signal.aborted) {
        await client.close()
        throw abort.signal.reason
      }
      opened = client
      hold.client = client
      hold.state = client.status.state
      agree(hold, client)
      onConnected(hold, client)
      return client
    } catch (error) {
      const isWanted = abort.signal.aborted
      hold.stderr.flush()
      hold.state = isWanted ? 'off' : needsSignIn(hold, error) ? 'unauthorized' : 'failed'
      hold.problem = isWanted ? undefined : withLimit(toProblem(error), error)
      if (hold.problem !== undefined) {
        report(hold, hold.problem.message)
        recordExit(hold, error)
      } else hold.tap.add({ kind: 'status', text: 'closed' })
      throw error
    } finally {
      hold.abort = undefined
      hold.connectingSince = undefined
      hold.connecting = undefined
      changed()
    }
  }

  function agree(hold: ServerHold, client: Client): void {
    hold.tap.setRevision(client.negotiated.revision)
    hold.session = describeSession(client, hold.settings.era, hold.opening)
  }

  function report({ name, tap, state }: ServerHold, message: string): void {
    const text = state === 'unauthorized' ? 'sign-in needed' : 'failed'
    tap.add({ kind: 'status', text, details: { message } })
    logs.add({ server: name, from: 'inspector', level: 'error', data: message })
  }

  /** The connection is over, by whichever side. */
  function drop(hold: ServerHold): void {
    if (hold.client === undefined) return
    hold.client = undefined
    hold.subscriptions.clear()
    onDisconnected(hold)
  }

  async function connectOnce(hold: ServerHold): Promise<Client> {
    requireRunnable(hold)
    if (hold.client !== undefined) return hold.client
    hold.connecting ??= open(hold)
    return hold.connecting
  }

  async function disconnect(hold: ServerHold): Promise<void> {
    hold.abort?.abort(new ProblemError('cancelled', 'the connection attempt was cancelled'))
    await hold.connecting?.catch(() => undefined) // told to whoever asked for it
    const { client } = hold
    drop(hold)
    await client?.close()
    hold.state = 'off'
    hold.problem = undefined
    hold.session = undefined
    hold.ended = undefined
    changed()
  }

  return { connect: connectOnce, disconnect }
}

/** The library names an option of its own; at the page it is a field. */
function withLimit(problem: Problem, error: unknown): Problem {
  const isOurs = isMcpError(error, 'timeout') && error.details.limit === 'connect'
  if (!isOurs) return problem
  return { ...problem, hint: '“Time limit of connecting” in Settings sets how long to wait.' }
}

/** Throws a problem for a command that nobody has confirmed. */
export function requireRunnable(hold: ServerHold): void {
  if (!isBlocked(hold)) return
  if (!isCommand(hold.entry)) {
    throw new ProblemError('not_confirmed', `what ${hold.name} sends has not been approved`, {
      hint: 'Review what it reads and where that is sent, and approve it.',
    })
  }
  throw new ProblemError('not_confirmed', `the command of ${hold.name} has not been confirmed`, {
    hint: 'Review the exact command line and confirm it.',
    details: { argv: argvOf(hold.entry) },
  })
}

/**
 * Whether signing in would help: the server answered 401, and no `Authorization` was given for it by hand, which would
 * be sent in place of a token.
 */
function needsSignIn({ entry }: ServerHold, error: unknown): boolean {
  if (isCommand(entry) || !isMcpError(error, 'unauthorized')) return false
  return !Object.keys(entry.headers ?? {}).some((name) => name.toLowerCase() === 'authorization')
}
