/**
 * One server behind the gateway: its connections, what it offers, and its health. It watches the server with a session of its own,
 * reads the lists again when they change, and tries again with growing pauses when it fails. Requests of callers go through
 * `identity/caller-connections.ts`; the catalogue is told of every change.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'

import { createMemoryTokenStore, type TokenStore } from '@parley/auth/client'
import { isMcpError, isRpcError, type OnError, type RequestObserver } from '@parley/mcp'
import type { ClientAuth, ServerDescription } from '@parley/mcp/client'
import { errorMessage } from '@parley/mcp/json'
import { createProxy, type Proxy, type ProxyWatch } from '@parley/mcp/proxy'

import { createChildren, type Children } from '../bridge/children.ts'
import {
  createCallerConnections,
  type CallerConnections,
  type UpstreamProxy,
} from '../identity/caller-connections.ts'
import { isForCaller } from '../identity/outgoing-auth.ts'
import { ownCredentials } from '../identity/outgoing-credentials.ts'
import { openApiOpener } from '../openapi/openapi-server.ts'
import { createBackOff, type BackOffLimits } from './back-off.ts'
import type { GatewayServer } from './server-options.ts'
import {
  listNames,
  listRules,
  noLists,
  readLists,
  type ListName,
  type UpstreamLists,
} from './upstream-lists.ts'
import { maxAttempts, type UpstreamState } from './upstream-state.ts'

/** One server behind the gateway: its connections, what it offers, and how it is. */
export interface Upstream {
  readonly name: string
  readonly server: GatewayServer
  readonly proxy: UpstreamProxy
  /** Set where each caller has connections, and lists, of their own. */
  readonly callers: CallerConnections | undefined
  readonly state: UpstreamState
  /** The lists as far as known; the last ones while the server is unavailable for a short time. */
  readonly lists: UpstreamLists
  /** The lists as last read, even while the server cannot be used. */
  readonly lastLists: UpstreamLists
  /** The processes that it is; undefined for one at an address. */
  readonly children: Children | undefined
  /** Calls under way. */
  readonly calls: number
  /** The server's description of itself, once it is known. */
  readonly description: ServerDescription | undefined
  /** Resolves when it has answered for the first time, or failed to. */
  readonly started: Promise<void>
  /** A call had no answer: it is looked at now. */
  suspect(error: unknown): void
  /**
   * Resolves when it answers, with false if it does not for longer than calls wait. One at an address that has just gone away
   * is tried every quarter of a second meanwhile; later each call has it looked at, and waits for nothing else.
   */
  usable(signal: AbortSignal): Promise<boolean>
  /** A call is under way, until `ended` is called for it. */
  began(): void
  /** One of the calls that have begun is over. */
  ended(): void
  /** Lets calls finish for up to `deadlineMs`, then ends all connections. @defaultValue 0 */
  close(deadlineMs?: number): Promise<void>
}

/** Receives events of a server. */
export interface UpstreamEvents {
  onState(name: string, state: UpstreamState): void
  onLists(name: string, changed: readonly ListName[]): void
  onStderr?: ((name: string, line: string) => void) | undefined
  readonly onError: OnError
  /** Called when the server's lists for one caller changed. */
  onCallerLists?: ((name: string, account: string) => void) | undefined
  /** Watches what is sent to the server. */
  readonly observer?: RequestObserver | undefined
  /** Where the tokens of callers are kept. @defaultValue in memory */
  readonly tokens?: TokenStore | undefined
}

/** How often a server is tried for calls that wait. */
const queriedMs = 250

/** How long the gateway waits before it tries a server again. */
export const defaultBackOff: BackOffLimits = { minMs: 500, maxMs: 60_000 }

/** Starts to look at the server at once; nobody waits for it. */
export function createUpstream(
  name: string,
  server: GatewayServer,
  events: UpstreamEvents,
  backOffLimits: BackOffLimits = defaultBackOff,
): Upstream {
  const { onError } = events
  const backOff = createBackOff(backOffLimits)
  const listBackOff = createBackOff(backOffLimits)
  const { patienceMs = 5_000 } = backOffLimits
  let noise: string | undefined
  const { children, proxy, callers } = openProxy(name, server, {
    ...events,
    onError(error, report) {
      if (isMcpError(error, 'invalid_message')) noise ??= error.details.excerpt
      onError(error, report)
    },
  })
  const watch: ProxyWatch = proxy.watch({
    info: { name: 'parley-gateway', version: '0.1.0' },
    onChanged(list) {
      for (const each of listNames) if (listRules[each].capability === list) changedLists.add(each)
      void poll()
    },
    onDisconnected(error) {
      if (state.state !== 'ready') return
      noteAbsence(error)
      become({ state: 'degraded', since: Date.now(), cause: errorMessage(error) })
      later(backOff.next())
    },
  })
  let state: UpstreamState = { state: 'starting', since: Date.now() }
  let lists: UpstreamLists = noLists
  let lastLists: UpstreamLists = noLists
  /** The lists that the server reported as changed: callers may see another part of them than we do. */
  const changedLists = new Set<ListName>()
  let description: ServerDescription | undefined
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let isStale = false
  let isClosed = false
  let calls = 0
  /** Since when nothing answers at its address. */
  let awaySince: number | undefined
  let lookedAt = -Infinity
  let onIdle: (() => void) | undefined

  function become(next: UpstreamState): void {
    if (isClosed) return
    state = next
    events.onState(name, next)
  }

  function offer(next: UpstreamLists): void {
    const before = lists
    lists = next
    if (next !== noLists) lastLists = next
    const changed = listNames.filter(
      (each) => changedLists.has(each) || !isDeepStrictEqual(before[each], next[each]),
    )
    changedLists.clear()
    if (changed.length > 0 && !isClosed) events.onLists(name, changed)
  }

  /** One look at a time; what changes meanwhile is seen by another. */
  function poll(isRequested = false): Promise<void> {
    clearTimeout(timer)
    isStale = looking !== undefined && !isRequested
    lookedAt = Date.now()
    looking ??= lookOnce(isRequested).finally(() => {
      looking = undefined
      if (isStale && !isClosed && state.state === 'ready') void poll()
    })
    return looking
  }

  async function lookOnce(isRequested: boolean): Promise<void> {
    noise = undefined
    try {
      const opened = await watch.open()
      const { lists: read, hasFailed } = await readLists(watch, opened.capabilities, lastLists)
      if (isClosed) return
      description = opened
      backOff.reset()
      awaySince = undefined
      if (hasFailed) later(listBackOff.next())
      else listBackOff.reset()
      if (state.state !== 'ready') become({ state: 'ready', since: Date.now() })
      offer(read)
    } catch (error) {
      if (!isClosed) fail(error, isRequested)
    }
  }

  function noteAbsence(error: unknown): void {
    if ('url' in server && isAway(error)) awaySince ??= Date.now()
    else awaySince = undefined
  }

  /** A look that a call asked for changes nothing of the plan. */
  function fail(error: unknown, isRequested: boolean): void {
    const cause = causeOf(error, noise)
    noteAbsence(error)
    if (isRequested && 'attempt' in state && awaySince !== undefined) {
      state = { ...state, cause }
      return later(Math.max(0, state.nextAt - Date.now()))
    }
    const wish = isRpcError(error, 'overloaded') ? error.data?.retryAfterMs : undefined
    const isPermanentError = isPermanent(error) || backOff.attempt + 1 >= maxAttempts
    const delay = backOff.next(isPermanentError ? backOffLimits.maxMs : wish)
    const { attempt } = backOff
    const nextAt = Date.now() + delay
    const since = 'attempt' in state ? state.since : Date.now()
    become({ state: isPermanentError ? 'failed' : 'backing-off', since, cause, attempt, nextAt })
    if (isPermanentError) offer(noLists)
    later(delay)
  }

  function later(ms: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => void poll(), ms)
    timer.unref()
  }

  function untilIdle(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const late = setTimeout(resolve, ms)
      onIdle = () => {
        clearTimeout(late)
        resolve()
      }
    })
  }

  if (server.isDisabled) state = { state: 'disabled', since: Date.now() }
  const started = server.isDisabled ? Promise.resolve() : poll()

  return {
    name,
    server,
    proxy,
    callers,
    get state() {
      return state
    },
    get lists() {
      return lists
    },
    get lastLists() {
      return lastLists
    },
    children,
    get calls() {
      return calls
    },
    get description() {
      return description
    },
    started,
    suspect(error) {
      if (state.state !== 'ready' && state.state !== 'degraded') return
      onError(error, { severity: 'warning', operation: name })
      if (error instanceof Error && isAway(error.cause)) noteAbsence(error.cause)
      void poll()
    },
    async usable(signal) {
      if (patienceMs === 0) return false
      if (awaySince !== undefined) await looking
      while (state.state !== 'ready' && awaySince !== undefined && !isClosed) {
        if (signal.aborted) return false
        const isRecent = Date.now() - awaySince < patienceMs
        if (Date.now() - lookedAt >= (isRecent ? queriedMs : 4 * queriedMs)) void poll(true)
        await Promise.race([looking, sleep(queriedMs, undefined, { ref: false })])
        if (!isRecent) break
      }
      return state.state === 'ready'
    },
    began() {
      calls += 1
    },
    ended() {
      calls -= 1
      if (calls === 0) onIdle?.()
    },
    async close(deadlineMs = 0) {
      isClosed = true
      clearTimeout(timer)
      watch.close()
      if (calls > 0 && deadlineMs > 0) await untilIdle(deadlineMs)
      await proxy.close()
      children?.[Symbol.dispose]()
    },
  }
}

function openProxy(
  name: string,
  server: GatewayServer,
  events: UpstreamEvents,
): {
  readonly proxy: UpstreamProxy
  readonly children: Children | undefined
  readonly callers: CallerConnections | undefined
} {
  const { onError, onStderr } = events
  const { startTimeoutMs = 30_000, callTimeoutMs, messageBytes, memoryBytes } = server
  const named: OnError = (error, report) => onError(error, { ...report, operation: name })
  const children =
    'command' in server
      ? createChildren(server, {
          onError: named,
          onStderr: onStderr && ((line) => onStderr(name, line)),
          messageBytes,
          memoryBytes,
        })
      : undefined
  const target =
    'openapi' in server
      ? openApiOpener(server, callTimeoutMs)
      : 'url' in server
        ? addressOf(server)
        : undefined
  const connect = (auth: ClientAuth | undefined): Proxy =>
    createProxy(children?.open ?? target ?? '', {
      auth,
      mode: server.mode,
      protocolVersion: server.protocolVersion,
      maxConnections: server.maxConnections,
      // A caller who is told to sign in does not end the server.
      ...(isForCaller(server.auth) && { restarts: { count: 60, windowMs: 60_000 } }),
      reconnect: { maxAttempts: 3, minDelayMs: 200, maxDelayMs: 1_000 }, // then callers are told, and it is looked at again
      timeouts: {
        connectMs: startTimeoutMs,
        probeMs: Math.min(5_000, startTimeoutMs / 2),
        ...(callTimeoutMs !== undefined && { idleMs: callTimeoutMs }),
      },
      ...(messageBytes !== undefined && { limits: { messageBytes } }),
      observer: events.observer,
      onError: named,
    })
  if (!('url' in server) || server.auth === undefined) {
    return { proxy: connect(undefined), children, callers: undefined }
  }
  const { auth, url } = server
  if (!isForCaller(auth)) {
    return { proxy: connect(ownCredentials(auth, url)), children, callers: undefined }
  }
  const callers = createCallerConnections({
    name,
    url,
    auth,
    store: events.tokens ?? createMemoryTokenStore(),
    connect,
    maxCallers: server.maxConnections ?? 100,
    onLists: (account) => events.onCallerLists?.(name, account),
    onError: (error) => named(error, { severity: 'warning' }),
  })
  return { proxy: callers, children, callers }
}

function addressOf({ url, type, headers = {} }: Extract<GatewayServer, { url: string }>) {
  return { url, headers, ...(type !== undefined && { type }) }
}

/** Returns the cause of an error without the text that a proxy adds. */
function causeOf(error: unknown, noise: string | undefined): string {
  const plain = errorMessage(error).replace(/^the server behind this proxy cannot be used: /, '')
  // In the words of the file of a gateway, whose keys are others than those of the SDK.
  const message = plain
    .replaceAll('timeouts.connectMs', 'startTimeout')
    .replaceAll(/timeouts\.(?:idle|total)Ms/g, 'callTimeout')
    .replaceAll('limits.messageBytes', 'limits.message')
  const text =
    noise === undefined
      ? message
      : `it writes something other than messages to its standard output: ${JSON.stringify(noise.slice(0, 100))}. A server logs to standard error. ${message}`
  return text.length <= 500 ? text : `${text.slice(0, 500)}…`
}

/** Nothing answers at its address: it has not crashed, and is back as soon as something listens there. */
function isAway(error: unknown): boolean {
  const cause = isRpcError(error) ? error.cause : error
  return isMcpError(cause, 'unreachable') || isMcpError(cause, 'connection_lost')
}

/** Trying again soon does not help: something has to be configured or installed. */
function isPermanent(error: unknown): boolean {
  const cause = isRpcError(error) ? error.cause : error
  if (isMcpError(cause, 'spawn_failed')) {
    const { exitCode, exitSignal } = cause.details
    return exitCode === undefined && exitSignal === undefined // it never ran
  }
  return isMcpError(cause, 'unauthorized') || isMcpError(cause, 'invalid_target')
}
