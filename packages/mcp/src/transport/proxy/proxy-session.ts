/**
 * One client of a proxy that began with `initialize`, and its connection to the server. It forwards the client's requests, keeps
 * its subscriptions and its log level on the connection, and passes its notifications on.
 *
 * Subscriptions and log levels are the two things a shared connection has to combine for its clients: the union of the URIs, the
 * most talkative level. Requests that stand alone are answered by `modern-calls.ts`; sending itself is `forward.ts`.
 */

import type { ClientIdentity } from '../../client/connection/identity.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import type { MaybePromise } from '../../rpc/promise.ts'
import type { JsonObject } from '../../schema/json.ts'
import { loggingLevel, loggingLevels, type LoggingLevel } from '../../schema/logging.ts'
import type { SubscriptionFilter } from '../../schema/subscriptions.ts'
import type { BackendClient, BackendSession } from '../../server/backend.ts'
import type { Call } from '../../server/calls/call.ts'
import type { Outcome } from '../../server/calls/dispatch.ts'
import { forward, progressOf, type Forwarded } from './forward.ts'
import { finishRounds } from './input-rounds.ts'
import type { ProxySettings } from './proxy-options.ts'
import type { InputRequestForm } from './questions.ts'
import { requireMethod } from './require-method.ts'
import { tellInTurn } from './slow-reader.ts'
import { finishForTask, hostedCall, taskResult } from './tasks/hosted-call.ts'
import { hasOtherTasks, isAboutTasks } from './tasks/task-kinds.ts'
import { failureFor, isSameEra } from './translate.ts'
import type { UpstreamSubscription } from './upstream-subscriptions.ts'
import type { Member, Upstream } from './upstream.ts'

/** A session of a client, and the connection to the server that it uses. */
export interface ProxySession extends BackendSession {
  /** Passes one request on and returns the answer. */
  request(call: Call): MaybePromise<Outcome>
}

export function createProxySession(
  settings: ProxySettings,
  upstream: Upstream,
  client: ClientIdentity,
  onClose: () => void,
): ProxySession {
  const { limits, tasks } = settings
  const finish = finishRounds(settings)
  const finishHosted = finishRounds(settings, finishForTask)
  /** One of several servers of a client follows its own alone. */
  const subscriptions = new Set<string>()
  let peer: BackendClient | undefined
  let subscription: UpstreamSubscription | undefined
  let changing: Promise<unknown> = Promise.resolve()
  let isClosed = false

  const notifyInTurn = tellInTurn({
    drained: () => peer?.transport.drained?.(),
    send(method, params) {
      if (isClosed || !peer?.isReady) return
      peer.transport.notifySession(method, Object.keys(params).length === 0 ? undefined : params)
    },
  })

  const member: Member = {
    capabilities: client.capabilities,
    get logLevel() {
      return peer?.logLevel ?? 'info'
    },
    notify: (method, params) => notifyInTurn(method, params),
    ask({ method, params, signal, onProgress }) {
      if (peer === undefined) throw new RpcError('overloaded', 'the client is not there yet')
      const wait = { idleMs: limits.inputMs, totalMs: Infinity, limit: 'input', signal } as const
      return peer.transport.requestOutsideCall(
        method,
        params,
        onProgress === undefined ? wait : { ...wait, onProgress },
      )
    },
  }
  upstream.attachedClients.add(member)

  function request(call: Call): MaybePromise<Outcome> {
    const { method } = call
    requireMethod(call)
    switch (method) {
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        return follow(call)
      case 'logging/setLevel':
        return setLevel(call)
      default:
        return mayBeHosted(call)
          ? host(call)
          : forward(settings, upstream, new SessionCall(call, client, member, upstream), finish)
    }
  }

  /** In front of a server with another kind of tasks, those of the client are kept here. */
  async function host(call: Call): Promise<Outcome> {
    const session = await upstream.ready()
    if (!hasOtherTasks(session, call.caller)) {
      return forward(settings, upstream, new SessionCall(call, client, member, upstream), finish)
    }
    if (isAboutTasks(call.method)) return tasks.request(call)
    return tasks.call(call, 'optional', async (work) => {
      const hosted = hostedCall(work, client, undefined)
      return taskResult(await forward(settings, upstream, hosted, finishHosted))
    })
  }

  /** One change after the other, since each replaces what was there. */
  function follow(call: Call): Promise<Outcome> {
    const done = changing.then(() => changeInterest(call))
    changing = done.catch(() => undefined)
    return done
  }

  async function changeInterest(call: Call): Promise<Outcome> {
    const { method, params } = call
    const { uri } = params
    if (typeof uri !== 'string')
      throw new RpcError('invalid_params', `${method}: uri: expected text`)
    const isAdded = method === 'resources/subscribe'
    if (isAdded && subscriptions.size >= maxSubscriptions) throw tooMany()
    const wanted = new Set(subscriptions)
    if (isAdded) wanted.add(uri)
    else wanted.delete(uri)
    const session = await upstream.ready()
    try {
      await listenFor(wanted, isAdded ? uri : undefined)
    } catch (error) {
      return failureFor(session, call, error)
    }
    if (isAdded) subscriptions.add(uri)
    else subscriptions.delete(uri)
    return { kind: 'raw', result: {} }
  }

  async function listenFor(uris: ReadonlySet<string>, required?: string): Promise<void> {
    const session = await upstream.ready()
    const next: UpstreamSubscription = {
      filter: filterFor(uris),
      required,
      deliver: notifyInTurn,
    }
    const { subscriptions: interests } = upstream
    const accepted = await (subscription === undefined
      ? interests.add(next, session)
      : interests.replace(subscription, next, session))
    if (isClosed) return interests.remove(next)
    subscription = next
    if (required !== undefined && !accepted.resourceSubscriptions?.includes(required)) {
      if (session.kind === 'modern') throw notFollowed(required)
    }
  }

  /** The most talkative level that any client of the connection wants; each gets what it asked for. */
  async function setLevel(call: Call): Promise<Outcome> {
    const { level } = call.params
    if (loggingLevel(level) !== undefined) {
      throw new RpcError(
        'invalid_params',
        `logging/setLevel: level: expected one of ${loggingLevels.join(', ')}`,
      )
    }
    call.caller.setLogLevel(level as LoggingLevel) // just checked
    const wanted = lowest([...upstream.attachedClients].map((each) => each.logLevel))
    upstream.setLevel(wanted)
    const session = await upstream.ready()
    if (!isSameEra(session, call.caller.codec)) return { kind: 'raw', result: {} } // it goes with every request
    const params = { ...call.params, level: wanted }
    const limit = { idleMs: settings.timeouts.idleMs, totalMs: settings.timeouts.totalMs }
    try {
      const result = await session.connection.request('logging/setLevel', params, limit)
      return { kind: 'raw', result }
    } catch (error) {
      return failureFor(session, call, error)
    }
  }

  return {
    request,
    attach(input) {
      peer = input
    },
    ready() {
      changing = changing
        .then(() => listenFor(new Set()))
        .catch((error: unknown) =>
          settings.onError(error, { severity: 'warning', operation: 'subscriptions' }),
        )
    },
    notification(method, params) {
      const { current } = upstream
      if (current?.kind !== 'legacy' || upstream.attachedClients.size > 1) return
      const isEmpty = Object.keys(params).length === 0
      current.connection.notify(method, isEmpty ? undefined : params)
    },
    close() {
      if (isClosed) return
      isClosed = true
      upstream.attachedClients.delete(member)
      if (subscription) upstream.subscriptions.remove(subscription)
      onClose()
    },
  }
}

/** A call of a session. A class, against our habit, because one is made for every request. */
class SessionCall implements Forwarded {
  readonly call: Call
  readonly client: ClientIdentity
  readonly owner: Member
  readonly signal = undefined
  readonly onProgress: Forwarded['onProgress']
  private readonly upstream: Upstream

  constructor(call: Call, client: ClientIdentity, owner: Member, upstream: Upstream) {
    this.call = call
    this.client = client
    this.owner = owner
    this.onProgress = progressOf(call)
    this.upstream = upstream
  }

  get capabilities(): ClientIdentity['capabilities'] {
    return this.client.capabilities
  }

  ask({ method, params, signal, onProgress }: InputRequestForm): Promise<JsonObject> {
    const { caller } = this.call
    const limited = { timeoutMs: caller.limits.inputMs, signal, onProgress }
    return this.call.pauseTimeout(() => caller.request(method, params, limited))
  }

  log(params: JsonObject): void {
    const { caller } = this.call
    const isShared = this.upstream.attachedClients.size > 1
    if (isShared && !isWanted(params['level'], caller.logLevel)) return
    if (caller.mayLog()) caller.notify('notifications/message', params)
  }
}

/** About a task, in the revision in which clients decide what is one. */
function mayBeHosted({ method, params, caller }: Call): boolean {
  if (caller.codec.has.tasks !== 'core') return false
  return isAboutTasks(method) || (method === 'tools/call' && 'task' in params)
}

/** Returns the filter of a session: changes of lists, and these URIs. */
function filterFor(uris: ReadonlySet<string>): SubscriptionFilter {
  return {
    toolsListChanged: true,
    promptsListChanged: true,
    resourcesListChanged: true,
    ...(uris.size > 0 && { resourceSubscriptions: [...uris] }),
  }
}

/** URIs that one session may follow. */
const maxSubscriptions = 10_000

function tooMany(): RpcError {
  const why = `a session may subscribe to ${maxSubscriptions} URIs at once`
  const data = { limit: 'subscriptions', allowed: maxSubscriptions }
  return new RpcError('limit_exceeded', why, { data })
}

function notFollowed(uri: string): RpcError {
  return new RpcError('resource_not_found', `the server does not tell of changes of ${uri}`, {
    data: { uri },
  })
}

function lowest(wanted: readonly LoggingLevel[]): LoggingLevel {
  return loggingLevels.find((level) => wanted.includes(level)) ?? 'info'
}

/** Returns true if a client that wants `least` and worse wants this level. */
export function isWanted(level: unknown, least: LoggingLevel | undefined): boolean {
  if (least === undefined) return false
  const at = loggingLevels.indexOf(level as LoggingLevel) // -1 for anything else
  return at === -1 || at >= loggingLevels.indexOf(least)
}
