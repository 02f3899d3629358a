import type { TraceRecorder } from '@parley/foundation/trace'
import { isMcpError } from '@parley/mcp'
import { connect, type Client, type ConnectOptions, type ServerEntry } from '@parley/mcp/client'

import type { ServerSettings, ServerView } from '../protocol/index.ts'
import { argvOf, isCommand } from './entry-view.ts'
import type { Emit, Handlers } from './handlers.ts'
import type { Logs } from './logs.ts'
import { ProblemError, toProblem } from './problem.ts'
import { isBlocked, viewServer, type ServerHold } from './server-hold.ts'
import { describeSession } from './session-view.ts'
import { defaultSettings, readEra } from './settings.ts'
import { createThrottle } from './throttle.ts'

/** All servers, connected or not. */
export interface Servers {
  readonly handlers: Handlers<
    | 'servers/add'
    | 'servers/remove'
    | 'servers/settings'
    | 'servers/confirm'
    | 'servers/connect'
    | 'servers/disconnect'
    | 'servers/restart'
  >
  readonly views: readonly ServerView[]
  /** Those of the page, to keep. */
  readonly added: readonly SavedServer[]
  /** Throws a problem when there is none of that name. */
  find(name: string): ServerHold
  /** The client of a connected server; throws a problem when it is not. */
  client(name: string): Client
  put(server: SavedServer & { readonly source?: string; readonly isConfirmed: boolean }): ServerHold
  connect(hold: ServerHold): Promise<Client>
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

export interface ServersParts {
  readonly emit: Emit
  readonly recorder: TraceRecorder
  readonly logs: Logs
  readonly maySpawn: boolean
  /** What a connection is made with, besides era and recording. */
  readonly connectOptions: (hold: ServerHold) => ConnectOptions
  readonly onConnected: (hold: ServerHold, client: Client) => void
  readonly onDisconnected: (hold: ServerHold) => void
  /** Servers of the page were added, removed or set. */
  readonly onSaved: () => void
  readonly onRemoved: (hold: ServerHold) => Promise<void>
  readonly onPut: (hold: ServerHold) => void
}

const mostServers = 200

export function createServers(parts: ServersParts): Servers {
  const { emit, recorder, logs, maySpawn } = parts
  const holds = new Map<string, ServerHold>()
  const telling = createThrottle(30, () => emit('servers/changed', { servers: views() }))
  const tellingLater = createThrottle(500, telling.ask)

  function views(): readonly ServerView[] {
    return [...holds.values()].map(viewServer)
  }

  function find(name: string): ServerHold {
    const hold = holds.get(name)
    if (hold !== undefined) return hold
    throw new ProblemError('unknown_server', `there is no server ${JSON.stringify(name)}`, {
      hint: 'It may have been removed; the rail shows those that are there.',
    })
  }

  function put(server: Parameters<Servers['put']>[0]): ServerHold {
    const { name, entry, settings, source, isConfirmed } = server
    const hold: ServerHold = {
      name,
      entry,
      source,
      isConfirmed,
      tap: recorder.tap(name),
      settings: { ...defaultSettings, ...settings },
      client: undefined,
      connecting: undefined,
      abort: undefined,
      state: 'off',
      problem: undefined,
      session: undefined,
      lastLatencyMs: undefined,
      opening: [],
      subscriptions: new Map(),
      isQuiet: false,
    }
    holds.set(name, hold)
    parts.onPut(hold)
    telling.ask()
    return hold
  }

  function requireRunnable(hold: ServerHold): void {
    if (!isBlocked(hold) || !isCommand(hold.entry)) return
    throw new ProblemError('not_confirmed', `${hold.name} is a command that nobody has confirmed`, {
      hint: 'Look at the exact command line and confirm it.',
      details: { argv: argvOf(hold.entry) },
    })
  }

  async function open(hold: ServerHold): Promise<Client> {
    const abort = new AbortController()
    hold.abort = abort
    hold.opening = []
    hold.state = 'connecting'
    hold.problem = undefined
    telling.ask()
    let opened: Client | undefined
    try {
      const client = await connect(hold.entry, {
        ...parts.connectOptions(hold),
        era: readEra(hold.settings.era),
        signal: abort.signal,
        onStatus(status, previous) {
          if (opened !== hold.client) return // an earlier connection that is ending
          hold.state = status.state
          if ('cause' in status && status.cause) hold.problem = toProblem(status.cause)
          else if (status.state === 'ready') hold.problem = undefined
          hold.tap.onStatus(status, previous)
          if (status.state === 'closed') drop(hold)
          telling.ask()
        },
      })
      if (abort.signal.aborted) {
        await client.close()
        throw abort.signal.reason
      }
      opened = client
      hold.client = client
      hold.state = client.status.state
      hold.tap.setRevision(client.negotiated.revision)
      hold.session = describeSession(client, hold.settings.era, hold.opening)
      parts.onConnected(hold, client)
      return client
    } catch (error) {
      const isWanted = abort.signal.aborted
      hold.state = isWanted ? 'off' : 'failed'
      hold.problem = isWanted ? undefined : toProblem(error)
      if (!isWanted) {
        hold.tap.add({
          kind: 'status',
          text: 'failed',
          details: { message: toProblem(error).message },
        })
        logs.add({
          server: hold.name,
          from: 'inspector',
          level: 'error',
          data: toProblem(error).message,
        })
      }
      throw error
    } finally {
      hold.abort = undefined
      hold.connecting = undefined
      telling.ask()
    }
  }

  /** The connection is over, by whichever side. */
  function drop(hold: ServerHold): void {
    if (hold.client === undefined) return
    hold.client = undefined
    hold.session = undefined
    hold.subscriptions.clear()
    parts.onDisconnected(hold)
  }

  async function connectHold(hold: ServerHold): Promise<Client> {
    requireRunnable(hold)
    if (hold.client !== undefined) return hold.client
    hold.connecting ??= open(hold)
    return hold.connecting
  }

  async function disconnect(hold: ServerHold): Promise<void> {
    hold.abort?.abort(new ProblemError('cancelled', 'connecting was given up'))
    await hold.connecting?.catch(() => undefined) // told to whoever asked for it
    const { client } = hold
    drop(hold)
    await client?.close()
    hold.state = 'off'
    hold.problem = undefined
    telling.ask()
  }

  async function reportConnect(hold: ServerHold): Promise<ServerView> {
    try {
      await connectHold(hold)
    } catch (error) {
      if (isMcpError(error, 'unauthorized')) throw signInNeeded(hold, error)
      throw error
    }
    return viewServer(hold)
  }

  const handlers: Servers['handlers'] = {
    'servers/add'({ name, entry }) {
      if (isCommand(entry) && !maySpawn) {
        throw new ProblemError('no_spawn', 'this inspector takes no commands from the page', {
          hint: 'It was started with --no-spawn; name the server when you start it.',
        })
      }
      if (holds.has(name)) {
        throw new ProblemError(
          'duplicate_name',
          `there is a server ${JSON.stringify(name)} already`,
          {
            hint: 'Choose another name, or remove that one first.',
          },
        )
      }
      if (holds.size >= mostServers) {
        throw new ProblemError('too_many', `there are ${mostServers} servers already`)
      }
      const hold = put({ name, entry, isConfirmed: false })
      parts.onSaved()
      return viewServer(hold)
    },
    async 'servers/remove'({ name }) {
      const hold = find(name)
      await disconnect(hold)
      holds.delete(name)
      await parts.onRemoved(hold)
      parts.onSaved()
      telling.ask()
      return {}
    },
    async 'servers/settings'({ name, settings }) {
      const hold = find(name)
      if (settings.era !== undefined) readEra(settings.era)
      hold.settings = { ...hold.settings, ...settings }
      parts.onSaved()
      telling.ask()
      const { client } = hold
      if (client !== undefined && settings.roots !== undefined && client.capabilities.roots) {
        await client.setRoots(settings.roots)
      }
      if (client !== undefined && settings.logLevel !== undefined) {
        await client.setLoggingLevel(settings.logLevel as 'info') // checked to be a level
      }
      return viewServer(hold)
    },
    async 'servers/confirm'({ name, argv }) {
      const hold = find(name)
      if (!isCommand(hold.entry)) {
        throw new ProblemError(
          'not_a_command',
          `${name} is an address: there is nothing to confirm`,
        )
      }
      if (!maySpawn && hold.source === undefined) {
        throw new ProblemError('no_spawn', 'this inspector takes no commands from the page')
      }
      if (JSON.stringify(argv) !== JSON.stringify(argvOf(hold.entry))) {
        throw new ProblemError('not_confirmed', 'that is not the command line of this server', {
          hint: 'Reload the page: what it showed is out of date.',
        })
      }
      hold.isConfirmed = true
      return reportConnect(hold)
    },
    'servers/connect': ({ name }) => reportConnect(find(name)),
    async 'servers/disconnect'({ name }) {
      const hold = find(name)
      await disconnect(hold)
      return viewServer(hold)
    },
    async 'servers/restart'({ name }) {
      const hold = find(name)
      requireRunnable(hold)
      await disconnect(hold)
      return reportConnect(hold)
    },
  }

  return {
    handlers,
    find,
    put,
    connect: connectHold,
    changed: telling.ask,
    changedSlightly: tellingLater.ask,
    get views() {
      return views()
    },
    get added() {
      return [...holds.values()]
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
      telling.stop()
      await Promise.all([...holds.values()].map(disconnect))
    },
  }
}

function signInNeeded({ name }: ServerHold, error: unknown): ProblemError {
  const { message, details } = toProblem(error)
  return new ProblemError('unauthorized', message, {
    hint: `Sign in at ${name}: the Auth tab shows what it asks for.`,
    ...(details && { details }),
  })
}
