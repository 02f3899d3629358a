/**
 * One server of a host: connects when it is first needed and again after it was lost, keeps what the server offers up to date, and
 * reports its status. Everything above it (turns, apps, prompts) uses the client that `use()` resolves with.
 *
 * Reconnecting while a connection is in use is the client's (`connect({ reconnect })`); this file opens a new one when the client
 * has closed. Features are read by `server-features.ts`, the identity for consent is made by `server-hash.ts`.
 */

import type { JsonObject } from '@parley/mcp'
import { connect, type Client, type ConnectOptions, type Subscription } from '@parley/mcp/client'
import { unlessAborted } from '@parley/mcp/signals'

import { failureReason, failureStatus } from './failure-reason.ts'
import type { HostServer, HostTarget } from './host-server.ts'
import { noOffers, readOffers, type ServerFeatures } from './server-features.ts'
import { serverDefinition, serverHash } from './server-hash.ts'
import type { ServerStatus } from './server-status.ts'

/** One server of the host. It is connected when it is needed, and again when it was lost. */
export interface ServerConnection {
  /** How it was configured. */
  readonly server: HostServer
  /** Where it stands now. */
  readonly status: ServerStatus
  /** The features that it listed last. They stay while it is disconnected. */
  readonly features: ServerFeatures
  /** Changes when the resolved command or URL does. Empty until it was resolved once. */
  readonly hash: string
  /** The value that was hashed, without secrets. */
  readonly definition: JsonObject
  /** When it was first asked to connect, by `performance.now()`. */
  readonly startedAt: number | undefined
  /** It was tried before, and that failed. */
  readonly hasFailed: boolean
  /** Connects if it is not connected. Never rejects: `status` has the result. */
  start(): Promise<void>
  /** A connection that can be used; opens one if there is none. Rejects with the reason. */
  use(signal: AbortSignal): Promise<Client>
  /** The client if there is one now. */
  readonly client: Client | undefined
  /** Resolves when lists that were announced as changed have been read again. */
  upToDate(): Promise<void>
  /** Ends it. It stays usable: the next use connects again. */
  stop(): Promise<void>
  /** Ends it for good. */
  remove(): Promise<void>
}

/** Receives the changes of a connection. */
export interface ConnectionListener {
  onStatus(connection: ServerConnection): void
  onOffers(connection: ServerConnection, previous: ServerFeatures): void
  onProblem(connection: ServerConnection, message: string): void
}

/** Makes the connection of one server; nothing is started yet. */
export function createConnection(
  server: HostServer,
  options: () => ConnectOptions,
  listener: ConnectionListener,
): ServerConnection {
  let status: ServerStatus =
    server.disabledReason === undefined
      ? { state: 'idle' }
      : { state: 'off', error: server.disabledReason }
  let features = noOffers
  let hash = ''
  let definition: JsonObject = {}
  let startedAt: number | undefined
  let client: Client | undefined
  let opening: { readonly done: Promise<Client>; readonly end: AbortController } | undefined
  let reading: Promise<void> | undefined
  let isRemoved = false
  let hasFailed = false

  const connection: ServerConnection = {
    server,
    get status() {
      return status
    },
    get features() {
      return features
    },
    get hash() {
      return hash
    },
    get definition() {
      return definition
    },
    get startedAt() {
      return startedAt
    },
    get hasFailed() {
      return hasFailed
    },
    get client() {
      return client
    },
    async start() {
      await open().catch(() => undefined) // the status says why
    },
    use: (signal) => unlessAborted(open(), signal),
    async upToDate() {
      await nextTask() // what arrived before has been looked at then
      while (reading !== undefined) await reading
    },
    stop,
    async remove() {
      isRemoved = true
      await stop()
      features = noOffers
      setStatus({ state: 'off', error: 'it was removed' })
    },
  }

  async function stop(): Promise<void> {
    const [was, old] = [opening, client]
    opening = undefined
    client = undefined
    was?.end.abort(new Error(`${server.name} was stopped`))
    await Promise.all([was?.done.then((late) => late.close()).catch(() => undefined), old?.close()])
    if (status.state !== 'off') setStatus({ state: 'idle' })
  }

  function setStatus(next: ServerStatus): void {
    if (next.state === status.state && next.error === status.error) return
    status = next
    listener.onStatus(connection)
  }

  function open(): Promise<Client> {
    if (client !== undefined) return Promise.resolve(client)
    if (server.disabledReason !== undefined) return Promise.reject(new Error(server.disabledReason))
    if (isRemoved) return Promise.reject(new Error(`${server.name} was removed`))
    if (opening !== undefined) return opening.done
    startedAt ??= performance.now()
    setStatus({ state: 'connecting' })
    const end = new AbortController()
    const done = connectNow(end.signal)
    const mine = { done, end }
    opening = mine
    done.then(
      () => {
        hasFailed = false
        if (opening === mine) opening = undefined
      },
      (error: unknown) => {
        if (opening !== mine) return
        opening = undefined
        hasFailed = true
        setStatus(failureStatus(error))
      },
    )
    return done
  }

  async function connectNow(signal: AbortSignal): Promise<Client> {
    const { target } = server
    const found = typeof target === 'function' ? await unlessAborted(target(), signal) : target
    hash = serverHash(found)
    definition = serverDefinition(found)
    const auth = await unlessAborted(authFor(found, server), signal)
    let mine: Client | undefined
    const { timeouts, ...own } = options()
    const opened = await openTarget(found, {
      ...own,
      ...server.connect,
      timeouts,
      ...(auth !== undefined && { auth }),
      onStatus(now, before) {
        server.connect?.onStatus?.(now, before)
        if (mine === undefined || client !== mine) return
        if (now.state === 'closed') lost(now.cause)
        else if (now.state === 'reconnecting') {
          setStatus({ state: 'connecting', error: failureReason(now.cause) })
        } else if (now.state === 'ready') setStatus({ state: 'ready' })
      },
      signal,
    })
    mine = opened
    try {
      const subscription = await follow(opened, signal)
      const previous = features
      features = await readOffers(opened, { signal }, problem)
      signal.throwIfAborted()
      client = opened
      setStatus({ state: 'ready' })
      listener.onOffers(connection, previous)
      if (subscription !== undefined) void readChanges(opened, subscription)
      return opened
    } catch (error) {
      await opened.close()
      throw error
    }
  }

  function lost(cause: unknown): void {
    client = undefined
    const ended = cause ?? new Error(`${server.name} closed the connection`)
    setStatus(failureStatus(ended))
  }

  /** Before the lists are read, so that no change falls between. */
  async function follow(opened: Client, signal: AbortSignal): Promise<Subscription | undefined> {
    const { tools, prompts, resources } = opened.server.capabilities
    const filter = {
      ...(tools?.listChanged && { toolsListChanged: true }),
      ...(prompts?.listChanged && { promptsListChanged: true }),
      ...(resources?.listChanged && { resourcesListChanged: true }),
    }
    if (Object.keys(filter).length === 0) return undefined
    try {
      return await opened.listen(filter, { signal })
    } catch (error) {
      signal.throwIfAborted()
      problem('changes', error)
      return undefined
    }
  }

  async function readChanges(opened: Client, subscription: Subscription): Promise<void> {
    let again = false
    for await (const _ of subscription) {
      again = true
      reading ??= (async () => {
        while (again && client === opened) {
          again = false
          await readAgain(opened)
        }
        reading = undefined
      })()
    }
  }

  async function readAgain(opened: Client): Promise<void> {
    try {
      const next = await readOffers(opened, {}, problem)
      if (client !== opened) return
      const previous = features
      features = next
      listener.onOffers(connection, previous)
    } catch (error) {
      if (client === opened) problem('tools', error)
    }
  }

  function problem(list: string, error: unknown): void {
    listener.onProblem(connection, `its ${list} could not be read: ${failureReason(error)}`)
  }

  return connection
}

async function authFor(target: HostTarget, { auth }: HostServer) {
  if (auth === undefined) return undefined
  if (typeof target === 'string') return auth(target)
  if (target instanceof URL) return auth(target.href)
  return 'url' in target ? auth(target.url) : undefined
}

function openTarget(target: HostTarget, options: ConnectOptions): Promise<Client> {
  const isOpen = typeof target === 'object' && 'open' in target
  return isOpen ? target.open(options) : connect(target, options)
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}
