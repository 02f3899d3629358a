import { isOldTransport, reasonOf } from '../check/why-silent.ts'
import { excerpt, member } from '../json.ts'
import type { Exchange, RawLink } from '../probe/exchange.ts'
import { openHttpLink } from '../probe/http-link.ts'
import { replyProblem } from './answer-fault.ts'
import { examineAuthorization } from './examine-authorization.ts'
import { examineLists } from './examine-lists.ts'
import { agreedRevision, examineNegotiation } from './examine-negotiation.ts'
import { examineReach } from './examine-reach.ts'
import { examineEnd, examineSessions, sessionOf } from './examine-sessions.ts'
import { examineBrowser, examineStream } from './examine-stream.ts'
import { openingOf, timeLimitOf, requestFor, type Examining } from './examining.ts'
import { bad, good, warning, type Step } from './step.ts'

/** Where a server is, and what to send along. */
export interface Location {
  readonly url: string
  readonly headers: { readonly [name: string]: string }
}

/** From the name of the host to open streams, one step after the other; ends where nothing further can be seen. */
export async function* examineHttp(
  target: Location,
  examining: Examining = {},
): AsyncGenerator<Step> {
  const url = new URL(target.url)
  const reach = await examineReach(url, examining)
  yield reach
  if (reach.state === 'bad') return

  const open = () => openHttpLink(target.url, target.headers, examining.options)
  const link = open()
  const first = openingOf(examining)
  const started = performance.now()
  let opening: Exchange
  try {
    opening = await link.exchange(first.message, { headers: first.headers, waitMs: 15_000 })
  } catch (error) {
    yield bad(
      'the first answer',
      reasonOf(error),
      'Check whether the URL should begin with https instead of http, or the reverse.',
    )
    return
  }
  const ms = Math.round(performance.now() - started)
  const answer = examineAnswer(opening, url, ms, timeLimitOf(15_000, examining))
  const status = opening.http?.status ?? 0
  if (status >= 400 && opening.answer?.['result'] === undefined && (await isOld(link))) {
    yield bad(
      'the first answer',
      'it uses the old HTTP+SSE transport, which was replaced after 2024-11-05',
      'Connect with --transport sse, or "type": "sse" in the configuration; better, update the server.',
    )
    return
  }
  yield answer

  if (status === 401 || status === 403) {
    yield* examineAuthorization(target, opening, examining)
    return
  }
  if (answer.state === 'bad') return
  yield await examineNegotiation(opening, { kind: 'http', open: async () => open() }, examining)
  const session = sessionOf(target, opening)
  yield* examineSessions(session, examining)
  const inSession = openHttpLink(session.url, session.headers, examining.options)
  if (agreedRevision(opening) !== undefined) {
    await inSession.exchange({ jsonrpc: '2.0', method: 'notifications/initialized' })
  }
  yield* examineLists(member(opening.answer?.['result'], 'capabilities'), (method) => {
    const { message, headers } = requestFor(method, opening, examining)
    return inSession.exchange(message, { headers })
  })
  yield* examineStream(session, examining)
  yield* examineBrowser(target, examining)
  yield* examineEnd(session, examining)
}

async function isOld(link: RawLink): Promise<boolean> {
  const headers = { accept: 'text/event-stream' }
  const { http } = await link.exchange('', { method: 'GET', headers, waitMs: 2_000 })
  return isOldTransport(http?.body)
}

/** What no client takes as an answer over HTTP, though it looks like one. */
function problemOf(opening: Exchange, type: string) {
  if (/^(?:application\/json|text\/event-stream)\b/i.test(type)) return replyProblem(opening)
  return {
    seen: `its type is ${excerpt(type, 60)}`,
    fix: 'Send application/json or text/event-stream [HPOST-07].',
  }
}

/** What the path answers to the first message. */
function examineAnswer(
  opening: Exchange,
  { pathname, origin }: URL,
  ms: number,
  limit: string,
): Step {
  const title = 'the first answer'
  const { http } = opening
  if (http === undefined) {
    return bad(
      title,
      `no answer in ${limit}`,
      'Check whether a proxy holds answers back, or the server is still starting.',
    )
  }
  const type = http.header('content-type') ?? 'no type'
  if (http.status === 404) {
    const message = member(opening.answer?.['error'], 'message')
    const why = typeof message === 'string' ? `: ${excerpt(message, 100)}` : ''
    return bad(
      title,
      `nothing is served at ${pathname}${why}`,
      `Many servers are at ${origin}/mcp.`,
    )
  }
  if (opening.answer !== undefined) {
    const problem = problemOf(opening, type)
    if (problem) return bad(title, problem.seen, problem.fix)
    return ms > 5_000
      ? warning(title, `after ${ms} ms`, 'Clients give up while a server starts: keep one running.')
      : good(title, `HTTP ${http.status}, ${type}, ${ms} ms`)
  }
  if (http.status === 401 || http.status === 403)
    return good(title, `HTTP ${http.status}: sign-in is required`)
  if (http.status >= 300 && http.status < 400) {
    return bad(
      title,
      `it redirects to ${excerpt(http.header('location') ?? 'nowhere', 100)}`,
      'Use that address: clients do not follow a redirect with a POST.',
    )
  }
  if (http.status === 405) {
    return bad(title, 'it does not accept POST', 'Check the path: many servers are at /mcp.')
  }
  if (/html/.test(type)) {
    return bad(
      title,
      `a web page (HTTP ${http.status}): ${excerpt(http.body, 80)}`,
      'This is a web site or a proxy, not the endpoint. Check the path.',
    )
  }
  return bad(
    title,
    `HTTP ${http.status}, ${type}: ${excerpt(http.body, 100)}`,
    'It is not an MCP server.',
  )
}
