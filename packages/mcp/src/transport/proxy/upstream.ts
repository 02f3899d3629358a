import type { ClientIdentity } from '../../client/connection/identity.ts'
import type { ClientSession } from '../../client/connection/session.ts'
import { isMcpError } from '../../rpc/errors/mcp-error.ts'
import { errorMessage } from '../../rpc/errors/on-error.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import type { Notification } from '../../rpc/message.ts'
import { isPromise, type MaybePromise } from '../../rpc/promise.ts'
import { ShortLivedList } from '../../rpc/short-lived.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { LoggingLevel } from '../../schema/logging.ts'
import type { Codec } from '../../wire/codec.ts'
import { createUpstreamSubscriptions, type UpstreamSubscriptions } from './interests.ts'
import { openUpstreamSession } from './open-session.ts'
import type { ProxySettings } from './proxy-options.ts'
import { createQuestions, relatedTask, type Asker } from './questions.ts'
import { createRestartBudget } from './restart-budget.ts'
import { reasonOf } from './translate.ts'

/** A call that the server works on, and the client that it is for. */
export interface RelayedCall extends Asker {
  /** The same for all calls of one client. */
  readonly owner: object
  /** A log message that belongs to no other client. */
  log(params: JsonObject): void
}

/** A call that the server works on as a task. */
export interface RelayedTask {
  readonly forwarded: RelayedCall
  /** What the server says about it. */
  hear(notification: Notification): void
}

/** A client with a session that uses the server. */
export interface Member extends Asker {
  /** Least severe log message that it wants. */
  readonly logLevel: LoggingLevel
  /** A notification that belongs to no call. */
  tell(method: string, params: JsonObject): void
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
  readonly calls: ShortLivedList<RelayedCall>
  readonly members: Set<Member>
  /** By the server's ids: calls that it works on as tasks, for clients that know nothing of these. */
  readonly tasks: Map<string, RelayedTask>
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
  /** What has to be said again whenever it is opened again. */
  setLevel(level: LoggingLevel): void
  close(): Promise<void>
}

export function createUpstream(
  settings: ProxySettings,
  client: ClientIdentity,
  codec: Pick<Codec, 'has' | 'revision'>,
): Upstream {
  const { clock, onError } = settings
  const controller = new AbortController()
  const budget = createRestartBudget(clock, settings.restarts)
  const calls = new ShortLivedList<RelayedCall>()
  const members = new Set<Member>()
  const listeners = new Set<(error: unknown) => void>()
  const tasks = new Map<string, RelayedTask>()
  const questions = createQuestions({ calls, members, tasks })
  const subscriptions = createUpstreamSubscriptions(settings, { client, reopen })
  let session: ClientSession | undefined
  let opening: Promise<ClientSession> | undefined
  let level: LoggingLevel | undefined
  let closing: Promise<void> | undefined

  async function open(): Promise<ClientSession> {
    const rejection = budget.refusal()
    if (rejection) throw rejection
    let isLost = false
    let opened: ClientSession | undefined
    opened = await openUpstreamSession(
      settings,
      client,
      codec,
      {
        onRequest: questions.ask,
        onNotification,
        onGap: () => subscriptions.onGap(),
        onLost(error) {
          isLost = true
          budget.failed(whyOf(error))
          if (session !== undefined && session === opened) lose(error)
        },
      },
      controller.signal,
    ).catch((error: unknown) => {
      // A refused connection starts nothing that could crash again.
      if (!isMcpError(error, 'unreachable')) budget.failed(whyOf(error))
      throw unavailable(error)
    })
    if (opened.isMistaken) settings.known.revision = undefined
    await restore(opened)
    if (isLost) throw unavailable(new Error('it ended while it was being opened'))
    session = opened
    return opened
  }

  /** What was asked of the session before, in the one that replaces it. */
  async function restore(opened: ClientSession): Promise<void> {
    if (level !== undefined) await sendLevel(opened, level)
    await subscriptions.establish(opened)
  }

  async function sendLevel(
    { kind, connection, server }: ClientSession,
    wanted: LoggingLevel,
  ): Promise<void> {
    if (kind === 'modern' || !server.capabilities.logging) return
    const limits = { idleMs: 30_000, totalMs: 30_000 }
    try {
      await connection.request('logging/setLevel', { level: wanted }, limits)
    } catch (error) {
      onError(error, { severity: 'warning', operation: 'logging/setLevel' }) // calls work without it
    }
  }

  function lose(error: unknown): void {
    session = undefined
    questions.abortAll(error)
    subscriptions.onLost()
    for (const listener of listeners) listener(error)
  }

  /** Somebody waits for what the server says unasked, so it is not left until the next call. */
  function reopen(): void {
    const pending = upstream.ready()
    if (isPromise(pending)) {
      pending.catch((error: unknown) => {
        onError(error, { severity: 'warning', operation: 'reopen' })
        subscriptions.onLost()
      })
    }
  }

  function onNotification({ method, params }: Notification): void {
    if (method === 'notifications/cancelled') return questions.cancel(params)
    const task = relatedTask(tasks, params)
    if (task) return task.hear({ method, params } as Notification) // as it came
    if (subscriptions.take(method, params)) return
    const [call] = questions.soleOwner()
    if (method === 'notifications/message' && call) return call.log(params)
    const [only] = members
    if (only && members.size === 1 && isOnlyFor(only)) only.tell(method, params)
  }

  /** Nobody else could be meant. */
  function isOnlyFor(member: Member): boolean {
    for (const { owner } of calls) if (owner !== member) return false
    return true
  }

  const upstream: Upstream = {
    get current() {
      return session
    },
    ready() {
      if (session !== undefined) return session
      if (closing) throw new RpcError('overloaded', 'this connection has been closed')
      opening ??= open().finally(() => (opening = undefined))
      return opening
    },
    calls,
    members,
    tasks,
    listeners,
    subscriptions,
    reservedFor: undefined,
    openedAt: clock.now(),
    usedAt: clock.now(),
    get isBusy() {
      return calls.size > 0 || members.size > 0 || subscriptions.count > 0
    },
    get isClosed() {
      return closing !== undefined
    },
    drop(droppedSession, reason) {
      if (session === droppedSession) lose(reason)
      void droppedSession.connection.close(reason)
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
    controller.abort(reason)
    subscriptions.close()
    questions.abortAll(reason)
    const last = session ?? (await opening?.catch(() => undefined))
    session = undefined
    await last?.connection.close(reason)
  }

  return upstream
}

/** What a client is told when the server cannot be reached: what happened to whom, and what to do. */
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
