import type { Request, RequestId } from '../../../rpc/message.ts'
import { isPromise, type MaybePromise } from '../../../rpc/promise.ts'
import { greet } from '../../../server/peer/initialize.ts'
import { codecOf } from '../../../wire/revisions.ts'
import { badRequest, draining, refusalBody } from '../admission/http-errors.ts'
import type { Accepts } from '../admission/media-type.ts'
import { PostAnswer } from '../post-answer.ts'
import { idInUse } from '../post-body.ts'
import type { Visit } from '../post-request.ts'
import type { HttpSession } from './http-session.ts'
import type { SessionAccess } from './session-access.ts'

/** Answers `initialize`: opens a session, or one for this request where there are none. */
export function initialize(
  access: SessionAccess,
  visit: Visit,
  request: Request,
  accepts: Accepts,
): MaybePromise<void> {
  if (access.isDraining()) throw draining()
  visit.permission?.require({ method: request.method, scopes: [] })
  const named = visit.exchange.header('mcp-session-id')
  if (named === undefined) return openSession(access, visit, request, accepts)
  return initializeAgain(access, visit, request, accepts, named)
}

/** Only a session that is over is opened anew. */
async function initializeAgain(
  access: SessionAccess,
  visit: Visit,
  request: Request,
  accepts: Accepts,
  named: string,
): Promise<void> {
  const known = await access.sessions.lookUp(named, visit.auth)
  if (known?.isWorkingOn(request.id)) return refuseTwice(visit, request.id)
  if (known) throw badRequest(400, 'this session is initialized already')
  await openSession(access, visit, request, accepts)
}

function openSession(
  access: SessionAccess,
  visit: Visit,
  request: Request,
  accepts: Accepts,
): MaybePromise<void> {
  const { auth } = visit
  const caller = auth && { isLocal: false, auth }
  const greeting = greet(access.definition, request, access.revisions, codecOf, {
    caller,
    clientBytes: access.limits.clientBytes,
  })
  const opened = access.open(greeting, visit)
  const answer = (session: HttpSession): void =>
    welcome(access, visit, { request, accepts, session, response: greeting.response })
  return isPromise(opened) ? opened.then(answer) : answer(opened)
}

/** The answer is there already: only who reads no JSON needs a stream for it. */
function welcome(
  access: SessionAccess,
  visit: Visit,
  { request, accepts, session, response }: Opened,
): void {
  const { exchange, cors } = visit
  const headers = session.id === undefined ? cors : { 'mcp-session-id': session.id, ...cors }
  if (accepts.json) {
    access.trace('out', response)
    exchange.respond(200, { 'content-type': 'application/json', ...headers }, response)
  } else {
    const messages = { isBatch: false, requests: [request], errors: [] }
    const options = { host: access, visit, session, accepts, messages, headers }
    new PostAnswer(options).reply(request.id, response)
  }
  access.forget(session)
}

interface Opened {
  readonly request: Request
  readonly accepts: Accepts
  readonly session: HttpSession
  /** To `initialize`. */
  readonly response: string
}

/** Without the id: the answer to the first request with it must stay the only one. */
function refuseTwice({ exchange, cors }: Visit, id: RequestId): void {
  const json = { ...cors, 'content-type': 'application/json' }
  exchange.respond(400, json, refusalBody(idInUse(id)))
}
