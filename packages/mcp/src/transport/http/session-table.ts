import type { HttpSession } from './http-session.ts'

/** The sessions this process knows, and how many each principal has. */
export interface SessionTable {
  readonly size: number
  all(): IterableIterator<HttpSession>
  get(id: string): HttpSession | undefined
  countOf(principal: string): number
  add(session: HttpSession): void
  /** False if it is not known. */
  remove(session: HttpSession): boolean
}

export function createSessionTable(): SessionTable {
  const sessions = new Map<string, HttpSession>()
  const counts = new Map<string, number>()

  return {
    get size() {
      return sessions.size
    },
    all: () => sessions.values(),
    get: (id) => sessions.get(id),
    countOf: (principal) => counts.get(principal) ?? 0,

    add(session) {
      if (session.id === undefined || sessions.has(session.id)) return
      sessions.set(session.id, session)
      counts.set(session.principal, (counts.get(session.principal) ?? 0) + 1)
    },

    remove({ id, principal }) {
      if (id === undefined || !sessions.delete(id)) return false
      const count = (counts.get(principal) ?? 1) - 1
      if (count === 0) counts.delete(principal)
      else counts.set(principal, count)
      return true
    },
  }
}
