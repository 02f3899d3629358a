import { member } from '../json.ts'
import type { Exchange } from '../probe/exchange.ts'
import { openHttpLink } from '../probe/http-link.ts'
import type { Location } from './examine-http.ts'
import type { Examining } from './examining.ts'
import { bad, good, warning, type Step } from './step.ts'

/** A place, and what goes with every request there after the handshake. */
export interface Session extends Location {
  readonly id: string | undefined
}

/** The session that began with this answer. */
export function sessionOf({ url, headers }: Location, opening: Exchange): Session {
  const id = opening.http?.header('mcp-session-id')
  const revision = member(opening.answer?.['result'], 'protocolVersion')
  const own = {
    ...headers,
    ...(typeof revision === 'string' && { 'mcp-protocol-version': revision }),
    ...(id !== undefined && { 'mcp-session-id': id }),
  }
  return { url, headers: own, id }
}

/** Whether sessions last from one request to the next, as they do not behind a balancer that forgets who is where. */
export async function* examineSessions(
  { url, headers, id }: Session,
  { options }: Examining = {},
): AsyncGenerator<Step> {
  const title = 'sessions'
  if (id === undefined) {
    yield good(title, 'none: the server keeps no sessions')
    return
  }
  const link = openHttpLink(url, headers, options)
  const statuses: number[] = []
  for (let at = 0; at < 8; at += 1) {
    const found = await link.exchange({ jsonrpc: '2.0', id: `s${at}`, method: 'ping' })
    statuses.push(found.answer?.['result'] === undefined ? (found.http?.status ?? 0) : 200)
  }
  const failedStatuses = statuses.filter((status) => status !== 200)
  if (failedStatuses.length === 0)
    yield good(title, `one session served ${statuses.length} requests in a row`)
  else if (failedStatuses.length < statuses.length) {
    yield bad(
      title,
      `${failedStatuses.length} of ${statuses.length} requests did not find their session (HTTP ${failedStatuses.join(', ')})`,
      'Several processes serve it, and each knows its own sessions only: share them, or send a session always to the same one.',
    )
  } else {
    yield bad(
      title,
      `no request after initialize found its session (HTTP ${failedStatuses[0]})`,
      'Does something in between drop the Mcp-Session-Id header?',
    )
  }
}

/** Last of all: whether it ends when it is told to. */
export async function* examineEnd(
  { url, headers, id }: Session,
  { options }: Examining = {},
): AsyncGenerator<Step> {
  const title = 'ending a session'
  if (id === undefined) return
  const link = openHttpLink(url, headers, options)
  const ended = await link.exchange('', { method: 'DELETE' })
  const status = ended.http?.status ?? 0
  if (status === 405) {
    yield warning(
      title,
      'clients cannot end one',
      'Answer DELETE: else sessions stay until they time out.',
    )
    return
  }
  const after = await link.exchange({ jsonrpc: '2.0', id: 'after', method: 'ping' })
  if (after.http?.status === 404) yield good(title, 'DELETE, then 404')
  else
    yield bad(
      title,
      `after DELETE it answers HTTP ${after.http?.status ?? 0}`,
      'Answer 404 to a session that has ended: it tells clients to start a new session [HSESS-07].',
    )
}
