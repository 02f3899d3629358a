import { draining } from './admission/capacity.ts'
import { badRequest, type HttpError } from './admission/http-errors.ts'
import type { AdmittedRequest } from './admitted-request.ts'
import type { EndpointService } from './endpoint-service.ts'
import { requireSession } from './post-request.ts'
import type { StreamOutput } from './runtime/exchange.ts'
import type { HttpSession } from './sessions/http-session.ts'
import { afterStore, storeUnavailable } from './sessions/store-access.ts'
import { readEventId, streamHeaders } from './streams/sse.ts'

/** Answers a GET: a new stream for what belongs to no call, or the rest of one that was cut off. */
export async function handleGet(service: EndpointService, request: AdmittedRequest): Promise<void> {
  const { exchange, headers } = request
  if (!headers.accepts.events) {
    throw badRequest(406, 'Accept must list text/event-stream')
  }
  service.overload?.admit('opening')
  const session = await requireSession(service, request)
  const lastEventId = exchange.header('last-event-id')
  if (lastEventId === undefined) await listen(service, request, session)
  else await resume(service, request, session, lastEventId)
}

/** Announces the listener to the other processes first: they send messages for the client here from now on. */
async function listen(
  service: EndpointService,
  request: AdmittedRequest,
  session: HttpSession,
): Promise<void> {
  if (service.isDraining) throw draining()
  const claim = await service.cluster.claimListener(session)
  const output = openStream(service, request)
  const stream = session.listen(output, claim)
  request.exchange.onClosed(() => stream.detach(output))
}

/** The log keeps events for a time only. A client that missed more is notified that anything may have changed. */
async function listenAgain(
  service: EndpointService,
  request: AdmittedRequest,
  session: HttpSession,
): Promise<void> {
  await listen(service, request, session)
  session.announceAll()
}

/** A client with a new credential can resume where this stream ends. */
function openStream(
  { authorizations }: EndpointService,
  { exchange, cors, caller }: AdmittedRequest,
): StreamOutput {
  const output = exchange.openStream({ ...cors, ...streamHeaders })
  output.watchReader = (onEnded) => authorizations.watch(caller.auth, onEnded)
  return output
}

/** Found by the session, so that an id of another one, or of another principal, names nothing. */
async function resume(
  service: EndpointService,
  request: AdmittedRequest,
  session: HttpSession,
  lastEventId: string,
): Promise<void> {
  const event = readEventId(lastEventId)
  if (!event) throw unknownEvent(lastEventId)
  const { streamId, sequence } = event
  const isKnown = await afterStore(
    () => session.hasEvent(streamId, sequence),
    (exists) => exists,
    (error) => {
      throw storeUnavailable(error, service.onError)
    },
  )
  if (!isKnown && session.streams.isListener(streamId)) {
    return listenAgain(service, request, session)
  }
  if (!isKnown) throw unknownEvent(lastEventId)
  const isMoving = !service.isDraining && session.streams.isMoving(streamId)
  const claim = isMoving ? await service.cluster.claimListener(session) : undefined
  const output = openStream(service, request)
  request.exchange.onClosed(session.resumeStream(streamId, output, sequence, claim))
}

/** Not 404, which would tell the client that its session is gone. */
function unknownEvent(id: string): HttpError {
  const shown = JSON.stringify(id.slice(0, 80))
  return badRequest(
    400,
    `there is nothing to resume from event ${shown}: it is unknown here or no longer kept`,
  )
}
