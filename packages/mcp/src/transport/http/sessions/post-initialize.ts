import type { Request, RequestId } from '../../../rpc/message.ts'
import { isPromise, type MaybePromise } from '../../../rpc/promise.ts'
import { greet } from '../../../server/peer/initialize.ts'
import { codecOf } from '../../../wire/revisions.ts'
import type { Admitted } from '../admission/admitted.ts'
import { draining } from '../admission/capacity.ts'
import { badRequest, refusalBody } from '../admission/http-errors.ts'
import { HttpAnswer } from '../answer.ts'
import { idInUse, oneRequest } from '../post-body.ts'
import type { EndpointService } from '../service.ts'
import type { HttpSession } from './http-session.ts'

/** Answers `initialize`: opens a session, or one for this request where there are none. */
export function initialize(
  service: EndpointService,
  admitted: Admitted,
  request: Request,
): MaybePromise<void> {
  if (service.isDraining) throw draining()
  admitted.caller.require({ method: request.method, scopes: [] })
  const named = admitted.exchange.header('mcp-session-id')
  if (named === undefined) return openSession(service, admitted, request)
  return initializeAgain(service, admitted, request, named)
}

/** Only a session that is over is opened anew. */
async function initializeAgain(
  service: EndpointService,
  admitted: Admitted,
  request: Request,
  named: string,
): Promise<void> {
  const known = await service.sessions.lookUp(named, admitted.caller.auth)
  if (known?.isWorkingOn(request.id)) return refuseTwice(admitted, request.id)
  if (known) throw badRequest(400, 'this session is initialized already')
  await openSession(service, admitted, request)
}

function openSession(
  service: EndpointService,
  admitted: Admitted,
  request: Request,
): MaybePromise<void> {
  const { auth } = admitted.caller
  const caller = auth && { isLocal: false, auth }
  const greeting = greet(service.definition, request, service.revisions, codecOf, {
    caller,
    clientBytes: service.limits.clientBytes,
  })
  const opened = service.sessions.open(greeting, admitted.caller)
  const answer = (session: HttpSession): void =>
    welcome(service, admitted, { request, session, response: greeting.response })
  return isPromise(opened) ? opened.then(answer) : answer(opened)
}

/** The answer is there already: only who reads no JSON needs a stream for it. */
function welcome(
  service: EndpointService,
  admitted: Admitted,
  { request, session, response }: Opened,
): void {
  const { exchange, cors, headers } = admitted
  const named = session.id === undefined ? cors : { 'mcp-session-id': session.id, ...cors }
  if (headers.accepts.json) {
    service.trace?.('out', response)
    exchange.respond(200, { 'content-type': 'application/json', ...named }, response)
  } else {
    const messages = oneRequest(request)
    const options = { service, admitted, owner: session, messages, headers: named }
    new HttpAnswer(options).reply(request.id, response)
  }
  service.sessions.closeForRequest(session)
}

interface Opened {
  readonly request: Request
  readonly session: HttpSession
  /** To `initialize`. */
  readonly response: string
}

/** Without the id: the answer to the first request with it must stay the only one. */
function refuseTwice({ exchange, cors }: Admitted, id: RequestId): void {
  const json = { ...cors, 'content-type': 'application/json' }
  exchange.respond(400, json, refusalBody(idInUse(id)))
}
