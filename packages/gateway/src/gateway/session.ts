/**
 * The session of one client of the gateway, and its sessions with the servers, each opened when it is first needed. It keeps what
 * belongs to the client: log level, subscriptions, lists that were read for it.
 */

import type { JsonObject, LoggingLevel } from '@parley/mcp'
import {
  ForwardedCall,
  type BackendCall,
  type BackendClient,
  type BackendOpening,
  type BackendSession,
} from '@parley/mcp/internal/relay'
import { type ProxySession } from '@parley/mcp/proxy'

import { createCatalogue, type Catalogue } from '../naming/catalogue.ts'
import { listNames, type ListName, type UpstreamLists } from '../upstreams/upstream-lists.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import { hiddenBy } from './answer-lists.ts'
import { callerOf, isFor } from './caller.ts'
import type { GatewayChange, GatewayCore } from './core.ts'
import type { FoundResource } from './find-resource.ts'
import { readGatewayList } from './own-lists.ts'
import { statusUri } from './status.ts'

/** The session of one client, and its sessions with the servers, each opened when it is first needed. */
export interface GatewaySession extends BackendSession {
  /** Counts up within a process: the id that its client has is nobody else's business. */
  readonly number: number
  readonly openedAt: number
  readonly opening: BackendOpening
  /** Names of the servers that it has a session with. */
  readonly upstreams: readonly string[]
  /** How its client is reached, once it is there. */
  readonly client: BackendClient | undefined
  /** Its session with one server; nobody else uses it, unless the server is configured to be shared. */
  at(upstream: Upstream, call: BackendCall): Promise<ProxySession> | ProxySession
  /** Returns the features for this client: a server may have sent it a different list. */
  catalogue(call: BackendCall): Promise<Catalogue> | Catalogue
  /** Sets the least severe level of logs, at every server. */
  setLevel(level: LoggingLevel, call: BackendCall): Promise<void>
  /** The client follows a resource, and was allowed to. */
  follow(uri: string, found: FoundResource): void
  /** Whether the client follows the state of the gateway. */
  followsStatus: boolean
  /** Where the client follows a resource. */
  readonly subscribed: Map<string, FoundResource>
}

/** The lists as far as they have been read. */
type OwnLists = { -readonly [Name in ListName]?: UpstreamLists[Name] }

interface OwnState {
  readonly stale: Set<ListName>
  readonly lists: OwnLists
  failedAt: number
}

/** A list that could not be read is not asked for again with every call. */
const againMs = 250

const listOf: { readonly [method: string]: readonly ListName[] | undefined } = {
  'notifications/tools/list_changed': ['tools'],
  'notifications/prompts/list_changed': ['prompts'],
  'notifications/resources/list_changed': ['resources', 'resourceTemplates'],
}

export function createGatewaySession(core: GatewayCore, opening: BackendOpening): GatewaySession {
  const open = new Map<Upstream, Promise<ProxySession>>()
  /** Those of `open` that have been opened: calls wait for nothing then. */
  const opened = new Map<Upstream, ProxySession>()
  /** Lists that a server has changed for this client, to be asked for in its own session. */
  const own = new Map<Upstream, OwnState>()
  /** Followed once, and not to be told of any more. */
  const forbidden = new Set<string>()
  let client: BackendClient | undefined
  let level: LoggingLevel | undefined
  let isReady = false
  let isClosed = false
  let merged: Catalogue | undefined
  let changes = 0

  function onChange(change: GatewayChange): void {
    merged = undefined
    changes += 1
    if (change.type === 'servers') {
      leaveForbidden()
      return leaveRemoved()
    }
    if (!isReady || isClosed) return
    if (change.type !== 'status') {
      if (!isFor(change, opening.auth)) return
      client?.transport.notifySession(
        `notifications/${change.type}/list_changed`,
        undefined,
        isShared(),
      )
    } else if (session.followsStatus) {
      client?.transport.notifySession(
        'notifications/resources/updated',
        { uri: statusUri },
        isShared(),
      )
    }
  }
  core.listeners.add(onChange)

  /** Each process sees the servers for itself, and tells those who listen there. */
  function isShared(): boolean {
    return core.processes !== undefined
  }

  /** Rules may have changed: nothing more is told of a resource that the client may not use any longer. */
  function leaveForbidden(): void {
    const caller = callerOf({
      auth: opening.auth,
      client: { info: opening.clientDescription.clientInfo },
    })
    for (const [uri, found] of session.subscribed) {
      if (hiddenBy(core.checks, caller, found) === undefined) continue
      session.subscribed.delete(uri)
      forbidden.add(uri)
    }
  }

  /** A server that was started anew is another one. Its connections end with it, when calls have ended. */
  function leaveRemoved(): void {
    for (const upstream of open.keys()) {
      if (core.upstreams.get(upstream.name) === upstream) continue
      open.delete(upstream)
      opened.delete(upstream)
      own.delete(upstream)
    }
  }

  /** The client, as one server reaches it: what is told of lists is noted on the way. */
  function clientOf(upstream: Upstream, input: BackendClient): BackendClient {
    return {
      get isReady() {
        return input.isReady
      },
      get logLevel() {
        return input.logLevel
      },
      transport: {
        notifySession(method, params) {
          const { uri } = params ?? {}
          const isUpdate = method === 'notifications/resources/updated' && typeof uri === 'string'
          if (isUpdate && forbidden.has(uri)) return
          const lists = listOf[method]
          if (lists) changedAt(upstream, lists)
          input.transport.notifySession(method, params)
        },
        requestOutsideCall: (method, params, options) =>
          input.transport.requestOutsideCall(method, params, options),
        drained: () => input.transport.drained?.(),
      },
    }
  }

  function changedAt(upstream: Upstream, lists: readonly ListName[]): void {
    const state = own.get(upstream) ?? { stale: new Set(), lists: {}, failedAt: -Infinity }
    own.set(upstream, state)
    for (const list of lists) state.stale.add(list)
    merged = undefined
    changes += 1
  }

  async function openAt(upstream: Upstream, call: BackendCall): Promise<ProxySession> {
    const { session: at } = await upstream.proxy.relay.open(opening)
    if (isClosed || client === undefined) {
      at.close()
      throw new Error('the client has gone')
    }
    at.attach(clientOf(upstream, client))
    if (isReady) at.ready()
    if (level !== undefined) await sendLevel(at, level, call)
    return at
  }

  async function ownCatalogue(call: BackendCall): Promise<Catalogue> {
    const { auth } = call.caller
    for (const [upstream, state] of own) {
      if (Date.now() - state.failedAt < againMs) continue
      for (const list of listNames.filter((each) => state.stale.has(each))) {
        state.stale.delete(list) // it may be told of again while it is read
        merged = undefined
        try {
          const at = await session.at(upstream, call)
          state.lists[list] = await readGatewayList(at, call, list)
        } catch (error) {
          state.stale.add(list) // the last one counts until it can be read
          state.failedAt = Date.now()
          core.onError(error, { severity: 'warning', operation: upstream.name })
        }
      }
    }
    if (merged !== undefined) return merged
    const before = changes
    const contributions = [...core.upstreams.values()].map(async (upstream) => ({
      upstream,
      lists: { ...(await core.listsFor(upstream, auth)), ...own.get(upstream)?.lists },
    }))
    const made = createCatalogue(await Promise.all(contributions), core.naming)
    if (before === changes) merged = made
    return made
  }

  counted += 1
  const session: GatewaySession = {
    number: counted,
    openedAt: Date.now(),
    opening,
    get upstreams() {
      return [...open.keys()].map(({ name }) => name)
    },
    get client() {
      return client
    },
    followsStatus: false,
    subscribed: new Map(),
    follow(uri, found) {
      session.subscribed.set(uri, found)
      forbidden.delete(uri)
    },
    at(upstream, call) {
      const connection = opened.get(upstream) ?? open.get(upstream)
      if (connection) return connection
      const wanted = openAt(upstream, call)
      open.set(upstream, wanted)
      wanted.then(
        (at) => {
          if (open.get(upstream) === wanted) opened.set(upstream, at)
        },
        () => {
          if (open.get(upstream) === wanted) open.delete(upstream)
        },
      )
      return wanted
    },
    catalogue: (call) =>
      own.size === 0 ? core.catalogueFor(call.caller.auth) : ownCatalogue(call),
    async setLevel(wanted, call) {
      level = wanted
      for (const each of open.values()) {
        const at = await each.catch(() => undefined)
        if (at) await sendLevel(at, wanted, call)
      }
    },
    attach(newClient) {
      client = newClient
      core.sessions.add(session)
    },
    ready() {
      isReady = true
      for (const each of open.values()) void each.then((at) => at.ready()).catch(ignore)
    },
    notification(method, params) {
      for (const each of open.values()) {
        void each.then((at) => at.notification(method, params)).catch(ignore)
      }
    },
    close() {
      isClosed = true
      core.sessions.delete(session)
      core.listeners.delete(onChange)
      for (const each of open.values()) void each.then((at) => at.close()).catch(ignore)
      open.clear()
      opened.clear()
      own.clear()
    },
  }
  return session
}

let counted = 0

/** One that does not know levels logs as it likes. */
async function sendLevel(at: ProxySession, level: LoggingLevel, call: BackendCall): Promise<void> {
  const params: JsonObject = { level }
  try {
    await at.request(new ForwardedCall(call, { operation: 'logging/setLevel', params }))
  } catch {
    // calls work without it
  }
}

/** It was told to whoever opened it. */
function ignore(): void {}
