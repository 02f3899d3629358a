import { isDeepStrictEqual } from 'node:util'

import { maskArguments } from '@parley/foundation/secrets'
import type { TraceRecorder } from '@parley/foundation/trace'
import { isMcpError } from '@parley/mcp'
import type { Client, RootsOption, ServerEntry } from '@parley/mcp/client'

import type { ServerApproval } from '../../options.ts'
import type { ServerSettings, ServerView } from '../../protocol/index.ts'
import type { Emit, Handlers } from '../handlers.ts'
import { ProblemError, toProblem } from '../problem.ts'
import { defaultSettings, readEra } from '../state/settings.ts'
import { createThrottle } from '../throttle.ts'
import { createStderrLines } from '../trace/stderr-lines.ts'
import { createConnections, requireRunnable, type ConnectionsContext } from './connections.ts'
import { isCommand, shownOf, withStored } from './entry-view.ts'
import { viewApproval, viewServer, type ServerRecord } from './server-hold.ts'

/** All servers, connected or not. */
export interface Servers {
  readonly handlers: Handlers<
    | 'servers/add'
    | 'servers/edit'
    | 'servers/clone'
    | 'servers/remove'
    | 'servers/settings'
    | 'servers/confirm'
    | 'servers/approve'
    | 'servers/connect'
    | 'servers/disconnect'
    | 'servers/restart'
  >
  readonly views: readonly ServerView[]
  /** Those of the page, to keep. */
  readonly added: readonly SavedServer[]
  /** Throws a problem when there is none of that name. */
  find(name: string): ServerRecord
  /** The client of a connected server; throws a problem when it is not. */
  client(name: string): Client
  put(
    server: SavedServer & {
      readonly source?: string
      readonly isConfirmed: boolean
      readonly approval?: ServerApproval | undefined
    },
  ): ServerRecord
  connect(record: ServerRecord): Promise<Client>
  /** Something about a server changed that its view shows. */
  changed(): void
  /** The same for what may be told later, such as a latency. */
  changedSlightly(): void
  close(): Promise<void>
}

/** A server of the page as it is kept. */
export interface SavedServer {
  readonly name: string
  readonly entry: ServerEntry
  readonly settings?: Partial<ServerSettings> | undefined
}

export interface ServersContext extends Omit<ConnectionsContext, 'changed'> {
  readonly emit: Emit
  readonly recorder: TraceRecorder
  readonly maySpawn: boolean
  /** Servers of the page were added, removed or set. */
  readonly onSaved: () => void
  readonly onRemoved: (record: ServerRecord) => Promise<void>
  readonly onPut: (record: ServerRecord) => void
  readonly onSettings: (record: ServerRecord) => void
  /** How a server learns of roots; changing them leaves that as it is. */
  readonly rootsFor: (record: ServerRecord) => RootsOption
}

const maxServers = 200

export function createServers(parts: ServersContext): Servers {
  const { emit, recorder, maySpawn } = parts
  const records = new Map<string, ServerRecord>()
  const notifying = createThrottle(30, () => emit('servers/changed', { servers: views() }))
  const tellingLater = createThrottle(500, notifying.ask)
  const connections = createConnections({ ...parts, changed: notifying.ask })

  function views(): readonly ServerView[] {
    return [...records.values()].map(viewServer)
  }

  function find(name: string): ServerRecord {
    const record = records.get(name)
    if (record !== undefined) return record
    throw new ProblemError('unknown_server', `unknown server ${JSON.stringify(name)}`, {
      hint: 'It may have been removed. The list on the left shows all servers.',
    })
  }

  function put(server: Parameters<Servers['put']>[0]): ServerRecord {
    const { name, entry, settings, source, isConfirmed, approval } = server
    const tap = recorder.tap(name)
    const stderr = createStderrLines((line) => {
      tap.onStderr(line)
      parts.logs.add({ server: name, from: 'stderr', data: line })
    })
    const record: ServerRecord = {
      name,
      entry,
      source,
      isConfirmed,
      approval,
      tap,
      stderr,
      settings: { ...defaultSettings, ...settings },
      client: undefined,
      connecting: undefined,
      abort: undefined,
      state: 'off',
      problem: undefined,
      session: undefined,
      ended: undefined,
      connectingSince: undefined,
      noise: undefined,
      lastLatencyMs: undefined,
      firstReceived: undefined,
      opening: [],
      subscriptions: new Map(),
      isQuiet: false,
    }
    records.set(name, record)
    parts.onPut(record)
    notifying.ask()
    return record
  }

  async function reportConnect(record: ServerRecord): Promise<ServerView> {
    try {
      await connections.connect(record)
    } catch (error) {
      if (isMcpError(error, 'unauthorized')) throw signInNeeded(record, error)
      throw error
    }
    return viewServer(record)
  }

  function requireTakable(entry: ServerEntry): void {
    if (!isCommand(entry) || maySpawn) return
    throw new ProblemError('no_spawn', 'this inspector does not accept commands from the page', {
      hint: 'It was started with --no-spawn; name the server when you start it.',
    })
  }

  function requireFree(name: string): void {
    if (records.has(name)) {
      const why = `a server named ${JSON.stringify(name)} already exists`
      const hint = 'Choose another name, or remove that one first.'
      throw new ProblemError('duplicate_name', why, { hint })
    }
    if (records.size >= maxServers) {
      throw new ProblemError('too_many', `there are already ${maxServers} servers, the maximum`)
    }
  }

  const handlers: Servers['handlers'] = {
    'servers/add'({ name, entry }) {
      requireTakable(entry)
      requireFree(name)
      const record = put({ name, entry, isConfirmed: false })
      parts.onSaved()
      return viewServer(record)
    },
    'servers/clone'({ name, as }) {
      const before = find(name)
      const { entry, settings } = before
      if (!isCommand(entry)) requireRunnable(before) // the copy would be asked about no more
      requireTakable(entry)
      requireFree(as)
      const record = put({ name: as, entry, settings, isConfirmed: false })
      parts.onSaved()
      return viewServer(record)
    },
    async 'servers/edit'({ name, entry }) {
      const before = find(name)
      requireTakable(entry)
      if (before.source !== undefined) {
        throw new ProblemError('not_of_page', `${name} comes from ${before.source}`, {
          hint: 'Change it there, or add a copy.',
        })
      }
      await connections.disconnect(before)
      const { settings } = before
      const record = put({
        name,
        entry: withStored(entry, before.entry),
        settings,
        isConfirmed: false,
      })
      parts.onSaved()
      return viewServer(record)
    },
    async 'servers/remove'({ name }) {
      const record = find(name)
      await connections.disconnect(record)
      records.delete(name)
      await parts.onRemoved(record)
      parts.onSaved()
      notifying.ask()
      return {}
    },
    async 'servers/settings'({ name, settings }) {
      const record = find(name)
      if (settings.era !== undefined) readEra(settings.era)
      record.settings = withoutZeros({ ...record.settings, ...settings })
      parts.onSaved()
      parts.onSettings(record)
      notifying.ask()
      const { client } = record
      if (client !== undefined && settings.roots !== undefined && client.capabilities.roots) {
        await client.setRoots(parts.rootsFor(record))
      }
      if (client !== undefined && settings.logLevel !== undefined) {
        await client.setLoggingLevel(settings.logLevel as 'info') // checked to be a level
      }
      return viewServer(record)
    },
    async 'servers/confirm'({ name, argv, env = {}, cwd }) {
      const record = find(name)
      if (!isCommand(record.entry)) {
        throw new ProblemError(
          'not_a_command',
          `${name} is an address: there is nothing to confirm`,
        )
      }
      if (!maySpawn && record.source === undefined) {
        throw new ProblemError('no_spawn', 'this inspector does not accept commands from the page')
      }
      if (JSON.stringify({ argv, env, cwd }) !== JSON.stringify(shownOf(record.entry))) {
        throw new ProblemError(
          'not_confirmed',
          'the confirmed command is not the one that would be started',
          {
            hint: 'Reload the page: what it showed is out of date.',
          },
        )
      }
      await record.approval?.approve()
      record.isConfirmed = true
      record.tap.add({
        kind: 'decision',
        text: `the user confirmed ${maskArguments(argv).join(' ')}`,
        details: { argv: maskArguments(argv), env, ...(cwd !== undefined && { cwd }) },
      })
      return reportConnect(record)
    },
    async 'servers/approve'({ name, reads, to }) {
      const record = find(name)
      const { approval } = record
      if (approval === undefined || isCommand(record.entry)) {
        throw new ProblemError('nothing_to_approve', `${name} sends nothing that needs approval`)
      }
      if (!isDeepStrictEqual({ reads, to }, viewApproval(approval))) {
        throw new ProblemError('not_confirmed', 'what was approved is not what would be sent', {
          hint: 'Reload the page: what it showed is out of date.',
        })
      }
      await approval.approve()
      record.isConfirmed = true
      const what = reads.map(({ variable, key }) => `${variable} as ${key}`).join(', ')
      record.tap.add({ kind: 'decision', text: `the user approved sending ${what} to ${to}` })
      return reportConnect(record)
    },
    'servers/connect': ({ name }) => reportConnect(find(name)),
    async 'servers/disconnect'({ name }) {
      const record = find(name)
      await connections.disconnect(record)
      return viewServer(record)
    },
    async 'servers/restart'({ name }) {
      const record = find(name)
      requireRunnable(record)
      await connections.disconnect(record)
      return reportConnect(record)
    },
  }

  return {
    handlers,
    find,
    put,
    connect: connections.connect,
    changed: notifying.ask,
    changedSlightly: tellingLater.ask,
    get views() {
      return views()
    },
    get added() {
      return [...records.values()]
        .filter(({ source }) => source === undefined)
        .map(({ name, entry, settings }) => ({ name, entry, settings }))
    },
    client(name) {
      const { client } = find(name)
      if (client !== undefined) return client
      throw new ProblemError('not_connected', `${name} is not connected`, {
        hint: 'Connect it first.',
      })
    },
    async close() {
      tellingLater.stop()
      notifying.stop()
      await Promise.all([...records.values()].map(connections.disconnect))
    },
  }
}

/** JSON cannot say that a time is set no more, so 0 does. */
function withoutZeros(settings: ServerSettings): ServerSettings {
  const { requestTimeoutMs, connectTimeoutMs, pingEveryMs, ...rest } = settings
  return {
    ...rest,
    ...(connectTimeoutMs && { connectTimeoutMs }),
    ...(requestTimeoutMs && { requestTimeoutMs }),
    ...(pingEveryMs && { pingEveryMs }),
  }
}

function signInNeeded({ name }: ServerRecord, error: unknown): ProblemError {
  const { message, details } = toProblem(error)
  return new ProblemError('unauthorized', message, {
    hint: `Sign in to ${name}: the Auth tab shows what it asks for.`,
    ...(details && { details }),
  })
}
