import { ShortLivedMap } from '../../../rpc/short-lived.ts'
import type { HttpSession } from './http-session.ts'

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

export function createSessionTable(): SessionTable {
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
