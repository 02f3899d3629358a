import { readEventId } from './event-id.ts'
import { badRequest, type HttpRefusal } from './http-errors.ts'
import { readAccept } from './media-type.ts'
import { draining, requireSession, type Visit } from './post-request.ts'
import type { SessionAccess } from './session-access.ts'
import { streamHeaders } from './sse-event.ts'

/** Answers a GET: a new stream for what belongs to no call, or the rest of one that was cut off. */
export function handleGet(access: SessionAccess, visit: Visit): void {
  const { exchange, cors } = visit
  if (!readAccept(exchange.header('accept')).events) {
    throw badRequest(406, 'Accept must list text/event-stream')
  }
  const { streams } = requireSession(access, visit)
  const lastEventId = exchange.header('last-event-id')
  const headers = { ...cors, ...streamHeaders }
  if (lastEventId === undefined) {
    if (access.isDraining()) throw draining()
    const output = exchange.openStream(headers)
    const stream = streams.listen(output)
    return exchange.onGone(() => stream.detach(output))
  }
  // Found by the session, so that an id of another one, or of another principal, names nothing.
  const event = readEventId(lastEventId)
  const stream = event && streams.find(event.streamId)
  if (!event || !stream?.knows(event.sequence)) throw unknownEvent(lastEventId)
  const output = exchange.openStream(headers)
  stream.attach(output, event.sequence)
  exchange.onGone(() => stream.detach(output))
}

/** Not 404, which would tell the client that its session is gone. */
function unknownEvent(id: string): HttpRefusal {
  const shown = JSON.stringify(id.slice(0, 80))
  return badRequest(
    400,
    `there is nothing to resume from event ${shown}: it is unknown here or no longer kept`,
  )
}
