import type { Request } from '../../../rpc/message.ts'
import { isPromise, type MaybePromise } from '../../../rpc/promise.ts'
import { initialize as negotiate } from '../../../server/initialize.ts'
import { draining } from '../admission/capacity.ts'
import type { AdmittedRequest } from '../admitted-request.ts'
import type { EndpointService } from '../endpoint-service.ts'
import { HttpResponder, type ResponderOwner } from '../http-responder.ts'
import type { HttpSession } from './http-session.ts'

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
  const existing = await service.sessions.find(named, admitted.caller)
  if (existing === undefined) return openSession(service, admitted, request)
  const { session } = existing
  const options = { service, request: admitted, owner: existing }
  session.request(request, new HttpResponder(options, request.id, session), admitted.memory)
}

function openSession(
  service: EndpointService,
  admitted: AdmittedRequest,
  request: Request,
): MaybePromise<void> {
  const { auth } = admitted.caller
  const { definition, revisions, limits, sessions, settings, standalone } = service
  const caller = auth && { isLocal: false, auth }
  const options = { revisions, caller, clientBytes: limits.clientBytes }
  return negotiate(definition, request, options, (answer) => {
    const { response } = answer
    const respond = (session: HttpSession): void =>
      respondOpened(service, admitted, { request, response, owner: session, id: session.id })
    if (settings.hasSessions) {
      const opened = sessions.open(answer, admitted.caller)
      return isPromise(opened) ? opened.then(respond) : respond(opened)
    }
    answer.backend?.close()
    respondOpened(service, admitted, { request, response, owner: standalone.legacyOwner })
  })
}

interface Opened {
  readonly request: Request
  /** To `initialize`. */
  readonly response: string
  readonly owner: ResponderOwner
  /** The id of the session; absent without sessions. */
  readonly id?: string
}

/** The response is complete: only a client that does not accept JSON needs a stream for it. */
function respondOpened(
  service: EndpointService,
  admitted: AdmittedRequest,
  { request, response, owner, id }: Opened,
): void {
  const { exchange, cors, headers: requested } = admitted
  const headers = id === undefined ? cors : { 'mcp-session-id': id, ...cors }
  if (requested.accepts.json) {
    service.trace?.('out', response)
    return exchange.respond(200, { 'content-type': 'application/json', ...headers }, response)
  }
  const options = { service, request: admitted, owner, headers }
  new HttpResponder(options, request.id).reply(request.id, response)
}
