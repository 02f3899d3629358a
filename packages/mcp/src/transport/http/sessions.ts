import { principalOf, type AuthInfo } from '../../rpc/auth-info.ts'
import { jsonWeight } from '../../rpc/json/json-limits.ts'
import { MemoryShare } from '../../rpc/memory-budget.ts'
import { isPromise, type MaybePromise } from '../../rpc/promise.ts'
import { ShortLivedList } from '../../rpc/short-lived.ts'
import type { ServerCapabilities } from '../../schema/capabilities.ts'
import { shuttingDown } from '../../server/calls/calls-in-flight.ts'
import { capabilitiesOf } from '../../server/capabilities.ts'
import {
  type ClientDescription,
  clientOf,
  type InitializeAnswer,
  type Negotiated,
} from '../../server/initialize.ts'
import type { Codec } from '../../wire/codec.ts'
import { codecFor } from '../../wire/revisions.ts'
import { tooManySessions, noRoom } from './admission/capacity.ts'
import { isAddress, isAnonymous, type QuotaKey, type RequestCaller } from './admitted-request.ts'
import { changeHere, sessionNotFound, type ChangeSession, firstRecord } from './cluster/records.ts'
import {
  createSharedSessions,
  type NamedSession,
  type RemoteSession,
  type SessionCaller,
} from './cluster/shared-sessions.ts'
import type { SharedService } from './endpoint-service.ts'
import { HttpSession } from './sessions/http-session.ts'
import { randomId } from './sessions/random-id.ts'
import { createSessionTable, type SessionTable } from './sessions/session-table.ts'

/** The sessions of one endpoint. An id is no authority: it opens nothing for another principal. */
interface HttpSessions {
  /** Known to this process. */
  readonly size: number
  all(): Iterable<HttpSession>
  /** Throws `HttpError` when there is no room for one more of this caller. In a cluster others make room for it. */
  requireRoom(account: QuotaKey): void
  /** Drops the session of this stranger that was unused for longest; false if there is none to drop. */
  makeRoom(account: QuotaKey): boolean
  /** Whom a session counts for; empty for one that is not known here. */
  accountOf(key: string): QuotaKey
  /** Names a new session. Throws 503 if what others have to know of it cannot be kept now. */
  name(client: ClientDescription, codec: Codec, principal: string): MaybePromise<NamedSession>
  /** Serves a session from now on. */
  add(session: HttpSession): HttpSession
  /** Throws 404 for an id that is unknown, ended, or somebody else's; 503 if that cannot be known now. */
  get(id: string, caller: SessionCaller): MaybePromise<HttpSession>
  /** Undefined where `get` throws 404. */
  lookUp(id: string, caller: SessionCaller): MaybePromise<HttpSession | undefined>
  /** Known to this process already. */
  find(id: string, principal: string): HttpSession | undefined
  /** As other processes name it; undefined if it is not known here. */
  byKey(key: string): HttpSession | undefined
  readonly change: ChangeSession
  /** Ends it for every process. Throws 503 if that cannot be kept now. */
  end(session: HttpSession, why: string): MaybePromise<void>
  /** This process serves none any more; what nobody else knows is over. Resolves when others can go on. */
  close(): Promise<void>
}

/** Why a session is dropped before it was unused for long. */
const madeRoom = 'there was no room for more sessions'

/** `reviveHere` makes a session of what is known about it; undefined if it cannot be served here. */
function createHttpSessions(
  service: SharedService,
  reviveHere: (session: RemoteSession) => HttpSession | undefined,
): HttpSessions {
  const { clock, settings, mail } = service
  const limits = settings.sessionLimits
  const { cluster } = settings
  const share = cluster?.share
  const table = createSessionTable(cluster !== undefined)
  const { all, byKey } = table
  const size = (): number => table.size
  const place = { size, all, byKey, restore, endHere }
  const shared = cluster && mail && createSharedSessions(service, cluster, mail, place)
  const upkeep = createSessionUpkeep(service, table, {
    expire: (session) => endHere(session, 'the session has reached its greatest age'),
    abandon: (session) => drop(session, 'the session was not used'),
  })

  function find(id: string, principal: string): HttpSession | undefined {
    const session = table.get(id)
    return session?.principal === principal ? session : undefined
  }

  function lookUp(id: string, caller: SessionCaller): MaybePromise<HttpSession | undefined> {
    const replacing = shared?.replacing()
    if (replacing) return replacing.then(() => lookUp(id, caller))
    const known = find(id, caller.principal)
    if (known && !known.isStale) return used(known)
    return shared?.lookUp(id, caller, known).then((session) => session && used(session))
  }

  function used(session: HttpSession): HttpSession {
    session.lastUsedAt = clock.now()
    table.use(session)
    // Its client has the answer to `initialize`. That it is ready may have been said to another process.
    if (shared && !session.isReady) session.onInitialized()
    return session
  }

  function add(session: HttpSession): HttpSession {
    if (shared && table.resting >= limits.total) leaveOldest()
    table.add(session)
    upkeep.watch()
    shared?.watch()
    return session
  }

  function restore(roaming: RemoteSession): HttpSession | undefined {
    const { quotaKey } = roaming.caller
    const session = reviveHere(roaming)
    if (session === undefined) return undefined
    if (quotaKey !== '' && table.countOf(quotaKey) >= mostOf(quotaKey)) leaveOldest(quotaKey)
    return add(session)
  }

  /** Of one account, or of all. One that turns out to be busy stays, and no longer counts. */
  function leaveOldest(account?: QuotaKey): void {
    const oldest = table.takeOldest(account)
    if (oldest?.freeIdle()) drop(oldest, madeRoom)
  }

  function endHere(session: HttpSession, why: string): void {
    if (table.remove(session)) session.end(why)
  }

  /** Where others may use it too it is only forgotten: they may know better, and it ends by its age. */
  function drop(session: HttpSession, why: string): void {
    if (shared === undefined) endHere(session, why)
    else if (table.remove(session)) void session.leave(why)
  }

  /** A caller that never sent `notifications/initialized` makes room for one that may. */
  function dropUnfinished(): boolean {
    for (const session of table.all()) {
      if (session.isReady || session.isBusy()) continue
      drop(session, 'it was never initialized')
      return true
    }
    return false
  }

  /** Of strangers, of one address or of all: a client that needs it again opens another. Each is found busy once between two uses. */
  function dropIdlest(account?: QuotaKey): boolean {
    for (;;) {
      const oldest = table.takeOldest(account)
      if (oldest === undefined) return false
      if (oldest.isBusy() || (account !== undefined && !isCounted(oldest))) continue
      drop(oldest, madeRoom)
      return true
    }
  }

  function mostOf(account: QuotaKey): number {
    return isAddress(account) ? limits.perAddress : limits.perPrincipal
  }

  /** Where processes keep the limits together, each counts those it has opened: every session is counted once. */
  function isCounted({ isRestored }: HttpSession): boolean {
    return !(share && isRestored)
  }

  /** One address makes room for itself. */
  function requireShare(account: QuotaKey): void {
    if (account === '') return
    const most = mostOf(account)
    const part = share ? Math.max(1, Math.ceil(most * share())) : most
    const count = share ? table.countOpened(account) : table.countOf(account)
    if (count < part || (isAddress(account) && dropIdlest(account))) return
    throw tooManySessions(429, most)
  }

  const sessions: HttpSessions = {
    get size() {
      return table.size
    },
    all,
    byKey,
    find,
    lookUp,
    add,
    change: shared?.change ?? changeHere,
    end: shared?.end ?? endHere,

    requireRoom(account) {
      requireShare(account)
      if (shared || table.size < limits.total || dropUnfinished() || dropIdlest()) return
      throw tooManySessions(503, limits.total)
    },

    makeRoom: (account) => isAnonymous(account) && dropIdlest(account),
    accountOf: (key) => byKey(key)?.quotaKey ?? '',

    name(client, codec, principal) {
      if (shared) return shared.name(client, codec, principal)
      const id = randomId()
      return { names: { key: id, id }, record: firstRecord }
    },

    get(id, caller) {
      const found = lookUp(id, caller)
      return isPromise(found) ? found.then(requireFound) : requireFound(found)
    },

    async close() {
      upkeep[Symbol.dispose]()
      shared?.[Symbol.dispose]()
      const leaving: Promise<unknown>[] = []
      for (const session of table.all()) {
        if (shared === undefined) endHere(session, shuttingDown)
        else if (table.remove(session)) leaving.push(Promise.resolve(session.leave(shuttingDown)))
      }
      await Promise.all(leaving)
    },
  }
  service.endSession = sessions.end
  return sessions
}

function requireFound(session: HttpSession | undefined): HttpSession {
  if (session === undefined) throw sessionNotFound()
  return session
}

/** A session, and the id that its client is told; undefined for one that lasts for one request. */
export interface OpenedSession {
  readonly session: HttpSession
  readonly id: string | undefined
}

/** The sessions of one endpoint, those that last for one request included. */
export interface Sessions extends HttpSessions {
  /** Every session, those for one request included. */
  active(): readonly HttpSession[]
  /** After `initialize`. Throws `HttpError` when there is no room. */
  open(agreed: InitializeAnswer, caller: RequestCaller): MaybePromise<OpenedSession>
  /** For one request, where sessions are off. */
  openForRequest(codec: Codec, auth: AuthInfo | undefined): HttpSession
  /** Ends a session that was for one request. */
  closeForRequest(session: HttpSession): void
  /** See `CallsInFlight`. */
  timeOut(now: number): number
}

export function createSessions(service: SharedService): Sessions {
  const { definition, settings, clock, revisions } = service
  const { hasSessions, sessionLimits, cluster } = settings
  const isShared = cluster !== undefined
  const sessionBytes = isShared ? ownBytes + sealBytes : ownBytes
  const sessions = createHttpSessions(service, restore)
  const forRequest = new ShortLivedList<HttpSession>()
  const declare = shareEqual<ServerCapabilities>()

  function active(): readonly HttpSession[] {
    return [...sessions.all(), ...forRequest]
  }

  /** What a server can do is the same everywhere it is served. */
  function restore(session: RemoteSession): HttpSession | undefined {
    const { names, sealed, client, record, caller } = session
    const codec = codecFor(sealed.revision, revisions)
    if (codec === undefined) return undefined
    const { principal, quotaKey } = caller
    const declared = declare(capabilitiesOf(definition))
    const memory = new MemoryShare(service.bytes, quotaKey)
    memory.reserve(sessionBytes + jsonWeight(JSON.stringify([client, record]))) // it is served even where there is no room
    const backend = definition.backend?.resume?.({ clientDescription: client, codec })
    const revived = new HttpSession({
      service,
      change: sessions.change,
      names,
      principal,
      account: quotaKey,
      memory,
      record,
      agreed: { client: clientOf(client, codec), codec, declared, backend },
      isReady: true,
      isRevived: true,
      endsAt: clock.now() + sealed.expiresAt - Date.now(),
      lastRequest: firstRequest(),
    })
    backend?.ready()
    return revived
  }

  /** A session that is taken up again here must not use the numbers of its earlier requests. */
  function firstRequest(): number {
    return isShared ? Math.floor(Math.random() * 2 ** 29) : 0
  }

  function createForRequest(
    { client, codec, declared, backend }: Negotiated,
    auth: AuthInfo | undefined,
  ): HttpSession {
    const session = new HttpSession({
      service,
      change: changeHere,
      names: undefined,
      principal: principalOf(auth),
      account: '',
      record: firstRecord,
      agreed: { client, codec, declared, backend },
      isReady: true,
      endsAt: Infinity,
      lastRequest: 0,
    })
    forRequest.add(session)
    return session
  }

  function openNamed(
    { names, record }: NamedSession,
    { client, codec, declared, backend }: Negotiated,
    { principal, quotaKey }: RequestCaller,
    memory: MemoryShare,
  ): OpenedSession {
    const session = new HttpSession({
      service,
      change: sessions.change,
      names,
      principal,
      account: quotaKey,
      memory,
      record,
      agreed: { client, codec, declared: declare(declared), backend },
      isReady: false,
      endsAt: clock.now() + sessionLimits.maxMs,
      lastRequest: firstRequest(),
    })
    return { session: sessions.add(session), id: names.id }
  }

  return Object.assign(sessions, {
    active,

    open(agreed: InitializeAnswer, caller: RequestCaller): MaybePromise<OpenedSession> {
      const { auth, quotaKey, principal } = caller
      if (!hasSessions) return { session: createForRequest(agreed, auth), id: undefined }
      sessions.requireRoom(quotaKey)
      const memory = new MemoryShare(service.bytes, quotaKey)
      let refusal = memory.reserve(sessionBytes + agreed.bytes)
      while (refusal && sessions.makeRoom(quotaKey)) {
        refusal = memory.reserve(sessionBytes + agreed.bytes)
      }
      if (refusal) throw noRoom(refusal)
      const named = sessions.name(agreed.clientDescription, agreed.codec, principal)
      if (!isPromise(named)) return openNamed(named, agreed, caller, memory)
      return named.then(
        (session) => openNamed(session, agreed, caller, memory),
        (error: unknown) => {
          memory.close()
          throw error
        },
      )
    },

    openForRequest(codec: Codec, auth: AuthInfo | undefined) {
      const declared = capabilitiesOf(definition)
      return createForRequest({ client: unknownClient, codec, declared }, auth)
    },

    closeForRequest(session: HttpSession) {
      if (forRequest.delete(session)) session.end('its request is done')
    },

    timeOut: (now: number) =>
      active().reduce((next, session) => Math.min(next, session.session.timeOut(now)), Infinity),
  })
}

/** What a session takes besides what its client said. */
const ownBytes = 1_024
/** What its id takes where others can open it too. */
const sealBytes = 1_024

/** A client whose `initialize` was another request, and is forgotten. */
const unknownClient = Object.freeze({ capabilities: Object.freeze({}) })

/** Gives the same object for equal values that follow each other, so that thousands of sessions share one. */
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

/** What becomes of a session that nobody needs. */
export interface SessionEnds {
  /** It has reached its greatest age, which every process knows. */
  expire(session: HttpSession): void
  /** It was not used for long. */
  abandon(session: HttpSession): void
}

/** Ends what is too old or unused, and lets idle sessions rest. */
export interface SessionUpkeep extends Disposable {
  /** There is a session to look after. */
  watch(): void
}

/** How often sessions are looked after. */
export const sweepMs = 10_000

function createSessionUpkeep(
  { clock, settings }: SharedService,
  table: SessionTable,
  ends: SessionEnds,
): SessionUpkeep {
  const { idleMs } = settings.sessionLimits
  let sweeping: Disposable | undefined

  function watch(): void {
    const everyMs = Math.min(sweepMs, Math.max(100, idleMs / 4))
    if (table.size > 0) sweeping ??= clock.setTimer(sweep, everyMs)
  }

  function sweep(): void {
    sweeping = undefined
    const now = clock.now()
    for (const session of table.all()) lookAfter(session, now)
    watch()
  }

  function lookAfter(session: HttpSession, now: number): void {
    if (session.isBusy()) session.lastUsedAt = now
    else table.offer(session)
    const unusedMs = now - session.lastUsedAt
    if (unusedMs >= sweepMs) session.freeIdle()
    if (now >= session.expiresAt) ends.expire(session)
    else if (unusedMs > idleMs) ends.abandon(session)
  }

  return {
    watch,
    [Symbol.dispose]: () => sweeping?.[Symbol.dispose](),
  }
}
