/**
 * The sessions that this process knows, by their keys, and the order in which those that rest were last used: of all, and of
 * each account. Making room takes the oldest of that order, so it costs the same however many sessions there are.
 *
 * A session with a stream or a call is found to be busy when it is the oldest. It leaves the order then, and no longer counts
 * against `maxSessions`; its next use, or the upkeep once it rests, puts it back. `HttpSessions` decides who has to go, and
 * `SessionUpkeep` looks after those that nobody uses.
 */
import { ShortLivedMap } from '../../../rpc/short-lived.ts'
import type { QuotaKey } from '../admitted-request.ts'
import { keyIn } from '../cluster/shared-sessions.ts'
import type { HttpSession } from './http-session.ts'

/** The sessions this process knows, and how many each account has. */
export interface SessionTable {
  readonly size: number
  /** Those that count: all but those that were found to be busy. */
  readonly resting: number
  all(): IterableIterator<HttpSession>
  /** By the id that its client sent. */
  get(id: string): HttpSession | undefined
  byKey(key: string): HttpSession | undefined
  countOf(account: QuotaKey): number
  /** Those that this process has opened. */
  countOpened(account: QuotaKey): number
  add(session: HttpSession): void
  /** False if it is not known. */
  remove(session: HttpSession): boolean
  /** It is used, so it is the last to go. */
  use(session: HttpSession): void
  /** It may rest by now: it is in the order again, unless it is there already. */
  offer(session: HttpSession): void
  /** Takes the oldest out of the order: of one account, or of those who make room for others. Undefined without any. */
  takeOldest(account?: QuotaKey): HttpSession | undefined
}

/** In a cluster every session makes room for others: its client can take it up again. Else only those of strangers do. */
export function createSessionTable(isShared: boolean): SessionTable {
  const sessions = new ShortLivedMap<string, HttpSession>()
  const counts = new Map<QuotaKey, number>()
  const opened = new Map<QuotaKey, number>()
  const order = new UseOrder('older', 'newer')
  const orders = new Map<QuotaKey, UseOrder>()

  function count({ quotaKey, isRestored }: HttpSession, by: 1 | -1): void {
    change(counts, quotaKey, by)
    if (isShared && !isRestored) change(opened, quotaKey, by)
  }

  function offer(session: HttpSession): void {
    if (session.isOffered) return
    session.isOffered = true
    if (isShared || session.principal === '') order.add(session)
    const { quotaKey } = session
    if (quotaKey === '') return
    const own = orders.get(quotaKey) ?? new UseOrder('olderOwn', 'newerOwn')
    orders.set(quotaKey, own)
    own.add(session)
  }

  function withdraw(session: HttpSession): void {
    if (!session.isOffered) return
    session.isOffered = false
    if (isShared || session.principal === '') order.remove(session)
    const own = orders.get(session.quotaKey)
    own?.remove(session)
    if (own?.size === 0) orders.delete(session.quotaKey)
  }

  return {
    get size() {
      return sessions.size
    },
    get resting() {
      return isShared ? order.size : sessions.size
    },
    all: () => sessions.values(),
    get(id) {
      if (!isShared) return sessions.get(id)
      const session = sessions.get(keyIn(id))
      return session?.id === id ? session : undefined
    },
    byKey: (key) => sessions.get(key),
    countOf: (account) => counts.get(account) ?? 0,
    countOpened: (account) => opened.get(account) ?? 0,

    add(session) {
      const { key } = session
      if (key === undefined || sessions.has(key)) return
      sessions.set(key, session)
      count(session, 1)
      offer(session)
    },

    remove(session) {
      const { key } = session
      if (key === undefined || sessions.take(key) === undefined) return false
      count(session, -1)
      withdraw(session)
      return true
    },

    use(session) {
      if (order.newest === session) return
      if (!session.isOffered && sessions.get(session.key ?? '') !== session) return // it was dropped meanwhile
      withdraw(session)
      offer(session)
    },

    offer,

    takeOldest(account) {
      const oldest = (account === undefined ? order : orders.get(account))?.oldest
      if (oldest) withdraw(oldest)
      return oldest
    },
  }
}

/** The neighbours of a session in the two orders that it is part of. */
export interface OrderedSession {
  older: HttpSession | undefined
  newer: HttpSession | undefined
  olderOwn: HttpSession | undefined
  newerOwn: HttpSession | undefined
}

/** A list that is kept in the sessions themselves: thousands of them change places all the time. */
class UseOrder {
  size = 0
  oldest: HttpSession | undefined
  newest: HttpSession | undefined
  private readonly before: 'older' | 'olderOwn'
  private readonly behind: 'newer' | 'newerOwn'

  constructor(before: 'older' | 'olderOwn', behind: 'newer' | 'newerOwn') {
    this.before = before
    this.behind = behind
  }

  /** As the newest. */
  add(session: HttpSession): void {
    const { before, behind, newest } = this
    session[before] = newest
    if (newest) newest[behind] = session
    else this.oldest = session
    this.newest = session
    this.size += 1
  }

  remove(session: HttpSession): void {
    const { before, behind } = this
    const { [before]: older, [behind]: newer } = session
    if (older) older[behind] = newer
    else this.oldest = newer
    if (newer) newer[before] = older
    else this.newest = older
    session[before] = session[behind] = undefined
    this.size -= 1
  }
}

function change(counts: Map<string, number>, account: string, by: number): void {
  const next = (counts.get(account) ?? 0) + by
  if (next === 0) counts.delete(account)
  else counts.set(account, next)
}
