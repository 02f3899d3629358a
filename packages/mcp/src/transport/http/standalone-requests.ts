/**
 * Requests without a session: those of 2026-07-28, and, with `sessions: 'off'`, those of older revisions.
 *
 * A modern request says all about its client in `_meta`; it becomes a `Call` here, without a `ServerSession`. A POST of an older
 * revision gets a `ServerSession` of its own that ends with its response, because batches and pings have the same rules as in a
 * session. `post-request.ts` reads the body and decides which of the two it is; responses are written by `HttpResponder`.
 * Nothing is kept between requests, so a client that disconnects has cancelled, and nothing can be resumed.
 */
import { principalOf, type AuthInfo } from '../../rpc/auth-info.ts'
import { isRpcError, RpcError } from '../../rpc/errors/rpc-error.ts'
import type { Batch, Message, Request, RequestId, WireError } from '../../rpc/message.ts'
import { metricsOf } from '../../rpc/observer.ts'
import type { MaybePromise } from '../../rpc/promise.ts'
import { ShortLivedList } from '../../rpc/short-lived.ts'
import { Call } from '../../server/calls/call.ts'
import { CallsInFlight, drainAll, type DrainReport } from '../../server/calls/calls-in-flight.ts'
import { noInitialize, openModernCaller, requireModern } from '../../server/calls/modern-caller.ts'
import { internalError } from '../../server/calls/report-fault.ts'
import { capabilitiesOf } from '../../server/capabilities.ts'
import { ServerSession, type SessionTransport } from '../../server/sessions/server-session.ts'
import type { Codec } from '../../wire/codec.ts'
import { encodeWireError } from '../../wire/error-codes.ts'
import { type ReadHeader, wrongHeader, headerMismatch } from '../../wire/headers.ts'
import { namedVersion } from '../../wire/request-meta.ts'
import { newestModern } from '../../wire/revisions.ts'
import { authorizationExpired } from './admission/authorizations.ts'
import {
  createConcurrencyLimit,
  draining,
  openLimits,
  type ConcurrencyLimit,
} from './admission/capacity.ts'
import { badRequest, HttpError, statusOf } from './admission/http-errors.ts'
import type { AdmittedRequest } from './admitted-request.ts'
import type { EndpointService } from './endpoint-service.ts'
import {
  respondToRequests,
  countRequests,
  HttpResponder,
  type ResponderOwner,
} from './http-responder.ts'
import { requireSessionlessCodec, type RequestHeaders } from './request-headers.ts'
import { createUnloggedStream } from './streams/unlogged-stream.ts'

/** See the head of this file. */
export interface StandaloneRequests {
  /** Handles a message of a modern client. Throws `HttpError` for one that gets no response. */
  handle(decoded: Message, request: AdmittedRequest): void
  /** Handles requests of an older revision. */
  handleLegacy(decoded: Request | Batch, request: AdmittedRequest): MaybePromise<void>
  /** Writes responses to requests of older revisions. */
  readonly legacyOwner: ResponderOwner
  /** The number of streams that have a reader. */
  countStreams(): number
  /** The number of calls in flight. */
  countCalls(): number
  /** See `CallsInFlight`. */
  timeOut(now: number): number
  drain(deadlineMs: number): Promise<DrainReport>
}

export function createStandaloneRequests(service: EndpointService): StandaloneRequests {
  const { definition, revisions, eras, supported, clock, limits, onError, trace } = service
  const { settings, concurrency, authorizations } = service
  const newest = newestModern(revisions)
  const encodeError = newest?.encodeError ?? encodeWireError
  const calls = new CallsInFlight(definition, clock, limits)
  const sessions = new ShortLivedList<ServerSession>()
  // A listener counts as a session, not as a call in flight.
  const listeners = createConcurrencyLimit(openLimits(settings.sessionLimits, 'listeners'))
  const createStream: ResponderOwner['createStream'] = (events) =>
    createUnloggedStream({
      rules: { clock, keepAliveMs: settings.keepAliveMs, releaseAfter: undefined },
      events,
      id: undefined,
      bufferedBytes: limits.bufferedBytes,
      trace,
    })
  const modernOwner: ResponderOwner = {
    openResponders: new ShortLivedList(),
    canPoll: false,
    detachedMs: 0,
    createStream,
    statusOf: modernStatus,
    cancel(id, why, responder) {
      responder.call?.abort('disconnect', why)
      responder.forget(id)
    },
  }
  const legacyOwner: ResponderOwner = {
    openResponders: new ShortLivedList(),
    canPoll: false,
    detachedMs: settings.detachedMs,
    createStream,
    statusOf,
    cancel: (id, why, responder, by) => responder.session?.calls.cancel(id, why, by),
  }
  const responders = (): readonly HttpResponder[] => [
    ...modernOwner.openResponders,
    ...legacyOwner.openResponders,
  ]

  function handleLegacy(decoded: Request | Batch, request: AdmittedRequest): MaybePromise<void> {
    const { quotaKey, auth } = request.caller
    const codec = requireSessionlessCodec(request.headers, revisions)
    const requests = countRequests(decoded)
    concurrency.enter(quotaKey, requests)
    const session = openSession(codec, auth)
    const onDone = (): void => {
      concurrency.leave(quotaKey, requests)
      if (sessions.delete(session)) session.close('session', 'its request is done')
    }
    return respondToRequests(decoded, session, { service, request, owner: legacyOwner, onDone })
  }

  /** A session for one POST: `initialize` was another one, and what it said is not kept. */
  function openSession(codec: Codec, auth: AuthInfo | undefined): ServerSession {
    const session = new ServerSession(service, withoutSession, principalOf(auth))
    session.resume({ client: unknownClient, codec, declared: capabilitiesOf(definition) }, true)
    sessions.add(session)
    return session
  }

  function handleRequest(request: Request, admitted: AdmittedRequest): void {
    const { exchange, caller: from, headers } = admitted
    const { auth, quotaKey } = from
    const { id, method, params } = request
    const isListening = method === 'subscriptions/listen'
    if (isListening && !headers.accepts.events) {
      throw badRequest(406, 'Accept must list text/event-stream to listen')
    }
    if (service.isDraining) throw draining(id)
    let listening: Disposable | undefined
    const answer = new HttpResponder(
      {
        service,
        owner: modernOwner,
        request: admitted,
        onDone: isListening
          ? (done) => {
              listening?.[Symbol.dispose]()
              leave(done)
            }
          : leave,
      },
      id,
    )
    if (!answer.isUnanswered(id)) return // the caller has gone
    const header: ReadHeader = (name) => exchange.header(name)
    try {
      const codec = checkRequest(request, headers)
      const caller = openModernCaller(service, params, answer, answer.sender, codec)
      const mismatch = headerMismatch(request, header)
      if (mismatch) throw mismatch
      countFor(method).enter(quotaKey, 1)
      answer.call = new Call(caller, id, method, params, answer)
      answer.call.memory = admitted.memory.keep()
      if (request.received) answer.call.metrics = metricsOf(request.received, clock)
      if (isListening) listening = authorizations.watch(auth, () => endListening(answer))
      calls.run(answer.call)
    } catch (error) {
      reject(answer, id, error)
    }
  }

  /** Ends the stream as at shutdown, so that a client with a new token can listen again. */
  function endListening(answer: HttpResponder): void {
    const { call } = answer
    if (call?.onDrain) return call.onDrain()
    call?.abort('session', authorizationExpired)
    if (call)
      answer.rejectWithStatus(
        401,
        call.id,
        encodeError(new RpcError('forbidden', authorizationExpired)),
      )
  }

  function countFor(method: string): ConcurrencyLimit {
    return method === 'subscriptions/listen' ? listeners : concurrency
  }

  function leave({ call, quotaKey }: HttpResponder): void {
    if (call) countFor(call.method).leave(quotaKey, 1)
  }

  /** In the order that tells most: what the request claims to be, then whether that is spoken here. */
  function checkRequest({ method, params }: Request, headers: RequestHeaders): Codec {
    const version = namedVersion(params)
    if (method === 'initialize' && version === undefined && !eras.legacy) {
      throw noInitialize(params['protocolVersion'], supported)
    }
    if (typeof version !== 'string') return newest as Codec // the envelope's own check says what is missing
    if (headers.version !== version) throw wrongHeader('MCP-Protocol-Version')
    const { codec } = headers
    return codec && !codec.has.initialize ? codec : requireModern(version, supported)
  }

  function reject(answer: HttpResponder, id: RequestId, error: unknown): void {
    if (error instanceof HttpError) {
      return answer.rejectWithStatus(error.status, id, encodeError(error.error))
    }
    if (isRpcError(error)) return answer.rejectWithStatus(400, id, encodeError(error))
    onError(error, { severity: 'error', operation: 'http' })
    answer.rejectWithStatus(500, id, encodeError(internalError()))
  }

  return {
    handle(decoded, request) {
      if (decoded.kind === 'request') return handleRequest(decoded, request)
      // A notification could only be about a request that has a connection of its own: there is nothing to do.
      if (decoded.kind === 'notification') return request.exchange.respond(202, request.cors)
      throw badRequest(400, 'unexpected response: in 2026-07-28 a server sends no requests')
    },
    handleLegacy,
    legacyOwner,

    countStreams: () => responders().filter(({ isStreaming }) => isStreaming).length,
    countCalls: () => calls.count + [...sessions].reduce((sum, { count }) => sum + count, 0),

    timeOut(now) {
      let next = calls.timeOut(now)
      for (const session of sessions) next = Math.min(next, session.timeOut(now))
      return next
    },

    drain: (deadlineMs) =>
      drainAll([
        calls.drain(deadlineMs),
        ...[...sessions].map((session) =>
          session.count === 0 ? undefined : session.calls.drain(deadlineMs),
        ),
      ]),
  }
}

/** A client whose `initialize` was another request. */
const unknownClient = Object.freeze({ capabilities: Object.freeze({}) })

/** There is no stream besides that of the response, and no other request that could bring a response. */
const withoutSession: SessionTransport = {
  requests: { response: () => undefined, unreadable: () => undefined, progressed: () => undefined },
  onInitialized: () => undefined,
  notifySession: () => undefined,
  requestOutsideCall: (method) =>
    Promise.reject(new RpcError('invalid_request', `${method} needs a session: sessions are off`)),
}

/** Errors about the request itself have a status; errors of the work it asked for have none. */
function modernStatus(error: WireError): number {
  if (error.code === -32601) return 404
  return error.code <= -32020 && error.code >= -32022 ? 400 : statusOf(error)
}
