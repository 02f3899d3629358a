import { isRpcError, RpcError } from '../../rpc/errors/rpc-error.ts'
import type { Message, Request } from '../../rpc/message.ts'
import { PassingList } from '../../rpc/passing-list.ts'
import { createDeadlines } from '../../rpc/time/deadlines.ts'
import type { SharedTimer } from '../../rpc/time/shared-timer.ts'
import { CallRunner, shuttingDown, type DrainReport } from '../../server/calls/call-runner.ts'
import { Call } from '../../server/calls/call.ts'
import {
  noInitialize,
  openModernCaller,
  requireModern,
  type ModernHost,
} from '../../server/peer/modern-caller.ts'
import type { Codec } from '../../wire/codec.ts'
import { namedVersion, hasEnvelope } from '../../wire/envelope.ts'
import { newestFirst } from '../../wire/features.ts'
import { headerMismatch, wrongHeader, type ReadHeader } from '../../wire/mirrored-headers.ts'
import { newestLegacy, newestModern } from '../../wire/revisions.ts'
import type { Admitted } from './admission/admitted.ts'
import { createCallersInFlight, openLimits, type CallersInFlight } from './admission/capacity.ts'
import { badRequest, HttpRefusal } from './admission/http-errors.ts'
import type { RequestHeaders } from './admission/request-headers.ts'
import { watchExpiry } from './admission/watch-expiry.ts'
import { httpOf } from './runtime/exchange.ts'
import type { EndpointSetup } from './sessions/session-access.ts'
import { StandaloneAnswer, type StandaloneAnswerOptions } from './standalone-answer.ts'

/** Requests that stand for themselves, on the same path as sessions. */
export interface Modern {
  /** True if a body is to be taken without a session, by what it says or by what its headers say. */
  claims(decoded: Message, admitted: Admitted): boolean
  /** Answers it, whatever it is. Throws `HttpRefusal` where there is nothing to answer. */
  handle(decoded: Message, admitted: Admitted): void
  /** With a reader now. */
  countStreams(): number
  /** Being worked on. */
  count(): number
  drain(deadlineMs: number): Promise<DrainReport>
}

export interface ModernSetup extends EndpointSetup {
  readonly callers: CallersInFlight
  readonly streamAfter: SharedTimer
}

/** Undefined where no such revision is spoken. */
export function createModern(setup: ModernSetup): Modern | undefined {
  const { definition, revisions, clock, limits, onError, trace, settings, callers } = setup
  const newest = newestModern(revisions)
  if (newest === undefined) return undefined
  const greets = newestLegacy(revisions) !== undefined
  const { encodeError } = newest
  const answers = new PassingList<StandaloneAnswer>()
  const runner = new CallRunner(definition, clock)
  const deadlines = createDeadlines(clock, (now) => runner.timeOut(now))
  // Who listens stays, as a session does, and is no burst of work.
  const listeners = createCallersInFlight(openLimits(settings.sessionLimits, 'listeners'))
  const spoken = newestFirst(revisions)
  const host: ModernHost = {
    definition,
    spoken,
    isLocal: false,
    clock,
    limits,
    onError,
    seals: setup.seals,
    keepTime: deadlines.arm,
  }
  const answerOptions: StandaloneAnswerOptions = {
    clock,
    streamAfter: setup.streamAfter,
    keepAliveMs: settings.keepAliveMs,
    bufferedBytes: limits.bufferedBytes,
    trace,
    onError,
    onOver,
  }

  function handleRequest(request: Request, admitted: Admitted): void {
    const { exchange, caller: from, cors, headers } = admitted
    const { auth, account, authorize } = from
    const { accepts } = headers
    const { id, method, params } = request
    if (method === 'subscriptions/listen' && !accepts.events) {
      throw badRequest(406, 'Accept must list text/event-stream to listen')
    }
    if (setup.isDraining()) throw new HttpRefusal(503, overloaded(), { 'retry-after': '5' }, id)
    const answer = new StandaloneAnswer(exchange, accepts, cors, answerOptions, from)
    const header: ReadHeader = (name) => exchange.header(name)
    try {
      const codec = checkRequest(request, headers)
      const facts = { http: httpOf(exchange), auth, authorize }
      const caller = openModernCaller(host, params, answer, facts, codec)
      const mismatch = headerMismatch(request, header)
      if (mismatch) throw mismatch
      countFor(method).enter(account, 1)
      answers.add(answer)
      answer.call = new Call(caller, id, method, params, answer)
      answer.call.held = admitted.held.keep()
      if (method === 'subscriptions/listen') {
        answer.expiry = watchExpiry(auth?.expiresAt, clock, () => endListening(answer))
      }
      runner.start(answer.call)
    } catch (error) {
      answer.refuseAs(...refusalOf(error, id))
    }
  }

  /** As when the server ends: who comes back with another credential may go on. */
  function endListening(answer: StandaloneAnswer): void {
    const { call } = answer
    if (call?.onDrain) return call.onDrain()
    const why = 'the authorization has expired'
    call?.abort('session', why)
    answer.refuseAs(401, call?.id, encodeError(new RpcError('forbidden', why)))
  }

  function countFor(method: string): CallersInFlight {
    return method === 'subscriptions/listen' ? listeners : callers
  }

  function onOver(answer: StandaloneAnswer): void {
    if (answer.call === undefined) return
    answers.delete(answer)
    countFor(answer.call.operation).leave(answer.caller.account, 1)
  }

  /** In the order that tells most: what the request claims to be, then whether that is spoken here. */
  function checkRequest({ method, params }: Request, headers: RequestHeaders): Codec {
    const version = namedVersion(params)
    if (method === 'initialize' && version === undefined && !greets) {
      throw noInitialize(params['protocolVersion'], spoken)
    }
    if (typeof version !== 'string') return newest as Codec // the envelope's own check says what is missing
    if (headers.version !== version) throw wrongHeader('MCP-Protocol-Version')
    const { codec } = headers
    return codec && !codec.has.initialize ? codec : requireModern(version, spoken)
  }

  function refusalOf(error: unknown, id: Request['id']): Parameters<StandaloneAnswer['refuseAs']> {
    if (error instanceof HttpRefusal) return [error.status, id, encodeError(error.error)]
    if (isRpcError(error)) return [400, id, encodeError(error)]
    onError(error, { severity: 'error', operation: 'http' })
    return [500, id, encodeError(new RpcError('internal_error', 'internal error'))]
  }

  return {
    claims(decoded, { headers }) {
      if (!greets) return true
      if (decoded.kind === 'request' && hasEnvelope(decoded.params)) return true
      return headers.codec !== undefined && !headers.codec.has.initialize
    },

    handle(decoded, admitted) {
      if (decoded.kind === 'request') return handleRequest(decoded, admitted)
      // What it could be about ends with its own connection, so there is nothing to do.
      if (decoded.kind === 'notification') return admitted.exchange.respond(202, admitted.cors)
      throw badRequest(400, 'a response, but a server of this revision asks nothing')
    },

    countStreams: () => [...answers].filter(({ isStream }) => isStream).length,
    count: () => runner.count,
    drain: (deadlineMs) => runner.drain(deadlineMs),
  }
}

function overloaded(): RpcError {
  return new RpcError('overloaded', shuttingDown)
}
