/**
 * Connections to one server that are apart for each caller, so that no session or token is used for another. They are closed when the
 * caller is idle. A caller whose credentials were rejected is not asked to sign in again with every request.
 */

import type { TokenStore } from '@parley/auth/client'
import { RpcError, type AuthInfo } from '@parley/mcp'
import type { ClientAuth } from '@parley/mcp/client'
import { isUnanswered, type BackendOutcome } from '@parley/mcp/internal/relay'
import { type Proxy, type ProxySession } from '@parley/mcp/proxy'

import type { UpstreamLists } from '../upstreams/upstream-lists.ts'
import { createCallerLists, type CallerLists } from './caller-lists.ts'
import { guardedWatch } from './guarded-watch.ts'
import { IdentityRejection } from './identity-refusal.ts'
import { noteRejections, type NotedAuth } from './noted-auth.ts'
import type { CallerAuth } from './outgoing-auth.ts'
import { accountOf, callerCredentials } from './outgoing-credentials.ts'

/** The part of a proxy that the gateway uses. */
export type UpstreamProxy = Pick<Proxy, 'relay' | 'watch' | 'connections' | 'close'>

/** Connections to one server, apart for each caller: nobody's session or token is ever used for another. */
export interface CallerConnections extends UpstreamProxy {
  /** Returns the server's lists for this caller; undefined until they are read, which `onLists` reports. */
  listsOf(auth: AuthInfo): Promise<UpstreamLists | undefined>
  /** Somebody has signed in: what was refused before may work now. */
  signedIn(account: string): void
  /** Whether this caller has to sign in before anything else. */
  needsSignIn(auth: AuthInfo): boolean
}

/** Options of the connections. */
export interface CallerConnectionsOptions {
  readonly name: string
  readonly url: string
  readonly auth: CallerAuth
  readonly store: TokenStore
  /** A proxy in front of the server, for whoever has these credentials. */
  connect(auth: ClientAuth | undefined): Proxy
  /** Callers with connections at once. */
  readonly maxCallers: number
  /** Called when the lists of one caller changed. */
  onLists(account: string): void
  onError(error: unknown): void
}

/** One caller. */
interface Entry {
  readonly account: string
  readonly slot: { auth: AuthInfo }
  readonly noted: NotedAuth
  readonly proxy: Proxy
  readonly lists: CallerLists
  sessions: number
  calls: number
  usedAt: number
}

/** A caller whose connections nobody has used for this long has none any more. */
const idleMs = 600_000
/** The time during which a caller who was told to sign in is not checked again. */
const rejectedMs = 3_000

export function createCallerConnections(options: CallerConnectionsOptions): CallerConnections {
  const { name, url, auth: settings, store, connect, maxCallers } = options
  const stranger = connect(undefined)
  const entries = new Map<string, Entry>()
  const closing = new Set<Promise<void>>()
  let isClosed = false
  const sweep = setInterval(() => {
    for (const [key, entry] of entries) {
      if (isIdle(entry) && Date.now() - entry.usedAt > idleMs) end(key, entry)
    }
  }, 60_000)
  sweep.unref()

  /** A user's own grant is the same through every client; a token says by which client it may be used. */
  function keyOf(auth: AuthInfo): string {
    return settings.type === 'user'
      ? accountOf(auth)
      : JSON.stringify([auth.issuer, auth.subject, auth.clientId])
  }

  function entryOf(auth: AuthInfo | undefined): Entry {
    if (auth === undefined) throw unknownCaller(name)
    const key = keyOf(auth)
    const entry = entries.get(key) ?? create(key, auth)
    entry.slot.auth = auth
    entry.usedAt = Date.now()
    return entry
  }

  function create(key: string, auth: AuthInfo): Entry {
    if (isClosed) throw new RpcError('overloaded', `the server ${name} is no longer there`)
    freeCapacity()
    const slot = { auth }
    const noted = noteRejections(name, callerCredentials(settings, url, slot, store))
    const proxy = connect(noted.auth)
    const account = accountOf(auth)
    const lists = createCallerLists(proxy, {
      onChanged: () => options.onLists(account),
      onError: options.onError,
    })
    const entry: Entry = {
      account,
      slot,
      noted,
      proxy,
      lists,
      sessions: 0,
      calls: 0,
      usedAt: Date.now(),
    }
    entries.set(key, entry)
    return entry
  }

  /** The one that was not used for longest goes. */
  function freeCapacity(): void {
    if (entries.size < maxCallers) return
    const [oldest] = [...entries]
      .filter(([, entry]) => isIdle(entry))
      .toSorted(([, a], [, b]) => a.usedAt - b.usedAt)
    if (oldest !== undefined) return end(...oldest)
    const why = `more callers use the server ${JSON.stringify(name)} at once than limits.connections (${maxCallers}) allows`
    throw new RpcError('overloaded', why, {
      data: { limit: 'connections', allowed: maxCallers },
    })
  }

  function end(key: string, { lists, proxy }: Entry): void {
    entries.delete(key)
    lists.close()
    const closed = proxy.close().finally(() => closing.delete(closed))
    closing.add(closed)
  }

  /** Runs a request; a failure for want of credentials is reported as such, others are the server's. */
  async function run(
    entry: Entry,
    send: () => BackendOutcome | Promise<BackendOutcome>,
  ): Promise<BackendOutcome> {
    const { noted } = entry
    requireNotRejected(noted)
    entry.calls += 1
    const { rejections } = noted
    try {
      const answer = await send()
      if (answer.kind === 'error' && isUnanswered(answer)) {
        const rejection = rejectionSince(noted, rejections)
        if (rejection !== undefined) throw rejection
      } else noted.rejection = undefined
      return answer
    } catch (error) {
      throw rejectionSince(noted, rejections) ?? error
    } finally {
      entry.calls -= 1
      entry.usedAt = Date.now()
    }
  }

  return {
    relay: {
      async open(opening) {
        const entry = entryOf(opening.auth)
        const { noted } = entry
        requireNotRejected(noted)
        const { rejections } = noted
        entry.sessions += 1
        try {
          const welcome = await entry.proxy.relay.open(opening)
          return { ...welcome, session: watched(welcome.session, entry) }
        } catch (error) {
          entry.sessions -= 1
          throw rejectionSince(noted, rejections) ?? error
        }
      },
      request(call) {
        const entry = entryOf(call.caller.auth)
        return run(entry, () => entry.proxy.relay.request(call))
      },
    },
    watch: (watcher) => guardedWatch(stranger.watch(watcher)),
    get connections() {
      const own = [...entries.values()].reduce((sum, { proxy }) => sum + proxy.connections, 0)
      return own + stranger.connections
    },
    async listsOf(auth) {
      const { noted, lists } = entryOf(auth)
      return isJustRejected(noted) ? undefined : lists.read()
    },
    needsSignIn(auth) {
      return settings.type === 'user' && entryOf(auth).noted.rejection?.signIn !== undefined
    },
    signedIn(account) {
      for (const entry of entries.values()) {
        if (entry.account !== account) continue
        entry.noted.rejection = undefined
        entry.noted.rejectedAt = 0
        entry.lists.forget()
      }
      options.onLists(account)
    },
    async close() {
      isClosed = true
      clearInterval(sweep)
      for (const [key, entry] of entries) end(key, entry)
      await stranger.close()
      await Promise.all(closing)
    },
  }

  /** The session of one client of this caller. */
  function watched(session: ProxySession, entry: Entry): ProxySession {
    let isOpen = true
    return {
      attach: (client) => session.attach(client),
      ready: () => session.ready(),
      notification: (method, params) => session.notification(method, params),
      request(call) {
        const { auth } = call.caller
        // Sessions belong to who opened them: another user's request does not get here, and would not get on.
        if (auth === undefined || accountOf(auth) !== entry.account) throw unknownCaller(name)
        entry.slot.auth = auth
        entry.usedAt = Date.now()
        return run(entry, () => session.request(call))
      },
      close() {
        if (isOpen) entry.sessions -= 1
        isOpen = false
        session.close()
      },
    }
  }
}

function isIdle({ sessions, calls }: Entry): boolean {
  return sessions === 0 && calls === 0
}

/** Why credentials were refused since then; undefined if they were not. */
function rejectionSince(noted: NotedAuth, before: number): IdentityRejection | undefined {
  return noted.rejections > before ? noted.rejection : undefined
}

/** Throws the same rejection again if the last one was a moment ago. */
function requireNotRejected(noted: NotedAuth): void {
  if (noted.rejection !== undefined && isJustRejected(noted)) throw noted.rejection
}

function isJustRejected({ rejection, rejectedAt }: NotedAuth): boolean {
  return rejection?.signIn !== undefined && Date.now() - rejectedAt < rejectedMs
}

function unknownCaller(name: string): IdentityRejection {
  const server = `the server ${JSON.stringify(name)}`
  return new IdentityRejection(
    name,
    `${server} needs an authenticated caller; this request is anonymous`,
  )
}
