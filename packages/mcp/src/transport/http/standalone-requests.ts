import { isRpcError, RpcError } from '../../rpc/errors/rpc-error.ts'
import type { Message, Request, RequestId, WireError } from '../../rpc/message.ts'
import { metricsOf } from '../../rpc/observer.ts'
import { ShortLivedList } from '../../rpc/short-lived.ts'
import { Call } from '../../server/calls/call.ts'
import { CallsInFlight, type DrainReport } from '../../server/calls/calls-in-flight.ts'
import { noInitialize, openModernCaller, requireModern } from '../../server/calls/modern-caller.ts'
import { internalError } from '../../server/calls/report-fault.ts'
import type { Codec } from '../../wire/codec.ts'
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
import type { SharedService } from './endpoint-service.ts'
import { HttpResponder, type ResponderOwner } from './http-responder.ts'
import type { RequestHeaders } from './request-headers.ts'
import { createUnloggedStream } from './streams/unlogged-stream.ts'

/** Requests of 2026-07-28, which need no session, on the same path as sessions. */
export interface StandaloneRequests {
  /** Answers it, whatever it is. Throws `HttpError` where there is nothing to answer. */
  handle(decoded: Message, request: AdmittedRequest): void
  /** With a reader now. */
  countStreams(): number
  /** Being worked on. */
  countCalls(): number
  /** See `CallsInFlight`. */
  timeOut(now: number): number
  drain(deadlineMs: number): Promise<DrainReport>
}

/** Undefined where no such revision is spoken. */
export function createStandaloneRequests(service: SharedService): StandaloneRequests | undefined {
  const { definition, revisions, eras, supported, clock, limits, onError, trace } = service
  const { settings, callers, authorizations } = service
  const newest = newestModern(revisions)
  if (newest === undefined) return undefined
  const { encodeError } = newest
  const calls = new CallsInFlight(definition, clock, limits)
  // A listener counts as a session, not as a call in flight.
  const listeners = createConcurrencyLimit(openLimits(settings.sessionLimits, 'listeners'))
  const owner: ResponderOwner = {
    openResponders: new ShortLivedList(),
    canPoll: false,
    detachedMs: 0,
    createStream: (events) =>
      createUnloggedStream({
        rules: { clock, keepAliveMs: settings.keepAliveMs, releaseAfter: undefined },
        events,
        id: undefined,
        bufferedBytes: limits.bufferedBytes,
        trace,
      }),
    statusOf: modernStatus,
    cancel(id, why, answer) {
      answer.call?.abort('disconnect', why)
      answer.forget(id)
    },
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
        owner,
        request: admitted,
        onDone: isListening
          ? (done) => {
              listening?.[Symbol.dispose]()
              onDone(done)
            }
          : onDone,
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
      if (request.arrival) answer.call.metrics = metricsOf(request.arrival, clock)
      if (isListening) listening = authorizations.watch(auth, () => endListening(answer))
      calls.run(answer.call)
    } catch (error) {
      refuse(answer, id, error)
    }
  }

  /** As when the server ends: who comes back with another credential may go on. */
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
    return method === 'subscriptions/listen' ? listeners : callers
  }

  function onDone({ call, quotaKey }: HttpResponder): void {
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

  function refuse(answer: HttpResponder, id: RequestId, error: unknown): void {
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
      // What it could be about ends with its own connection, so there is nothing to do.
      if (decoded.kind === 'notification') return request.exchange.respond(202, request.cors)
      throw badRequest(400, 'a response, but a server of this revision asks nothing')
    },

    countStreams: () => [...owner.openResponders].filter(({ isStreaming }) => isStreaming).length,
    countCalls: () => calls.count,
    timeOut: (now) => calls.timeOut(now),
    drain: (deadlineMs) => calls.drain(deadlineMs),
  }
}

/** Errors about the request itself have a status; what went wrong in doing the work has none. */
function modernStatus(error: WireError): number {
  if (error.code === -32601) return 404
  return error.code <= -32020 && error.code >= -32022 ? 400 : statusOf(error)
}
