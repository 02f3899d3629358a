import { isMcpError } from '@parley/mcp'
import { connect, type Client, type ConnectOptions } from '@parley/mcp/client'

import type { Problem } from '../../protocol/index.ts'
import { ProblemError, toProblem } from '../problem.ts'
import { readEra } from '../state/settings.ts'
import type { Logs } from '../trace/logs.ts'
import { argvOf, isCommand } from './entry-view.ts'
import { recordExit, reportEnd } from './process-end.ts'
import { isBlocked, type ServerRecord } from './server-hold.ts'
import { describeSession } from './session-view.ts'

/** Connects servers and lets them go. */
export interface Connections {
  /** Once however often it is asked for; throws a problem for a command that nobody has confirmed. */
  connect(record: ServerRecord): Promise<Client>
  /** Also gives up a connection that is being made. */
  disconnect(record: ServerRecord): Promise<void>
}

export interface ConnectionsContext {
  readonly logs: Logs
  /** What a connection is made with, besides era and status. */
  readonly connectOptions: (record: ServerRecord) => ConnectOptions
  readonly onConnected: (record: ServerRecord, client: Client) => void
  readonly onDisconnected: (record: ServerRecord) => void
  /** Something about a server changed that its view shows. */
  readonly changed: () => void
}

export function createConnections(parts: ConnectionsContext): Connections {
  const { logs, connectOptions, onConnected, onDisconnected, changed } = parts

  async function open(record: ServerRecord): Promise<Client> {
    const abort = new AbortController()
    record.abort = abort
    record.opening = []
    record.firstReceived = undefined
    record.lastLatencyMs = undefined
    record.state = 'connecting'
    record.connectingSince = Date.now()
    record.problem = undefined
    record.ended = undefined
    record.noise = undefined
    changed()
    if (isCommand(record.entry)) {
      const argv = argvOf(record.entry)
      record.tap.add({ kind: 'process', text: `start ${argv.join(' ')}`, details: { argv } })
    }
    let opened: Client | undefined
    try {
      const client = await connect(record.entry, {
        ...connectOptions(record),
        protocolVersion: readEra(record.settings.era),
        signal: abort.signal,
        onStatus(status, previous) {
          if (status.state === 'closed') record.stderr.flush()
          record.tap.onStatus(status, previous)
          if (status.state === 'closed') recordExit(record, status.cause)
          if (opened !== record.client) return // an earlier connection that is ending
          record.state = status.state
          if ('cause' in status && status.cause) record.problem = toProblem(status.cause)
          else if (status.state === 'ready') record.problem = undefined
          if (status.state === 'ready' && opened) agree(record, opened) // it may have been agreed anew
          if (status.state === 'closed' && record.client !== undefined) {
            drop(record)
            if (needsSignIn(record, status.cause)) record.state = 'unauthorized'
            else reportEnd(record, status.cause, logs)
          }
          changed()
        },
      })
      if (abort.signal.aborted) {
        await client.close()
        throw abort.signal.reason
      }
      opened = client
      record.client = client
      record.state = client.status.state
      agree(record, client)
      onConnected(record, client)
      return client
    } catch (error) {
      const isWanted = abort.signal.aborted
      record.stderr.flush()
      record.state = isWanted ? 'off' : needsSignIn(record, error) ? 'unauthorized' : 'failed'
      record.problem = isWanted ? undefined : withLimit(toProblem(error), error)
      if (record.problem !== undefined) {
        report(record, record.problem.message)
        recordExit(record, error)
      } else record.tap.add({ kind: 'status', text: 'closed' })
      throw error
    } finally {
      record.abort = undefined
      record.connectingSince = undefined
      record.connecting = undefined
      changed()
    }
  }

  function agree(record: ServerRecord, client: Client): void {
    record.tap.setRevision(client.negotiated.revision)
    record.session = describeSession(client, record.settings.era, record.opening)
  }

  function report({ name, tap, state }: ServerRecord, message: string): void {
    const text = state === 'unauthorized' ? 'sign-in needed' : 'failed'
    tap.add({ kind: 'status', text, details: { message } })
    logs.add({ server: name, from: 'inspector', level: 'error', data: message })
  }

  /** The connection is over, by whichever side. */
  function drop(record: ServerRecord): void {
    if (record.client === undefined) return
    record.client = undefined
    record.subscriptions.clear()
    onDisconnected(record)
  }

  async function connectOnce(record: ServerRecord): Promise<Client> {
    requireRunnable(record)
    if (record.client !== undefined) return record.client
    record.connecting ??= open(record)
    return record.connecting
  }

  async function disconnect(record: ServerRecord): Promise<void> {
    record.abort?.abort(new ProblemError('cancelled', 'the connection attempt was cancelled'))
    await record.connecting?.catch(() => undefined) // told to whoever asked for it
    const { client } = record
    drop(record)
    await client?.close()
    record.state = 'off'
    record.problem = undefined
    record.session = undefined
    record.ended = undefined
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
export function requireRunnable(record: ServerRecord): void {
  if (!isBlocked(record)) return
  if (!isCommand(record.entry)) {
    throw new ProblemError('not_confirmed', `what ${record.name} sends has not been approved`, {
      hint: 'Review what it reads and where that is sent, and approve it.',
    })
  }
  throw new ProblemError('not_confirmed', `the command of ${record.name} has not been confirmed`, {
    hint: 'Review the exact command line and confirm it.',
    details: { argv: argvOf(record.entry) },
  })
}

/**
 * Whether signing in would help: the server answered 401, and no `Authorization` was given for it by hand, which would
 * be sent in place of a token.
 */
function needsSignIn({ entry }: ServerRecord, error: unknown): boolean {
  if (isCommand(entry) || !isMcpError(error, 'unauthorized')) return false
  return !Object.keys(entry.headers ?? {}).some((name) => name.toLowerCase() === 'authorization')
}
