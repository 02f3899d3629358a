/**
 * One connection of a proxy to its server, and the clients that use it. It is opened with the first request and again with the
 * next one after it was lost; a server that fails too often is left alone for a while (`restart-budget.ts`).
 *
 * What the server sends reaches one client only: the one it works for, or the only one there is. Requests of the server are
 * routed by `questions.ts`, changes by `upstream-subscriptions.ts`; `upstream-pool.ts` decides which clients share a connection, `forward.ts`
 * sends their calls over it.
 */

import {
  createCurrentSession,
  restoreLogLevel,
  type SessionWatch,
} from '../../client/connection/current-session.ts'
import type { ClientIdentity } from '../../client/connection/identity.ts'
import type { ClientSession } from '../../client/connection/session.ts'
import type { Connection } from '../../rpc/connection.ts'
import { isMcpError } from '../../rpc/errors/mcp-error.ts'
import { errorMessage } from '../../rpc/errors/on-error.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import type { Notification } from '../../rpc/message.ts'
import { isPromise, type MaybePromise } from '../../rpc/promise.ts'
import { ShortLivedList } from '../../rpc/short-lived.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { LoggingLevel } from '../../schema/logging.ts'
import type { Codec } from '../../wire/codec.ts'
import { openUpstreamSession } from './open-upstream-session.ts'
import type { ProxySettings } from './proxy-options.ts'
import { createInputRequests, relatedTask, type Prompter } from './questions.ts'
import { createRestartBudget } from './restart-budget.ts'
import { reasonOf } from './translate.ts'
import {
  createUpstreamSubscriptions,
  type UpstreamSubscriptions,
} from './upstream-subscriptions.ts'

/** A call that the server works on, and the client that it is for. */
export interface ForwardedCall extends Prompter {
  /** The same for all calls of one client. */
  readonly owner: object
  /** A log message that belongs to no other client. */
  log(params: JsonObject): void
}

/** A call that the server works on as a task. */
export interface ForwardedTask {
  readonly forwarded: ForwardedCall
  /** Receives the server's notifications about it. */
  receive(notification: Notification): void
}

/** A client with a session that uses the server. */
export interface Member extends Prompter {
  /** Least severe log message that it wants. */
  readonly logLevel: LoggingLevel
  /** A notification that belongs to no call. */
  notify(method: string, params: JsonObject): void
}

/**
 * One connection to the server, opened when it is first needed and again after it was lost, and the clients that use it.
 * What the server sends reaches one of them only: the one it is working for, or the only one there is.
 */
export interface Upstream {
  /** The session in use, if there is one just now. */
  readonly current: ClientSession | undefined
  /** Opens it if necessary. Rejects with `RpcError`. */
  ready(): MaybePromise<ClientSession>
  readonly calls: ShortLivedList<ForwardedCall>
  readonly attachedClients: Set<Member>
  /** By the server's ids: calls that it works on as tasks, for clients that know nothing of these. */
  readonly tasks: Map<string, ForwardedTask>
  /** Told when a session is lost that was open. */
  readonly listeners: Set<(error: unknown) => void>
  readonly subscriptions: UpstreamSubscriptions
  /** Only this caller's requests may use it now. */
  reservedFor: object | undefined
  readonly openedAt: number
  /** When it was last seen in use. */
  usedAt: number
  readonly isBusy: boolean
  readonly isClosed: boolean
  /** Gives up a session that the server has forgotten; the next request opens another. */
  drop(session: ClientSession, reason: unknown): void
  /** Sets the log level, which every new session requests again. */
  setLevel(level: LoggingLevel): void
  close(): Promise<void>
}

export function createUpstream(
  settings: ProxySettings,
  client: ClientIdentity,
  codec: Pick<Codec, 'has' | 'revision'>,
): Upstream {
  const { clock, onError } = settings
  const budget = createRestartBudget(clock, settings.restarts)
  const calls = new ShortLivedList<ForwardedCall>()
  const attachedClients = new Set<Member>()
  const listeners = new Set<(error: unknown) => void>()
  const tasks = new Map<string, ForwardedTask>()
  const inputRequests = createInputRequests({ calls, attachedClients, tasks })
  const subscriptions = createUpstreamSubscriptions(settings, { client, reopen })
  let opening: Promise<ClientSession> | undefined
  let level: LoggingLevel | undefined
  let closing: Promise<void> | undefined

  const current = createCurrentSession({
    open: openOnce,
    onDisconnected(cause) {
      inputRequests.abortAll(cause)
      subscriptions.onDisconnected()
      for (const listener of listeners) listener(cause)
    },
  })

  async function open(): Promise<ClientSession> {
    const rejection = budget.rejection()
    if (rejection) throw rejection
    try {
      return await current.open(restore)
    } catch (error) {
      throw unavailable(error)
    }
  }

  async function openOnce(watch: SessionWatch, signal: AbortSignal): Promise<ClientSession> {
    const events = {
      onRequest: inputRequests.ask,
      onNotification,
      onGap: () => subscriptions.onGap(),
      onDisconnected(error: unknown) {
        budget.failed(whyOf(error))
        watch.onDisconnected(error)
      },
    }
    try {
      const opened = await openUpstreamSession(settings, client, codec, events, signal)
      if (opened.isMistaken) settings.known.revision = undefined
      return opened
    } catch (error) {
      // A refused connection starts nothing that could crash again.
      if (!isMcpError(error, 'unreachable')) budget.failed(whyOf(error))
      throw error
    }
  }

  /** Sends to a new session what the one before was asked for. */
  async function restore(opened: ClientSession): Promise<void> {
    await restoreLogLevel(opened, level, onError).catch((error: unknown) => {
      onError(error, { severity: 'warning', operation: 'logging/setLevel' }) // calls work without it
    })
    await subscriptions.establish(opened)
  }

  /** Opens the connection now: a client waits for notifications. */
  function reopen(): void {
    const pending = upstream.ready()
    if (isPromise(pending)) {
      pending.catch((error: unknown) => {
        onError(error, { severity: 'warning', operation: 'reopen' })
        subscriptions.onDisconnected()
      })
    }
  }

  function onNotification(notification: Notification, connection: Connection): void {
    const { method, params } = notification
    if (method === 'notifications/cancelled') {
      if (!subscriptions.take(notification, connection)) inputRequests.cancel(params)
      return
    }
    const task = relatedTask(tasks, params)
    if (task) return task.receive(notification)
    if (subscriptions.take(notification, connection)) return
    const [call] = inputRequests.soleOwner()
    if (method === 'notifications/message' && call) return call.log(params)
    const [only] = attachedClients
    if (only && attachedClients.size === 1 && isOnlyFor(only)) only.notify(method, params)
  }

  /** Nobody else could be meant. */
  function isOnlyFor(member: Member): boolean {
    for (const { owner } of calls) if (owner !== member) return false
    return true
  }

  const upstream: Upstream = {
    get current() {
      return current.session
    },
    ready() {
      const { session } = current
      if (session !== undefined) return session
      if (closing) throw new RpcError('overloaded', 'this connection has been closed')
      opening ??= open().finally(() => (opening = undefined))
      return opening
    },
    calls,
    attachedClients,
    tasks,
    listeners,
    subscriptions,
    reservedFor: undefined,
    openedAt: clock.now(),
    usedAt: clock.now(),
    get isBusy() {
      return calls.size > 0 || attachedClients.size > 0 || subscriptions.count > 0
    },
    get isClosed() {
      return closing !== undefined
    },
    drop({ connection }, reason) {
      connection.fail(reason)
    },
    setLevel(wanted) {
      level = wanted
    },
    close() {
      closing ??= end()
      return closing
    },
  }

  async function end(): Promise<void> {
    const reason = new RpcError('overloaded', 'the connection to the server was closed')
    subscriptions.close()
    inputRequests.abortAll(reason)
    const attempt = opening?.catch(() => undefined)
    await current.close(reason)
    await attempt
  }

  return upstream
}

/** Returns the error for a client when the server cannot be reached: what happened, and what to do. */
function unavailable(error: unknown): RpcError {
  if (error instanceof RpcError) return error
  const hint = isMcpError(error) ? error.hint : undefined
  const why = `the server behind this proxy cannot be used: ${whyOf(error)}`
  return new RpcError('internal_error', hint === undefined ? why : `${why}. ${hint}`, {
    cause: error,
  })
}

function whyOf(error: unknown): string {
  if (isMcpError(error)) return reasonOf(error)
  return errorMessage(error)
}
