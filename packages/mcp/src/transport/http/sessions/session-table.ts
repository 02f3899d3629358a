/**
 * The sessions of one HTTP endpoint that this process knows: opens, finds, counts and ends them.
 *
 * Limits are checked here: how many sessions there may be in all, of one principal and of one address, and the memory that each
 * needs. When there are too many, the session that was idle for longest has to go: its client opens another one, or, in a
 * cluster, goes on with it at any process. A timer ends sessions that are too old or unused, and frees what an idle one does not
 * need. `ClusterNode` knows the sessions of other processes; `HttpSession` is one of them; requests without a session are in
 * `StandaloneRequests`.
 *
 * An id is no authority: `find` returns nothing to another principal.
 */
import { jsonWeight } from '../../../rpc/json/json-limits.ts'
import { MemoryShare } from '../../../rpc/memory-budget.ts'
import { isPromise, type MaybePromise } from '../../../rpc/promise.ts'
import { ShortLivedMap } from '../../../rpc/short-lived.ts'
import type { ServerCapabilities } from '../../../schema/capabilities.ts'
import { shuttingDown } from '../../../server/calls/calls-in-flight.ts'
import { capabilitiesOf } from '../../../server/capabilities.ts'
import { clientOf, type InitializeResponse } from '../../../server/initialize.ts'
import { codecFor } from '../../../wire/revisions.ts'
import { overLimit, tooManySessions } from '../admission/capacity.ts'
import { isAddress, isAnonymous, type QuotaKey, type RequestCaller } from '../admitted-request.ts'
import { sessionNotFound } from '../cluster/records.ts'
import type { NamedSession, RemoteSession, SessionCaller } from '../cluster/shared-sessions.ts'
import type { EndpointService } from '../endpoint-service.ts'
import { HttpSession } from './http-session.ts'

/** See the head of this file. */
export interface SessionTable {
  /** The number of sessions that this process knows. */
  readonly size: number
  all(): Iterable<HttpSession>
  /** By the name that all processes have for it; undefined if it is not known here. */
  byKey(key: string): HttpSession | undefined
  /** By the id that its client sent, if this process knows it. */
  cached(id: string, principal: string): HttpSession | undefined
  /** The session of this caller, here or in the cluster. Throws 503 if the store is unreachable. */
  find(id: string, caller: SessionCaller): MaybePromise<HttpSession | undefined>
  /** The same. Throws 404 for an id that is unknown, ended, or of another principal. */
  get(id: string, caller: SessionCaller): MaybePromise<HttpSession>
  /** Opens a session after `initialize`. Throws `HttpError` beyond a limit. */
  open(answer: InitializeResponse, caller: RequestCaller): MaybePromise<HttpSession>
  /** Serves a session that another process opened; undefined if its revision is not supported here. */
  restore(session: RemoteSession): HttpSession | undefined
  /** Ends a session at every process. Throws 503 if the store is unreachable. */
  end(session: HttpSession, why: string): MaybePromise<void>
  /** Ends a session that the other processes know to be over. */
  endHere(session: HttpSession, why: string): void
  /** See `CallsInFlight`. */
  timeOut(now: number): number
  /** Ends all, or leaves them to the other processes. Resolves when those can go on. */
  close(): Promise<void>
}

/** Why a session is dropped that is not too old. */
const madeRoom = 'there was no room for more sessions'

/** Bytes that a session needs besides what its client said. */
const sessionBytes = 1_024

/** How often sessions are checked. */
export const sweepMs = 10_000
/** The number of sessions checked in one turn, which takes about 1 ms. */
const sweptAtOnce = 1_000

export function createSessionTable(service: EndpointService): SessionTable {
  const { clock, settings, cluster, definition, revisions } = service
  const limits = settings.sessionLimits
  const { canRestoreSessions, countsRestoredSessions } = cluster
  const index = new SessionIndex(canRestoreSessions)
  const declare = shareEqual<ServerCapabilities>()
  const bytesOf = (weight: number): number => sessionBytes + cluster.sessionIdBytes + weight
  let sweeping: Disposable | undefined
  let unswept: Iterator<HttpSession> | undefined // of a round under way

  function cached(id: string, principal: string): HttpSession | undefined {
    const session = index.get(cluster.keyOf(id))
    return session?.id === id && session.principal === principal ? session : undefined
  }

  function find(id: string, caller: SessionCaller): MaybePromise<HttpSession | undefined> {
    const found = cluster.findSession(id, caller, () => cached(id, caller.principal))
    return isPromise(found) ? found.then(used) : used(found)
  }

  function used(session: HttpSession | undefined): HttpSession | undefined {
    if (session === undefined) return undefined
    session.lastUsedAt = clock.now()
    index.use(session)
    return session
  }

  function add(session: HttpSession): HttpSession {
    if (canRestoreSessions && index.idleCount >= limits.total) leaveIdlest()
    index.add(session)
    sweepLater()
    cluster.watchSessions()
    return session
  }

  /** Drops the session that was idle for longest, of one quota key or of all. One that turns out to be busy stays. */
  function leaveIdlest(quotaKey?: QuotaKey): void {
    const idlest = index.takeIdlest(quotaKey)
    if (idlest?.freeIdle()) drop(idlest, madeRoom)
  }

  function endHere(session: HttpSession, why: string): void {
    if (index.remove(session)) session.end(why)
  }

  /** Ends a session; in a cluster it is only removed here, because another process may still use it. It expires by age. */
  function drop(session: HttpSession, why: string): void {
    if (!canRestoreSessions) endHere(session, why)
    else if (index.remove(session)) void session.leave(why)
  }

  /** Drops a session whose client never sent `notifications/initialized`. */
  function dropUninitialized(): boolean {
    for (const session of index.all()) {
      if (session.isReady || session.isBusy()) continue
      drop(session, 'it was never initialized')
      return true
    }
    return false
  }

  /** Drops the session that was idle for longest among anonymous clients, of one address or of all; false without one. */
  function dropIdlest(quotaKey?: QuotaKey): boolean {
    for (;;) {
      const idlest = index.takeIdlest(quotaKey)
      if (idlest === undefined) return false
      const counts = countsRestoredSessions || !idlest.isRestored
      if (idlest.isBusy() || (quotaKey !== undefined && !counts)) continue
      drop(idlest, madeRoom)
      return true
    }
  }

  function maxOf(quotaKey: QuotaKey): number {
    return isAddress(quotaKey) ? limits.perAddress : limits.perPrincipal
  }

  /** Throws if this caller has too many sessions. A new session of an address replaces the idlest of that address. */
  function requireCallerCapacity(quotaKey: QuotaKey): void {
    if (quotaKey === '') return
    const max = maxOf(quotaKey)
    const part = Math.max(1, Math.ceil(max * cluster.share()))
    const count = countsRestoredSessions ? index.countOf(quotaKey) : index.countOpened(quotaKey)
    if (count < part || (isAddress(quotaKey) && dropIdlest(quotaKey))) return
    throw tooManySessions(429, max)
  }

  function requireCapacity(quotaKey: QuotaKey): void {
    requireCallerCapacity(quotaKey)
    if (canRestoreSessions || index.size < limits.total) return
    if (dropUninitialized() || dropIdlest()) return
    throw tooManySessions(503, limits.total)
  }

  /** Reserves the memory of a session; sessions of the same anonymous caller make room for it. */
  function reserve(quotaKey: QuotaKey, bytes: number): MemoryShare {
    const memory = new MemoryShare(service.memory, quotaKey)
    let rejection = memory.reserve(bytes)
    while (rejection && isAnonymous(quotaKey) && dropIdlest(quotaKey)) {
      rejection = memory.reserve(bytes)
    }
    if (rejection) throw overLimit(rejection)
    return memory
  }

  function openNamed(
    { names, record }: NamedSession,
    { client, codec, declared, backend }: InitializeResponse,
    { principal, quotaKey }: RequestCaller,
    memory: MemoryShare,
  ): HttpSession {
    const session = new HttpSession({
      service,
      names,
      principal,
      quotaKey,
      memory,
      record,
      negotiated: { client, codec, declared: declare(declared), backend },
      isReady: false,
      isRestored: false,
      expiresAt: clock.now() + limits.maxMs,
    })
    return add(session)
  }

  function sweepLater(): void {
    const everyMs = Math.min(sweepMs, Math.max(100, limits.idleMs / 4))
    if (index.size > 0) sweeping ??= clock.setTimer(sweep, everyMs)
  }

  function sweep(): void {
    sweeping = undefined
    unswept ??= index.all()[Symbol.iterator]()
    const now = clock.now()
    for (let count = 0; count < sweptAtOnce; count += 1) {
      const next = unswept.next()
      if (next.done === true) {
        unswept = undefined
        return sweepLater()
      }
      checkAge(next.value, now)
    }
    sweeping = clock.setTimer(sweep, 0)
  }

  function checkAge(session: HttpSession, now: number): void {
    if (session.isBusy()) session.lastUsedAt = now
    else index.offer(session)
    const unusedMs = now - session.lastUsedAt
    if (unusedMs >= sweepMs) session.freeIdle()
    if (now >= session.expiresAt) endHere(session, 'the session has reached its greatest age')
    else if (unusedMs > limits.idleMs) drop(session, 'the session was not used')
  }

  return {
    get size() {
      return index.size
    },
    all: () => index.all(),
    byKey: (key) => index.get(key),
    cached,
    find,

    get(id, caller) {
      const found = find(id, caller)
      return isPromise(found) ? found.then(requireFound) : requireFound(found)
    },

    open(answer, caller) {
      const { quotaKey, principal } = caller
      requireCapacity(quotaKey)
      const memory = reserve(quotaKey, bytesOf(answer.bytes))
      const named = cluster.createSessionId(answer.clientDescription, answer.codec, principal)
      if (!isPromise(named)) return openNamed(named, answer, caller, memory)
      return named.then(
        (session) => openNamed(session, answer, caller, memory),
        (error: unknown) => {
          memory.close()
          throw error
        },
      )
    },

    restore({ names, encrypted, client, record, caller: { principal, quotaKey } }) {
      const codec = codecFor(encrypted.revision, revisions)
      if (codec === undefined) return undefined
      const declared = declare(capabilitiesOf(definition))
      const memory = new MemoryShare(service.memory, quotaKey)
      memory.reserve(bytesOf(jsonWeight(JSON.stringify([client, record])))) // it is served even beyond the limit
      const backend = definition.backend?.resume?.({ clientDescription: client, codec })
      const session = new HttpSession({
        service,
        names,
        principal,
        quotaKey,
        memory,
        record,
        negotiated: { client: clientOf(client, codec), codec, declared, backend },
        isReady: true,
        isRestored: true,
        expiresAt: clock.now() + encrypted.expiresAt - Date.now(),
      })
      backend?.ready()
      if (quotaKey !== '' && index.countOf(quotaKey) >= maxOf(quotaKey)) leaveIdlest(quotaKey)
      return add(session)
    },

    end: (session, why) => cluster.endSession(session, why),
    endHere,

    timeOut(now) {
      let next = Infinity
      for (const { session } of index.all()) next = Math.min(next, session.timeOut(now))
      return next
    },

    async close() {
      sweeping?.[Symbol.dispose]()
      const leaving: Promise<unknown>[] = []
      for (const session of index.all()) {
        if (!canRestoreSessions) endHere(session, shuttingDown)
        else if (index.remove(session)) leaving.push(Promise.resolve(session.leave(shuttingDown)))
      }
      await Promise.all(leaving)
    },
  }
}

function requireFound(session: HttpSession | undefined): HttpSession {
  if (session === undefined) throw sessionNotFound()
  return session
}

/**
 * Sessions by key, and the order in which idle ones were last used: of all, and of each quota key. Taking the idlest costs the
 * same however many sessions there are. One that turns out to be busy leaves the order and no longer counts against
 * `maxSessions`; its next use, or the timer, puts it back.
 */
export class SessionIndex {
  private readonly sessions = new ShortLivedMap<string, HttpSession>()
  private readonly counts = new Map<QuotaKey, number>()
  private readonly opened = new Map<QuotaKey, number>()
  private readonly idle = new ShortLivedMap<string, HttpSession>()
  private readonly idleOf = new Map<QuotaKey, ShortLivedMap<string, HttpSession>>()
  private readonly canRestore: boolean
  private newest: HttpSession | undefined

  /** In a cluster every session makes room for others: its client can go on with it. Else only those of anonymous callers do. */
  constructor(canRestore: boolean) {
    this.canRestore = canRestore
  }

  get size(): number {
    return this.sessions.size
  }

  /** The sessions that count against `maxSessions`. */
  get idleCount(): number {
    return this.canRestore ? this.idle.size : this.sessions.size
  }

  all(): Iterable<HttpSession> {
    return this.sessions.values()
  }

  get(key: string): HttpSession | undefined {
    return this.sessions.get(key)
  }

  countOf(quotaKey: QuotaKey): number {
    return this.counts.get(quotaKey) ?? 0
  }

  /** The sessions of a quota key that this process has opened. */
  countOpened(quotaKey: QuotaKey): number {
    return this.opened.get(quotaKey) ?? 0
  }

  add(session: HttpSession): void {
    if (this.sessions.has(session.key)) return
    this.sessions.set(session.key, session)
    this.count(session, 1)
    this.offer(session)
  }

  /** False if it is not known. */
  remove(session: HttpSession): boolean {
    if (this.sessions.take(session.key) === undefined) return false
    this.count(session, -1)
    this.withdraw(session)
    return true
  }

  /** Makes a session the last to go. */
  use(session: HttpSession): void {
    if (this.newest === session || this.sessions.get(session.key) !== session) return
    this.withdraw(session)
    this.offer(session)
  }

  /** Puts a session that may be idle by now back into the order, unless it is there already. */
  offer(session: HttpSession): void {
    const { key, principal, quotaKey } = session
    if (!this.idle.has(key) && (this.canRestore || principal === '')) {
      this.idle.add(key, session)
      this.newest = session
    }
    if (quotaKey === '' || this.idleOf.get(quotaKey)?.has(key)) return
    const own = this.idleOf.get(quotaKey) ?? new ShortLivedMap<string, HttpSession>()
    this.idleOf.set(quotaKey, own)
    own.add(key, session)
  }

  /** Takes the session that was idle for longest out of the order; undefined without one. */
  takeIdlest(quotaKey?: QuotaKey): HttpSession | undefined {
    const order = quotaKey === undefined ? this.idle : this.idleOf.get(quotaKey)
    const idlest = order?.first()
    if (idlest) this.withdraw(idlest)
    return idlest
  }

  private withdraw(session: HttpSession): void {
    const { key, quotaKey } = session
    if (this.newest === session) this.newest = undefined
    this.idle.take(key)
    const own = this.idleOf.get(quotaKey)
    own?.take(key)
    if (own?.size === 0) this.idleOf.delete(quotaKey)
  }

  private count({ quotaKey, isRestored }: HttpSession, by: 1 | -1): void {
    addTo(this.counts, quotaKey, by)
    if (this.canRestore && !isRestored) addTo(this.opened, quotaKey, by)
  }
}

function addTo(counts: Map<string, number>, key: string, by: number): void {
  const next = (counts.get(key) ?? 0) + by
  if (next === 0) counts.delete(key)
  else counts.set(key, next)
}

/** Returns the same object for equal values that follow each other, so that thousands of sessions share one. */
function shareEqual<T extends object>(): (value: T) => T {
  let last: T | undefined
  let lastText = ''
  return (value) => {
    if (value === last) return value
    const text = JSON.stringify(value)
    if (last === undefined || text !== lastText) {
      last = value
      lastText = text
    }
    return last
  }
}
