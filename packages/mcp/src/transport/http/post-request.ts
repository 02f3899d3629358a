/**
 * Handles a POST: reads the body within its limits, decodes the message, and passes it to the session it belongs to.
 *
 * Requests of 2026-07-28, and all requests with `sessions: 'off'`, go to `StandaloneRequests`; `initialize` goes to
 * `sessions/post-initialize.ts`; everything else to the `ServerSession` that `Mcp-Session-Id` names. Responses are written by
 * `HttpResponder`. Uses callbacks instead of `await`: one more promise per request is measurable in the benchmark.
 */
import type { OnError } from '../../rpc/errors/on-error.ts'
import { isRpcError, RpcError } from '../../rpc/errors/rpc-error.ts'
import { measureJson, jsonWeight } from '../../rpc/json/json-limits.ts'
import {
  decodeMessage,
  type Batch,
  type Message,
  type Request,
  type RequestId,
} from '../../rpc/message.ts'
import { withArrival } from '../../rpc/observer.ts'
import { attempt, isPromise, type MaybePromise } from '../../rpc/promise.ts'
import type { RawMessage } from '../../rpc/transport.ts'
import type { Codec } from '../../wire/codec.ts'
import { encodeWireError } from '../../wire/error-codes.ts'
import { hasEnvelope } from '../../wire/request-meta.ts'
import { draining, overLimit } from './admission/capacity.ts'
import { badRequest, HttpError, statusOf } from './admission/http-errors.ts'
import { type AdmittedRequest, isAddress } from './admitted-request.ts'
import type { EndpointService } from './endpoint-service.ts'
import { respondToRequests, countRequests } from './http-responder.ts'
import { requireMediaTypes, requireSessionlessCodec, requireSupported } from './request-headers.ts'
import type { HttpSession } from './sessions/http-session.ts'
import { initialize } from './sessions/post-initialize.ts'

/** Answers a POST: one message, or several in the revision that has batches. */
export function handlePost(service: EndpointService, request: AdmittedRequest): void {
  const { exchange, reject, memory } = request
  requireMediaTypes(exchange, request.headers.accepts)
  if (service.overload && exchange.header('mcp-session-id') === undefined) {
    // Before the body is read. A message of a session may be an answer, or cancel something, which nobody knows yet.
    const isCall = request.headers.codec !== undefined && !request.headers.codec.has.initialize
    service.overload.admit(isCall ? 'call' : 'opening')
  }
  const close = (): void => memory.close() // calls that go on keep it
  const onBody = (raw: RawMessage): void => {
    const handled = attempt(() => answerBody(service, request, raw), reject)
    if (isPromise(handled)) void handled.then(close)
    else close()
  }
  // One promise more for each request would show.
  void exchange.readBody(service.bodyLimits, memory).then(onBody, (error: unknown) => {
    reject(error)
    close()
  })
}

function answerBody(
  service: EndpointService,
  request: AdmittedRequest,
  raw: RawMessage,
): MaybePromise<void> {
  const { exchange, memory } = request
  service.trace?.('in', raw)
  const rejection = typeof raw === 'string' ? memory.resize(jsonWeight(raw)) : undefined
  if (rejection) throw overLimit(rejection)
  // A body that a framework has parsed was not measured.
  const excess = typeof raw === 'string' ? undefined : measureJson(raw, service.limits)
  const decoded = decodeMessage(excess ?? raw, service.limits)
  if (decoded.kind === 'malformed') {
    const id = exchange.header('mcp-session-id')
    const session =
      id === undefined ? undefined : service.sessions.cached(id, request.caller.principal)
    void attempt(
      () => session?.session.malformed(decoded),
      () => undefined, // reported; the client hears what is wrong with it in any case
    )
    throw new HttpError(400, decoded.error, {}, decoded.isAnswerable ? decoded.id : undefined)
  }
  const isWatched = decoded.kind === 'request' && service.definition.settings.observer !== undefined
  const message = isWatched
    ? withArrival(decoded, typeof raw === 'string' ? raw : undefined, request.arrivedAt)
    : decoded
  if (service.eras.modern && message.kind !== 'batch' && isModern(service, request, message)) {
    return service.standalone.handle(message, request)
  }
  const onFailure = (error: unknown): void =>
    request.reject(message.kind === 'request' ? withId(error, message.id) : error)
  return attempt(() => answerDecoded(service, request, message), onFailure)
}

/** True for a message without a session, by what it says or by what its headers say. */
function isModern(
  { eras }: EndpointService,
  { headers }: AdmittedRequest,
  decoded: Message,
): boolean {
  if (!eras.legacy) return true
  if (decoded.kind === 'request' && hasEnvelope(decoded.params)) return true
  return headers.codec !== undefined && !headers.codec.has.initialize
}

function answerDecoded(
  service: EndpointService,
  request: AdmittedRequest,
  decoded: Message | Batch,
): MaybePromise<void> {
  if (decoded.kind === 'request' && decoded.method === 'initialize') {
    return initialize(service, request, decoded)
  }
  if (!service.settings.hasSessions) return handleWithoutSession(service, request, decoded)
  const found = requireSession(service, request)
  return isPromise(found)
    ? found.then((session) => feed(service, request, decoded, session))
    : feed(service, request, decoded, found)
}

/** Feeds the peer of a session, and answers with what comes of it. */
function feed(
  service: EndpointService,
  request: AdmittedRequest,
  decoded: Message | Batch,
  session: HttpSession,
): MaybePromise<void> {
  switch (decoded.kind) {
    case 'request':
    case 'batch': {
      if (service.isDraining) requirePing(decoded)
      service.overload?.admit(session.countCalls() > 0 ? 'further-call' : 'call')
      const onDone = enterFor(service, session, decoded)
      return respondToRequests(decoded, session.session, {
        service,
        request,
        owner: session,
        onDone,
      })
    }
    case 'notification':
      return acknowledge(request, session.session.notification(decoded))
    case 'result':
    case 'error':
      return acknowledge(request, session.session.response(decoded))
  }
}

function acknowledge(
  { exchange, cors }: AdmittedRequest,
  received: MaybePromise<unknown>,
): MaybePromise<void> {
  if (isPromise(received)) return received.then(() => exchange.respond(202, cors))
  exchange.respond(202, cors)
}

function handleWithoutSession(
  service: EndpointService,
  request: AdmittedRequest,
  decoded: Message | Batch,
): MaybePromise<void> {
  if (decoded.kind === 'notification') {
    requireSessionlessCodec(request.headers, service.revisions)
    return acknowledge(request, undefined) // it could only be about an earlier request
  }
  if (decoded.kind !== 'request' && decoded.kind !== 'batch') {
    requireSessionlessCodec(request.headers, service.revisions)
    throw badRequest(400, 'unexpected response: without sessions the server sends no requests')
  }
  if (service.isDraining) requirePing(decoded)
  return service.standalone.handleLegacy(decoded, request)
}

/** Throws unless all requests are pings: a server that shuts down still responds to those. */
function requirePing(decoded: Request | Batch): void {
  const members = decoded.kind === 'batch' ? decoded.members : [decoded]
  if (members.some((member) => member.kind === 'request' && member.method !== 'ping')) {
    throw draining()
  }
}

/** The session a request names. An agreed revision stays in force, whatever the header says later. */
export function requireSession(
  { sessions, revisions, onError }: EndpointService,
  { exchange, caller, headers }: AdmittedRequest,
): MaybePromise<HttpSession> {
  const named = requireSupported(headers, revisions)
  const id = exchange.header('mcp-session-id')
  if (id === undefined) {
    throw badRequest(400, 'Mcp-Session-Id is missing: send the one that initialize answered with')
  }
  const found = sessions.get(id, caller)
  return isPromise(found)
    ? found.then((session) => checkRevision(session, named, onError))
    : checkRevision(found, named, onError)
}

function checkRevision(
  session: HttpSession,
  named: Codec | undefined,
  onError: OnError,
): HttpSession {
  const { revision } = session.codec
  if (named === undefined || named.revision === revision || session.hasVersionMismatch)
    return session
  session.hasVersionMismatch = true
  const why = `a request names ${named.revision}; its session agreed on ${revision}, which stays`
  onError(new RpcError('invalid_request', why), { severity: 'warning' })
  return session
}

/** Adds the id of the request to an error, if it is known. */
function withId(error: unknown, id: RequestId): unknown {
  if (error instanceof HttpError) {
    return new HttpError(error.status, error.error, error.headers, error.id ?? id)
  }
  if (!isRpcError(error)) return error
  return new HttpError(statusOf(encodeWireError(error)), error, {}, id)
}

/** Counts the requests of an anonymous client by its address, so that more sessions give it no more. */
function enterFor(
  { concurrency }: EndpointService,
  { quotaKey }: HttpSession,
  decoded: Request | Batch,
): (() => void) | undefined {
  if (!isAddress(quotaKey)) return undefined
  const requests = countRequests(decoded)
  concurrency.enter(quotaKey, requests)
  return () => concurrency.leave(quotaKey, requests)
}
