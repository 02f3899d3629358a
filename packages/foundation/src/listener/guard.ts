import type { IncomingMessage } from 'node:http'

import type { Access, Via } from './access.ts'
import type { Allowance } from './limits.ts'
import type { Names } from './names.ts'
import { reject, type Rejection } from './refusal.ts'

/** The checks between a socket and everything else. */
export interface Guard {
  /** Before anything is looked at: the name we were called by, the page that calls, how often. */
  checkCaller(request: IncomingMessage): Rejection | undefined
  /** Before anything is done. */
  checkAccess(request: IncomingMessage): Via | Rejection
  /** Before a WebSocket is opened: the same, with a ticket instead of the key that no WebSocket can carry. */
  checkSocket(request: IncomingMessage): Rejection | undefined
}

export interface GuardContext {
  readonly access: Access
  readonly names: Names
  readonly all: Allowance
  readonly refused: Allowance
}

export function createGuard({ access, names, all, refused }: GuardContext): Guard {
  const tooMany = reject(429, 'too_many', 'too many requests: wait a moment')

  function notEntered(): Rejection {
    return refused()
      ? reject(401, 'not_entered', 'this browser or program has not signed in')
      : tooMany
  }

  /** A browser says where a request to the API comes from; a program that is none has the token. */
  function isCrossOrigin({ headers }: IncomingMessage): boolean {
    const site = headers['sec-fetch-site']
    return site !== undefined && site !== 'same-origin' && site !== 'none'
  }

  return {
    checkCaller(request) {
      const { host, origin } = request.headers
      if (!all()) return tooMany
      if (!names.isOurHost(host)) {
        return reject(403, 'foreign_host', 'this host name is not allowed')
      }
      if (origin !== undefined && !names.isOurOrigin(origin)) {
        return reject(403, 'foreign_origin', 'pages of other origins are not allowed')
      }
      return undefined
    },
    checkAccess(request) {
      const { method, headers } = request
      const via = access.check(request)
      if (via === undefined) return notEntered()
      if (via === 'bearer') return via
      if (isCrossOrigin(request) || (method !== 'GET' && headers.origin === undefined)) {
        return reject(403, 'foreign_origin', 'the request does not come from our own page')
      }
      return via
    },
    checkSocket(request) {
      if (access.check(request) === 'bearer') return undefined
      if (request.headers.authorization !== undefined) return notEntered()
      if (request.headers.origin === undefined || isCrossOrigin(request)) {
        return reject(403, 'foreign_origin', 'the request does not come from our own page')
      }
      const ticket = ticketOf(request)
      // The ticket is taken in any case: whoever shows one to us has shown it.
      const hasTicket = ticket !== undefined && access.takeTicket(ticket)
      return hasTicket && access.hasCookie(request) ? undefined : notEntered()
    },
  }
}

/** A page cannot give a WebSocket headers, and addresses end up in logs: so it is a subprotocol. */
function ticketOf({ headers }: IncomingMessage): string | undefined {
  return (headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((protocol) => protocol.trim())
    .find((protocol) => protocol.startsWith('ticket.'))
    ?.slice('ticket.'.length)
}
