import type { Request } from '../../../rpc/message.ts'
import { isPromise, type MaybePromise } from '../../../rpc/promise.ts'
import type { BackendWelcome } from '../../../server/backend.ts'
import type { KnownCaller } from '../../../server/capabilities.ts'
import { negotiate, openBackend } from '../../../server/initialize.ts'
import { draining } from '../admission/capacity.ts'
import type { AdmittedRequest } from '../admitted-request.ts'
import type { EndpointService } from '../endpoint-service.ts'
import { HttpResponder } from '../http-responder.ts'
import type { OpenedSession } from '../sessions.ts'

/** Answers `initialize`: opens a session, or one for this request where there are none. */
export function initialize(
  service: EndpointService,
  admitted: AdmittedRequest,
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
  admitted: AdmittedRequest,
  request: Request,
  named: string,
): Promise<void> {
  const known = await service.sessions.lookUp(named, admitted.caller)
  if (known === undefined) return openSession(service, admitted, request)
  const answer = new HttpResponder({ service, request: admitted, owner: known }, request.id)
  known.session.request(request, answer, admitted.memory)
}

function openSession(
  service: EndpointService,
  admitted: AdmittedRequest,
  request: Request,
): MaybePromise<void> {
  const { auth } = admitted.caller
  const { definition, revisions } = service
  const caller = auth && { isLocal: false, auth }
  const welcome = openBackend(definition, request, { revisions, caller })
  return welcome === undefined
    ? agree(service, admitted, request, caller)
    : welcome.then((found) => agree(service, admitted, request, caller, found))
}

function agree(
  service: EndpointService,
  admitted: AdmittedRequest,
  request: Request,
  caller: KnownCaller | undefined,
  welcome?: BackendWelcome,
): MaybePromise<void> {
  try {
    const { definition, revisions, limits } = service
    const { clientBytes } = limits
    const how = { revisions, caller, clientBytes, welcome }
    const agreed = negotiate(definition, request, how)
    const opened = service.sessions.open(agreed, admitted.caller)
    const answer = (session: OpenedSession): void =>
      answerOpened(service, admitted, { request, ...session, response: agreed.response })
    if (!isPromise(opened)) return answer(opened)
    return opened.then(answer, (error: unknown) => {
      welcome?.session.close()
      throw error
    })
  } catch (error) {
    welcome?.session.close()
    throw error
  }
}

/** The answer is there already: only who reads no JSON needs a stream for it. */
function answerOpened(
  service: EndpointService,
  admitted: AdmittedRequest,
  { request, session, id, response }: Opened,
): void {
  const { exchange, cors, headers } = admitted
  const named = id === undefined ? cors : { 'mcp-session-id': id, ...cors }
  if (headers.accepts.json) {
    service.trace?.('out', response)
    exchange.respond(200, { 'content-type': 'application/json', ...named }, response)
  } else {
    const options = { service, request: admitted, owner: session, headers: named }
    new HttpResponder(options, request.id).reply(request.id, response)
  }
  service.sessions.closeForRequest(session)
}

interface Opened extends OpenedSession {
  readonly request: Request
  /** To `initialize`. */
  readonly response: string
}
