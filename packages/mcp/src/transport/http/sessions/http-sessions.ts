import { isPromise, type MaybePromise } from '../../../rpc/promise.ts'
import { shuttingDown } from '../../../server/calls/calls-in-flight.ts'
import type { SaidByClient } from '../../../server/peer/initialize.ts'
import type { Codec } from '../../../wire/codec.ts'
import { tooManySessions } from '../admission/capacity.ts'
import { isAddress, isAnonymous, type CallerAccount } from '../admission/request-caller.ts'
import type { SharedService } from '../service.ts'
import type { HttpSession } from './http-session.ts'
import { randomId } from './random-id.ts'
import { changeHere, sessionNotFound, type ChangeSession } from './session-changes.ts'
import { firstRecord } from './session-records.ts'
import { createSessionTable } from './session-table.ts'
import { createSessionUpkeep } from './session-upkeep.ts'
import {
  createSharedSessions,
  type NamedSession,
  type RoamingSession,
  type SessionCaller,
} from './shared-sessions.ts'

/** The sessions of one endpoint. An id is no authority: it opens nothing for another principal. */
export interface HttpSessions {
  /** Known to this process. */
  readonly size: number
  all(): Iterable<HttpSession>
  /** Throws `HttpRefusal` when there is no room for one more of this caller. In a cluster others make room for it. */
  requireRoom(account: CallerAccount): void
  /** Drops the session of this stranger that was unused for longest; false if there is none to drop. */
  makeRoom(account: CallerAccount): boolean
  /** Whom a session counts for; empty for one that is not known here. */
  accountOf(key: string): CallerAccount
  /** Names a new session. Throws 503 if what others have to know of it cannot be kept now. */
  name(client: SaidByClient, codec: Codec, principal: string): MaybePromise<NamedSession>
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
export function createHttpSessions(
  service: SharedService,
  reviveHere: (session: RoamingSession) => HttpSession | undefined,
): HttpSessions {
  const { clock, settings, mail } = service
  const limits = settings.sessionLimits
  const { cluster } = settings
  const share = cluster?.share
  const table = createSessionTable(cluster !== undefined)
  const { all, byKey } = table
  const size = (): number => table.size
  const place = { size, all, byKey, revive, endHere }
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
    session.usedAt = clock.now()
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

  function revive(roaming: RoamingSession): HttpSession | undefined {
    const { account } = roaming.caller
    const session = reviveHere(roaming)
    if (session === undefined) return undefined
    if (account !== '' && table.countOf(account) >= mostOf(account)) leaveOldest(account)
    return add(session)
  }

  /** Of one account, or of all. One that turns out to be busy stays, and no longer counts. */
  function leaveOldest(account?: CallerAccount): void {
    const oldest = table.takeOldest(account)
    if (oldest?.rest()) drop(oldest, madeRoom)
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
  function dropIdlest(account?: CallerAccount): boolean {
    for (;;) {
      const oldest = table.takeOldest(account)
      if (oldest === undefined) return false
      if (oldest.isBusy() || (account !== undefined && !isCounted(oldest))) continue
      drop(oldest, madeRoom)
      return true
    }
  }

  function mostOf(account: CallerAccount): number {
    return isAddress(account) ? limits.perAddress : limits.perPrincipal
  }

  /** Where processes keep the limits together, each counts those it has opened: every session is counted once. */
  function isCounted({ isRevived }: HttpSession): boolean {
    return !(share && isRevived)
  }

  /** One address makes room for itself. */
  function requireShare(account: CallerAccount): void {
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
    accountOf: (key) => byKey(key)?.account ?? '',

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
