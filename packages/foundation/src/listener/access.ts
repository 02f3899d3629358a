import type { IncomingMessage } from 'node:http'

import { createSecret, isSame } from './secrets.ts'

/** How a request was let in. */
export type Via = 'cookie' | 'bearer'

/** The users of this process. Nothing in it outlives the process. */
export interface Access {
  /** For programs of the same user; goes into a file that only they can read. */
  readonly token: string
  /** A fresh one-time secret for the fragment of an address. */
  createEntry(): string
  /** The cookie and the key for a secret that was not used yet. */
  enter(secret: string): { readonly cookie: string; readonly key: string } | undefined
  /** Undefined: not let in. */
  check(request: IncomingMessage): Via | undefined
  createTicket(): string
  /** A ticket opens one WebSocket, soon. */
  takeTicket(ticket: string): boolean
  /** Whether the request has the cookie of a page that entered; its key is not looked at. */
  hasCookie(request: IncomingMessage): boolean
}

export interface AccessOptions {
  readonly cookieName: string
  readonly cookiePath: string
  readonly isSecure: boolean
  readonly ticketMs: number
  readonly now?: (() => number) | undefined
}

/** The header that carries the key. A page of another origin cannot set it without asking us first. */
export const keyHeader = 'x-parley'
/** More than that many open entries, sessions or tickets are never needed: the oldest goes. */
const most = 64

export function createAccess(options: AccessOptions): Access {
  const { cookieName, cookiePath, isSecure, ticketMs, now = Date.now } = options
  const token = createSecret()
  const entries: string[] = []
  const sessions: { readonly cookie: string; readonly key: string }[] = []
  const tickets: { readonly ticket: string; readonly until: number }[] = []

  function sessionOf(request: IncomingMessage) {
    const cookies = cookiesOf(request, cookieName)
    return sessions.find(({ cookie }) => cookies.some((value) => isSame(value, cookie)))
  }

  return {
    token,
    createEntry() {
      const secret = createSecret()
      push(entries, secret)
      return secret
    },
    enter(secret) {
      const index = entries.findIndex((entry) => isSame(entry, secret))
      if (index < 0) return undefined
      entries.splice(index, 1)
      const session = { cookie: createSecret(), key: createSecret() }
      push(sessions, session)
      const secure = isSecure ? '; Secure' : ''
      return {
        cookie: `${cookieName}=${session.cookie}; Path=${cookiePath}; HttpOnly; SameSite=Strict${secure}`,
        key: session.key,
      }
    },
    check(request) {
      const { authorization, [keyHeader]: key } = request.headers
      if (authorization !== undefined) {
        const bearer = /^Bearer ([\w-]+)$/i.exec(authorization)?.[1]
        return bearer !== undefined && isSame(bearer, token) ? 'bearer' : undefined
      }
      const session = sessionOf(request)
      if (session === undefined || typeof key !== 'string') return undefined
      return isSame(key, session.key) ? 'cookie' : undefined
    },
    createTicket() {
      const ticket = createSecret()
      push(tickets, { ticket, until: now() + ticketMs })
      return ticket
    },
    takeTicket(submitted) {
      const index = tickets.findIndex(({ ticket }) => isSame(ticket, submitted))
      if (index < 0) return false
      const [used] = tickets.splice(index, 1)
      return used !== undefined && now() <= used.until
    },
    hasCookie: (request) => sessionOf(request) !== undefined,
  }
}

function push<T>(list: T[], item: T): void {
  list.push(item)
  if (list.length > most) list.shift()
}

/** There may be several of one name, set for other paths. */
function cookiesOf({ headers }: IncomingMessage, name: string): readonly string[] {
  return (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
}
