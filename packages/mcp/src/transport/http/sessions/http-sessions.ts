import { isPromise, type MaybePromise } from '../../../rpc/promise.ts'
import { ShortLivedMap } from '../../../rpc/short-lived.ts'
import { shuttingDown } from '../../../server/calls/calls-in-flight.ts'
import { tooManySessions } from '../admission/capacity.ts'
import { isAddress, isAnonymous, type CallerAccount } from '../admission/request-caller.ts'
import type { SharedService } from '../service.ts'
import type { HttpSession } from './http-session.ts'
import {
  changeHere,
  createSessionChanges,
  sessionNotFound,
  type ChangeSession,
} from './session-changes.ts'
import type { SessionRecord } from './session-records.ts'
import { createSessionUpkeep, endedElsewhere, heartbeatMs } from './session-upkeep.ts'
import { afterStore, storeUnavailable } from './store-access.ts'

/** The sessions of one endpoint. An id is no authority: it opens nothing for another principal. */
export interface HttpSessions {
  /** Known to this process. */
  readonly size: number
  all(): Iterable<HttpSession>
  /** Throws `HttpRefusal` when there is no room for one more of this caller. */
  requireRoom(account: CallerAccount): void
  /** Ends the session of a stranger that was unused for longest; false if there is none to end. */
  makeRoom(account: CallerAccount): boolean
  /** Whom a session counts for; empty for one that is not known here. */
  accountOf(id: string): CallerAccount
  /** Records a new session. */
  add(session: HttpSession): MaybePromise<HttpSession>
  /** Throws 404 for an id that is unknown, ended, or somebody else's; 503 if that cannot be known now. */
  get(id: string, principal: string): MaybePromise<HttpSession>
  /** Undefined where `get` throws 404. */
  lookUp(id: string, principal: string): MaybePromise<HttpSession | undefined>
  /** Known to this process already. */
  find(id: string, principal: string): HttpSession | undefined
  readonly change: ChangeSession
  /** Ends it for every process. Throws 503 if these cannot be told now. */
  end(session: HttpSession, why: string): MaybePromise<void>
  /** This process serves none any more; what nobody else knows is over. Resolves when others can go on. */
  close(): Promise<void>
}

/** Why a session is ended before it was unused for long. */
const madeRoom = 'there was no room for more sessions'

/** An end is listed for longer than anybody misses heartbeats. */
const listEndMs = 20 * heartbeatMs

/** `revive` makes a session of what is known about it; undefined if it cannot be served here. */
export function createHttpSessions(
  service: SharedService,
  revive: (record: SessionRecord) => HttpSession | undefined,
): HttpSessions {
  const { clock, settings, onError } = service
  const limits = settings.sessionLimits
  const records = settings.cluster?.sessions // what other processes know too
  const table = createSessionTable()
  const change = records === undefined ? changeHere : createSessionChanges(service, records)
  const upkeep = createSessionUpkeep(service, table, { end: endQuietly, endHere, recordUse })

  function find(id: string, principal: string): HttpSession | undefined {
    const session = table.get(id)
    return session?.principal === principal ? session : undefined
  }

  function lookUp(id: string, principal: string): MaybePromise<HttpSession | undefined> {
    const known = find(id, principal)
    if (records === undefined || (known && isFresh(known))) return known && used(known)
    return afterStore(
      () => records.get(id),
      (record) => take(id, record, principal),
      (error) => {
        if (known) return used(known) // calls go on while the store cannot be reached
        throw storeUnavailable(error, onError)
      },
    )
  }

  /** Who is not ready yet may just have become so elsewhere. */
  function isFresh({ isReady, readAt }: HttpSession): boolean {
    return isReady && clock.now() - readAt < heartbeatMs
  }

  function used(session: HttpSession): HttpSession {
    session.usedAt = clock.now()
    return session
  }

  function take(
    id: string,
    record: SessionRecord | undefined,
    principal: string,
  ): HttpSession | undefined {
    const known = table.get(id)
    if (record === undefined || record.facts.expiresAt <= Date.now()) {
      if (known) endHere(known, endedElsewhere)
      return undefined
    }
    if (record.facts.principal !== principal) return undefined
    known?.adopt(record)
    const session = known ?? revive(record)
    return session && used(keep(session))
  }

  function keep(session: HttpSession): HttpSession {
    if (records && table.size >= limits.total) leaveOldest()
    table.add(session)
    upkeep.watch()
    return session
  }

  /** What is recorded can be taken up again. */
  function leaveOldest(): void {
    for (const session of table.all()) {
      if (!session.rest() || !table.remove(session)) continue
      void session.leave(madeRoom)
      return
    }
  }

  function endHere(session: HttpSession, why: string): void {
    if (table.remove(session)) session.end(why)
  }

  function end(session: HttpSession, why: string): MaybePromise<void> {
    if (records === undefined) return endHere(session, why)
    return afterStore(
      () => records.revoke(session.facts.id, listEndMs),
      () => endHere(session, why),
      (error) => {
        throw storeUnavailable(error, onError)
      },
    )
  }

  function endQuietly(session: HttpSession, why: string): void {
    const isEnded = afterStore(
      () => end(session, why),
      () => undefined,
      () => endHere(session, why), // reported; its record ends by itself
    )
    if (isPromise(isEnded)) void isEnded
  }

  function recordUse(session: HttpSession): void {
    session.writtenAt = clock.now()
    const nothing = (): void => undefined // reported, or ended elsewhere, as the next request will hear
    void afterStore(() => change(session, (facts) => facts), nothing, nothing)
  }

  /** A caller that never sent `notifications/initialized` makes room for one that may. */
  function dropUnfinished(): boolean {
    for (const session of table.all()) {
      if (session.isReady || session.isBusy()) continue
      endQuietly(session, 'it was never initialized')
      return true
    }
    return false
  }

  /** Of strangers, of one address or of all: who needs it again opens another. */
  function dropIdlest(account?: CallerAccount): boolean {
    let idlest: HttpSession | undefined
    for (const session of table.all()) {
      const counts = account === undefined ? session.principal === '' : session.account === account
      if (!counts || session.usedAt >= (idlest?.usedAt ?? Infinity) || session.isBusy()) continue
      idlest = session
    }
    if (idlest) endQuietly(idlest, madeRoom)
    return idlest !== undefined
  }

  /** One address makes room for itself. */
  function requireShare(account: CallerAccount): void {
    if (account === '') return
    const isAtAddress = isAddress(account)
    const most = isAtAddress ? limits.perAddress : limits.perPrincipal
    if (table.countOf(account) < most || (isAtAddress && dropIdlest(account))) return
    throw tooManySessions(429, most)
  }

  return {
    get size() {
      return table.size
    },
    all: table.all,
    end,
    find,
    lookUp,
    change,

    requireRoom(account) {
      requireShare(account)
      if (table.size < limits.total || dropUnfinished() || dropIdlest()) return
      throw tooManySessions(503, limits.total)
    },

    makeRoom: (account) => isAnonymous(account) && dropIdlest(account),
    accountOf: (id) => table.get(id)?.account ?? '',

    add(session) {
      if (records === undefined) return keep(session)
      const recorded = change(session, (facts) => facts)
      return isPromise(recorded) ? recorded.then(keep) : keep(recorded)
    },

    get(id, principal) {
      const found = lookUp(id, principal)
      return isPromise(found) ? found.then(requireFound) : requireFound(found)
    },

    async close() {
      upkeep[Symbol.dispose]()
      const why = shuttingDown
      const leaving: Promise<unknown>[] = []
      for (const session of table.all()) {
        if (records === undefined) endQuietly(session, why)
        else if (table.remove(session)) leaving.push(Promise.resolve(session.leave(why)))
      }
      await Promise.all(leaving)
    },
  }
}

function requireFound(session: HttpSession | undefined): HttpSession {
  if (session === undefined) throw sessionNotFound()
  return session
}

/** The sessions this process knows, and how many each account has. */
export interface SessionTable {
  readonly size: number
  all(): IterableIterator<HttpSession>
  get(id: string): HttpSession | undefined
  countOf(account: string): number
  add(session: HttpSession): void
  /** False if it is not known. */
  remove(session: HttpSession): boolean
}

function createSessionTable(): SessionTable {
  const sessions = new ShortLivedMap<string, HttpSession>()
  const counts = new Map<string, number>()

  return {
    get size() {
      return sessions.size
    },
    all: () => sessions.values(),
    get: (id) => sessions.get(id),
    countOf: (account) => counts.get(account) ?? 0,

    add(session) {
      if (session.id === undefined || sessions.has(session.id)) return
      sessions.set(session.id, session)
      const { account } = session
      counts.set(account, (counts.get(account) ?? 0) + 1)
    },

    remove({ id, account }) {
      if (id === undefined || sessions.take(id) === undefined) return false
      const count = (counts.get(account) ?? 1) - 1
      if (count === 0) counts.delete(account)
      else counts.set(account, count)
      return true
    },
  }
}
