/**
 * Routes the requests of one path: Host and Origin, preflight, the guard, then POST, GET or DELETE.
 *
 * Node and fetch adapters bring `HttpExchange`s; POSTs go to `post-request.ts`, GETs to `get-request.ts`, DELETE ends a session here.
 * Also answers for other paths (routes of the author, of the guard, the landing page), reports health, and drains. Rejections are
 * written here, so no other file sets a status for a request that was not admitted.
 */
import type { AuthInfo } from '../../rpc/auth-info.ts'
import { isRpcError, RpcError } from '../../rpc/errors/rpc-error.ts'
import { MemoryShare, type MemoryBudget } from '../../rpc/memory-budget.ts'
import { attempt, isPromise, type MaybePromise } from '../../rpc/promise.ts'
import { waitAtMost } from '../../rpc/signals.ts'
import { allScopes } from '../../server/access.ts'
import { type DrainReport, drainAll } from '../../server/calls/calls-in-flight.ts'
import { internalError } from '../../server/calls/report-fault.ts'
import type { Definition } from '../../server/definition.ts'
import { newestLegacy } from '../../wire/revisions.ts'
import { corsHeaders, createHostCheck, noCors, preflightHeaders } from './admission/host-check.ts'
import { badRequest, HttpError, rejectionBody } from './admission/http-errors.ts'
import { publicUrl } from './admission/public-options.ts'
import { type AdmittedRequest, createCallers, denialError } from './admitted-request.ts'
import { moveReaders, retryMsFor } from './cluster/move-readers.ts'
import { EndpointService } from './endpoint-service.ts'
import { handleGet } from './get-request.ts'
import type { Health, HttpOptions, GuardDecision } from './http-options.ts'
import { servePage, wantsPage } from './landing-page.ts'
import { handlePost, requireSession } from './post-request.ts'
import { createHeaderReader } from './request-headers.ts'
import {
  BodyRejected,
  pathOf,
  type HttpExchange,
  type HttpHeaders,
  type Routes,
} from './runtime/exchange.ts'
import type { HttpSession } from './sessions/http-session.ts'
import { createSse } from './sse.ts'
import { defaultRetryMs } from './streams/sse.ts'

/** Streamable HTTP on one path, for whatever brings exchanges. */
export interface HttpEndpoint {
  /** Answers one exchange; never throws. What is known to be for the endpoint is not shown to the guard's paths. */
  handle(exchange: HttpExchange, isOwn?: boolean): void
  /**
   * Answers for a path that is not the endpoint's: what `routes` or the guard have there, or that MCP is at `path`. Never
   * rejects.
   */
  routeOther(exchange: HttpExchange, path: string, routes?: Routes): Promise<void>
  /** Bytes that callers make this process keep. */
  readonly memory: MemoryBudget
  health(): Health
  drain(deadlineMs: number): Promise<DrainReport>
}

/** An exchange before it is known who calls. */
interface ReceivedRequest extends Pick<
  AdmittedRequest,
  'exchange' | 'cors' | 'reject' | 'arrivedAt'
> {
  readonly origin: string | undefined
}

export function createHttpEndpoint(
  definition: Definition,
  options: HttpOptions & { readonly path?: string | undefined },
): HttpEndpoint {
  const service = new EndpointService(definition, options)
  const {
    clock,
    limits,
    onError,
    revisions,
    memory: budget,
    sessions,
    standalone,
    cluster,
  } = service
  const hostCheck = createHostCheck(options)
  const { auth: guard } = options
  const resource = publicUrl(options)
  const { hostOf, addressOf, callerOf } = createCallers({ ...options, resource })
  const readHeaders = createHeaderReader(revisions)
  const hasSessions = service.settings.hasSessions && newestLegacy(revisions) !== undefined
  const authorizeFor = (verified?: AuthInfo) =>
    callerOf({ header: () => undefined }, verified).authorize
  const sse = options.legacySse ? createSse(service, { ...options, authorizeFor }) : undefined
  const watching = cluster.metrics.watchStreams(() => health().streams)
  const { observer } = definition.settings
  const observing = observer?.watchService?.(health)

  function handle(exchange: HttpExchange, isOwn = guard?.route === undefined): void {
    const origin = exchange.header('origin')
    const cors = corsHeaders(hostCheck, origin)
    const fail = (error: unknown): void => reject(exchange, error, cors)
    void attempt(() => {
      const isForUs = isOwn || isOwnPath(exchange)
      const received = { exchange, origin, cors, reject: fail, arrivedAt: observer && clock.now() }
      return isForUs ? route(received) : routeUnlessOther(received)
    }, fail)
  }

  async function routeUnlessOther(received: ReceivedRequest): Promise<void> {
    if (!(await requestRoute(received.exchange))) await route(received)
  }

  function route(received: ReceivedRequest): MaybePromise<void> {
    const { exchange, origin, cors } = received
    const forbidden = hostCheck.rejection(hostOf(exchange), origin)
    if (forbidden) throw new HttpError(403, forbidden)
    if (exchange.method === 'OPTIONS') return answerOptions(exchange, cors)
    const isGet = exchange.method === 'GET'
    if (isGet && wantsPage(exchange)) return respondToBrowser(exchange, 200, pathOf(exchange))
    const request = admit(received)
    return isPromise(request) ? request.then(serve) : serve(request)
  }

  function serve(request: AdmittedRequest): MaybePromise<void> {
    const { exchange, caller } = request
    exchange.chargeOutput(service.outputRules, caller.quotaKey)
    const old = sse?.handlerOf(exchange)
    if (old) return old(request)
    switch (exchange.method) {
      case 'POST':
        return handlePost(service, request)
      case 'GET':
        if (hasSessions) return handleGet(service, request)
        throw notAllowed(exchange)
      case 'DELETE':
        if (hasSessions) return endSession(request)
        throw notAllowed(exchange)
      default:
        throw notAllowed(exchange)
    }
  }

  /** A preflight carries no credentials, so the guard is not asked. */
  function answerOptions(exchange: HttpExchange, cors: HttpHeaders): void {
    const isShared = cors !== noCors
    const requestedHeaders = exchange.header('access-control-request-headers')
    exchange.respond(204, {
      ...cors,
      ...(isShared && preflightHeaders(requestedHeaders)),
      allow: allowedMethods(),
    })
  }

  function admit({
    exchange,
    cors,
    reject: fail,
    arrivedAt,
  }: ReceivedRequest): MaybePromise<AdmittedRequest> {
    const admitAs = (auth?: AuthInfo): AdmittedRequest => {
      const caller = callerOf(exchange, auth)
      const headers = readHeaders(exchange)
      const memory = new MemoryShare(budget, caller.quotaKey)
      return { exchange, caller, headers, memory, cors, reject: fail, arrivedAt }
    }
    if (guard === undefined) return admitAs()
    const { method, target, originalTarget = target } = exchange
    const header = (name: string) => exchange.header(name.toLowerCase())
    const certificate = () => exchange.certificate?.()
    const decision = guard.authenticate({
      method,
      target: originalTarget,
      resource,
      header,
      certificate,
    })
    const allow = (input: GuardDecision): AdmittedRequest => admitAs(requireAllowed(input))
    return isPromise(decision) ? decision.then(allow) : allow(decision)
  }

  function requireAllowed(decision: GuardDecision): AuthInfo | undefined {
    if (decision.kind === 'allow') return decision.auth
    if (decision.cause !== undefined) {
      onError(decision.cause, { severity: 'error', operation: 'authorization' })
    }
    throw new HttpError(decision.status, denialError(decision), decision.headers)
  }

  /** Compares the path that clients know. If a framework or proxy changes it, the guard has no route there. */
  function isOwnPath(exchange: HttpExchange): boolean {
    const path = pathOf(exchange)
    return path === resource?.pathname || sse?.handlerOf(exchange) !== undefined
  }

  async function requestRoute(exchange: HttpExchange): Promise<boolean> {
    const request = resource && exchange.toRequest(resource.origin)
    if (resource === undefined || request === undefined) return false
    // No Origin check: these responses are public, or the route checks access itself.
    const forbidden = hostCheck.rejection(hostOf(exchange), undefined)
    if (forbidden) throw new HttpError(403, forbidden)
    const address = addressOf(exchange)
    const response = await guard?.route?.(request, resource, {
      address,
      scopes: allScopes(definition),
    })
    if (response === undefined) return false
    await exchange.respondWith(response)
    return true
  }

  /** The author's own paths: by the names we may be called by, and by pages of any origin. */
  async function requestOwn(routes: Routes, exchange: HttpExchange): Promise<boolean> {
    const host = hostOf(exchange)
    const forbidden = hostCheck.rejection(host, undefined)
    if (forbidden) throw new HttpError(403, forbidden)
    const request = exchange.toRequest(resource?.origin ?? `http://${host ?? 'localhost'}`)
    const response = request && (await routes(request))
    if (response === undefined) return false
    await exchange.respondWith(response)
    return true
  }

  async function routeOther(exchange: HttpExchange, path: string, routes?: Routes): Promise<void> {
    const cors = corsHeaders(hostCheck, exchange.header('origin'))
    try {
      if (routes && (await requestOwn(routes, exchange))) return
      if (guard?.route !== undefined && (await requestRoute(exchange))) return
      // Without it a page that mistook the path would not even hear that.
      const isPreflight = exchange.method === 'OPTIONS' && cors !== noCors
      if (isPreflight) return answerOptions(exchange, cors)
      if (wantsPage(exchange)) return respondToBrowser(exchange, 404, path)
      throw badRequest(404, `nothing is served at this path; MCP is at ${path}`)
    } catch (error) {
      reject(exchange, error, cors)
    }
  }

  /** Shows the name of the server only without a guard. */
  function respondToBrowser(exchange: HttpExchange, status: number, path: string): void {
    const { title, name } = definition.info
    const shown = guard === undefined ? (title ?? name) : undefined
    servePage(exchange, { status, name: shown, address: resource?.href ?? path })
  }

  function endSession(request: AdmittedRequest): MaybePromise<void> {
    const found = requireSession(service, request)
    return isPromise(found) ? found.then((session) => end(session, request)) : end(found, request)
  }

  function end(session: HttpSession, { exchange, cors }: AdmittedRequest): MaybePromise<void> {
    const ended = sessions.end(session, 'the client ended the session')
    if (isPromise(ended)) return ended.then(() => exchange.respond(204, cors))
    exchange.respond(204, cors)
  }

  function allowedMethods(): string {
    return hasSessions ? 'GET, POST, DELETE, OPTIONS' : 'POST, OPTIONS'
  }

  function notAllowed({ method }: HttpExchange): HttpError {
    return badRequest(405, `method ${method.slice(0, 20)} is not allowed`, {
      allow: allowedMethods(),
    })
  }

  function reject(exchange: HttpExchange, error: unknown, cors: HttpHeaders): void {
    const { status, headers, error: answer, id } = toRejection(error)
    const json = { 'content-type': 'application/json' }
    const body = rejectionBody(answer, id)
    try {
      exchange.respond(status, { ...cors, ...headers, ...json }, body)
    } catch (thrown) {
      onError(thrown, { severity: 'error', operation: 'http' }) // a guard's header that cannot be one
      exchange.respond(status, json, body)
    }
  }

  function toRejection(error: unknown): HttpError {
    if (error instanceof HttpError) return error
    if (error instanceof BodyRejected) return bodyRejection(error, limits.messageBytes)
    if (isRpcError(error)) return new HttpError(400, error)
    onError(error, { severity: 'error', operation: 'http' })
    return new HttpError(500, internalError())
  }

  async function drain(deadlineMs: number): Promise<DrainReport> {
    service.isDraining = true
    const { canRestoreSessions } = cluster
    const moving = canRestoreSessions
      ? moveReaders(sessions.all(), { clock, maxMs: deadlineMs / 2 })
      : undefined
    const report = await drainAll([
      ...[...sessions.all()].map((session) => session.drain(deadlineMs)),
      sse?.drain(deadlineMs),
      standalone.drain(deadlineMs),
    ])
    await moving
    const left = canRestoreSessions ? health().streams : 0
    for (const session of sessions.all()) {
      session.releaseReaders(canRestoreSessions ? retryMsFor(left) : defaultRetryMs)
    }
    cluster.announcePending()
    service.authorizations[Symbol.dispose]()
    await waitAtMost(deadlineMs, sessions.close(), { clock })
    cluster[Symbol.dispose]()
    watching[Symbol.dispose]()
    observing?.[Symbol.dispose]()
    return report
  }

  /** A log that cannot be reached does not keep us. */
  function health(): Health {
    const all = [...sessions.all()]
    const { isDraining } = service
    const streams = (sse?.size ?? 0) + standalone.countStreams()
    const inFlight = (sse?.inFlight ?? 0) + standalone.countCalls()
    const shared = cluster.health()
    return {
      ready: !isDraining && (shared?.isReady ?? true),
      sessions: sessions.size + (sse?.size ?? 0),
      streams: all.reduce((sum, session) => sum + session.countStreams(), streams),
      inFlight: all.reduce((sum, session) => sum + session.countCalls(), inFlight),
      usedBytes: budget.total,
      ...(service.overload && {
        lateMs: service.overload.lateMs,
        refused: service.overload.refused,
      }),
      ...(shared && { cluster: shared }),
    }
  }

  return { memory: budget, handle, routeOther, health, drain }
}

function bodyRejection({ status, message }: BodyRejected, allowed: number): HttpError {
  const headers = { connection: 'close' }
  if (status !== 413) return badRequest(status, message, headers)
  const why = `the body is larger than limits.messageBytes (${allowed}) allows`
  const error = new RpcError('limit_exceeded', why, { data: { limit: 'messageBytes', allowed } })
  return new HttpError(413, error, headers)
}
