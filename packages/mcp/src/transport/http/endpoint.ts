import type { AuthInfo } from '../../rpc/auth-info.ts'
import { systemClock } from '../../rpc/clock.ts'
import { guardedReport } from '../../rpc/guarded-report.ts'
import { resolveLimits } from '../../rpc/limits.ts'
import {
  decodeMessage,
  type Batch,
  type Malformed,
  type Message,
  type Notification,
  type Request,
} from '../../rpc/message.ts'
import { isRpcError, RpcError } from '../../rpc/rpc-error.ts'
import { cancelledParams, type CancelledNotificationParams } from '../../schema/cancellation.ts'
import { progressParams, type ProgressNotificationParams } from '../../schema/progress.ts'
import type { Caller } from '../../server/caller.ts'
import { shuttingDown, type DrainReport } from '../../server/calls-in-flight.ts'
import { capabilitiesOf } from '../../server/capabilities.ts'
import type { Definition } from '../../server/definition.ts'
import { greet } from '../../server/greeting.ts'
import { mergeListChanges } from '../../server/list-changes.ts'
import { decodeWireError } from '../../wire/error-codes.ts'
import { codecFor, spokenRevisions } from '../../wire/revisions.ts'
import { corsHeaders, preflightHeaders } from './cors.ts'
import { readEventId } from './event-stream.ts'
import { BodyRefused, type HttpExchange, type HttpHeaders } from './exchange.ts'
import { createHostCheck } from './host-check.ts'
import { HttpRefusal, refusalBody } from './http-errors.ts'
import { resolveHttpOptions, type Health, type HttpOptions } from './http-options.ts'
import { createHttpSession, type HttpSession } from './http-session.ts'
import { createHttpSessions } from './http-sessions.ts'
import { isJsonContent, readAccept } from './media-type.ts'
import { createPostAnswer, type PostAnswer } from './post-answer.ts'
import { randomId } from './random-id.ts'

/** Streamable HTTP on one path, for whatever brings exchanges. */
export interface HttpEndpoint {
  /** Answers one exchange; never rejects. */
  handle(exchange: HttpExchange): Promise<void>
  health(): Health
  drain(deadlineMs: number): Promise<DrainReport>
}

export function createHttpEndpoint(definition: Definition, options: HttpOptions): HttpEndpoint {
  const { clock = systemClock, revisions = spokenRevisions } = options
  const settings = resolveHttpOptions(options)
  const limits = { ...resolveLimits(options.limits), messageBytes: settings.messageBytes }
  const onError = guardedReport(options.onError ?? definition.settings.onError)
  const hostCheck = createHostCheck(options)
  const trustedProxies = new Set(options.trustedProxies)
  const sessions = createHttpSessions(clock, settings.sessionLimits)
  const changes = mergeListChanges(clock, (change) => {
    for (const session of sessions.all()) session.tellChange(change)
  })
  const sessionless = new Set<HttpSession>()
  let isDraining = false
  definition.listeners.add(changes.add)

  async function handle(exchange: HttpExchange): Promise<void> {
    const cors = corsHeaders(hostCheck, exchange.header('origin'))
    try {
      await route(exchange, cors)
    } catch (error) {
      refuse(exchange, error, cors)
    }
  }

  async function route(exchange: HttpExchange, cors: HttpHeaders): Promise<void> {
    const forbidden = hostCheck.refusal(hostOf(exchange), exchange.header('origin'))
    if (forbidden) throw new HttpRefusal(403, forbidden)
    if (exchange.method === 'OPTIONS' && cors['access-control-allow-origin'] !== undefined) {
      const asked = exchange.header('access-control-request-headers')
      return exchange.respond(204, { ...cors, ...preflightHeaders(asked) })
    }
    const auth = await authenticate(exchange)
    switch (exchange.method) {
      case 'POST':
        return post(exchange, auth, cors)
      case 'GET':
        return listen(exchange, auth, cors)
      case 'DELETE':
        return endSession(exchange, auth, cors)
      default:
        throw notAllowed(exchange.method)
    }
  }

  function hostOf(exchange: HttpExchange): string | undefined {
    const isTrusted =
      exchange.remoteAddress !== undefined && trustedProxies.has(exchange.remoteAddress)
    const forwarded = isTrusted ? exchange.header('x-forwarded-host') : undefined
    return forwarded?.split(',', 1)[0]?.trim() ?? exchange.header('host')
  }

  async function authenticate(exchange: HttpExchange): Promise<AuthInfo | undefined> {
    if (options.auth === undefined) return undefined
    const verdict = await options.auth.authenticate(exchange)
    if (verdict.kind === 'allow') return verdict.auth
    const error = new RpcError(
      verdict.status === 403 ? 'insufficient_scope' : 'unauthorized',
      verdict.message,
      {
        data: undefined,
      },
    )
    throw new HttpRefusal(verdict.status, error, verdict.headers)
  }

  async function post(
    exchange: HttpExchange,
    auth: AuthInfo | undefined,
    cors: HttpHeaders,
  ): Promise<void> {
    const accepts = readAccept(exchange.header('accept'))
    if (!accepts.json && !accepts.events) throw notAcceptable('application/json, text/event-stream')
    if (!isJsonContent(exchange.header('content-type'))) throw wrongContentType(exchange)
    if (isDraining) throw draining()
    const raw = await exchange.readBody({
      maxBytes: limits.messageBytes,
      timeoutMs: settings.bodyMs,
    })
    const decoded = decodeMessage(raw, limits)
    const session = sessionFor(exchange, auth, decoded)
    const messages = membersOf(decoded, session)
    const requests = messages.filter((message) => message.kind === 'request')

    for (const message of messages) if (message.kind !== 'request') receive(session, message)
    if (requests.length === 0) {
      forget(session)
      return exchange.respond(202, cors)
    }
    const headers =
      decoded.kind === 'request' && decoded.method === 'initialize' ? sessionHeaders(session) : {}
    const answer = createPostAnswer({
      exchange,
      accepts,
      requests: requests.length,
      isBatch: decoded.kind === 'batch',
      headers: { ...cors, ...headers },
      streamHeaders,
      clock,
      patienceMs: settings.keepAliveMs,
      createStream: session.createStream,
      pending: session.pending,
      onGone: () => detach(session, requests),
      onDone: () => forget(session),
    })
    const caller = session.session.callerOn(answer, {
      url: exchange.target,
      header: (name) => exchange.header(name.toLowerCase()),
    })
    for (const request of requests) start(session, request, caller, answer)
  }

  /** The session a message belongs to: a new one for `initialize`, none but for this request where they are off. */
  function sessionFor(
    exchange: HttpExchange,
    auth: AuthInfo | undefined,
    decoded: Message | Malformed | Batch,
  ): HttpSession {
    if (decoded.kind === 'malformed')
      throw new HttpRefusal(decoded.error.code === 'limit_exceeded' ? 413 : 400, decoded.error)
    if (decoded.kind === 'request' && decoded.method === 'initialize')
      return openSession(decoded, auth)
    requireVersion(exchange)
    if (!settings.hasSessions) return openSessionless(exchange, auth)
    const id = exchange.header('mcp-session-id')
    if (id === undefined) {
      const why = 'Mcp-Session-Id is missing: send the one that initialize answered with'
      throw new HttpRefusal(400, new RpcError('invalid_request', why))
    }
    return sessions.get(id, auth)
  }

  function openSession({ params }: Request, auth: AuthInfo | undefined): HttpSession {
    const greeting = greet(definition, params, revisions)
    if (!settings.hasSessions) return createSession(undefined, greeting, auth)
    sessions.requireRoom(auth)
    const id = randomId()
    const session = createSession(id, greeting, auth)
    sessions.add(Object.assign(session, { id }))
    return session
  }

  /** The handshake is over and forgotten: what the client said then is not known any more. */
  function openSessionless(exchange: HttpExchange, auth: AuthInfo | undefined): HttpSession {
    const revision = exchange.header('mcp-protocol-version') ?? '2025-03-26'
    const codec = codecFor(revision, revisions)
    if (codec === undefined) throw unsupportedVersion(revision)
    const declared = capabilitiesOf(definition)
    const greeting = { hello: { capabilities: {} }, codec, declared, result: {} }
    return createSession(undefined, greeting, auth)
  }

  function createSession(
    id: string | undefined,
    greeting: Parameters<typeof createHttpSession>[0]['greeting'],
    auth: AuthInfo | undefined,
  ): HttpSession {
    const { replay, keepAliveMs } = settings
    const session = createHttpSession({
      id,
      greeting,
      auth,
      definition,
      clock,
      limits,
      onError,
      replay,
      keepAliveMs,
    })
    if (id === undefined) sessionless.add(session)
    return session
  }

  /** Without sessions nothing outlives its request. */
  function forget(session: HttpSession): void {
    if (session.id !== undefined) return
    sessionless.delete(session)
    session.end('its request is done')
  }

  /** Its absence is normal before 2025-06-18; a value we do not speak is refused. */
  function requireVersion(exchange: HttpExchange): void {
    const version = exchange.header('mcp-protocol-version')
    if (version !== undefined && codecFor(version, revisions) === undefined)
      throw unsupportedVersion(version)
  }

  function unsupportedVersion(version: string): HttpRefusal {
    const why = `MCP-Protocol-Version ${version.slice(0, 40)} is not spoken here; ${revisions.join(', ')} are`
    return new HttpRefusal(400, new RpcError('invalid_request', why))
  }

  function membersOf(
    decoded: Message | Malformed | Batch,
    session: HttpSession,
  ): readonly Message[] {
    if (decoded.kind === 'malformed') return []
    if (decoded.kind !== 'batch') return [decoded]
    const { members } = decoded
    if (!session.session.codec.has.batches)
      throw badBatch('this revision has no batches: send one message at a time')
    if (members.length === 0) throw badBatch('an empty batch')
    const messages = members.filter((member) => member.kind !== 'malformed')
    if (messages.length < members.length)
      throw badBatch('a batch with something that is no message')
    if (messages.some((member) => member.kind === 'request' && member.method === 'initialize')) {
      throw badBatch('initialize may not be part of a batch')
    }
    return messages
  }

  function start(session: HttpSession, request: Request, caller: Caller, answer: PostAnswer): void {
    const { id, method } = request
    if (method === 'ping') return answer.reply(id, { jsonrpc: '2.0', id, result: {} })
    if (method === 'initialize') {
      return answer.reply(id, { jsonrpc: '2.0', id, result: session.greeting.result })
    }
    const refusal = session.calls.refusal(id)
    if (refusal === undefined) return session.calls.start(request, caller, answer)
    const code = refusal.code === 'overloaded' ? 429 : refusal.wireCode
    answer.refuse(session.calls.has(id) ? undefined : id, { code, message: refusal.message })
  }

  function receive(session: HttpSession, message: Exclude<Message, Request>): void {
    switch (message.kind) {
      case 'notification':
        return onNotification(session, message)
      case 'result':
        return void session.pending.resolve(message.id, message.result)
      case 'error':
        if (message.id !== undefined)
          session.pending.reject(message.id, decodeWireError(message.error))
        return
    }
  }

  function onNotification(session: HttpSession, { method, params }: Notification): void {
    if (method === 'notifications/initialized') session.isReady = true
    else if (method === 'notifications/cancelled' && cancelledParams(params) === undefined) {
      const { requestId, reason } = params as unknown as CancelledNotificationParams // just checked
      if (requestId !== undefined) session.calls.cancel(requestId, reason)
    } else if (method === 'notifications/progress' && progressParams(params) === undefined) {
      const { progressToken, ...progress } = params as unknown as ProgressNotificationParams // just checked
      session.pending.progress(progressToken, progress)
    }
  }

  /** Gone is not cancelled in these revisions, but it ends. */
  function detach(session: HttpSession, requests: readonly Request[]): void {
    clock.setTimer(() => {
      for (const { id } of requests) session.calls.cancel(id, 'the client has gone')
    }, settings.detachedMs)
  }

  function listen(exchange: HttpExchange, auth: AuthInfo | undefined, cors: HttpHeaders): void {
    if (!settings.hasSessions) throw notAllowed('GET')
    if (!readAccept(exchange.header('accept')).events) throw notAcceptable('text/event-stream')
    if (isDraining) throw draining()
    requireVersion(exchange)
    const session = requireSession(exchange, auth)
    const lastEventId = exchange.header('last-event-id')
    const headers = { ...cors, ...streamHeaders }
    if (lastEventId === undefined) {
      const output = exchange.openStream(headers)
      const stream = session.listen(output)
      return exchange.onGone(() => stream.detach(output))
    }
    const event = readEventId(lastEventId)
    const stream = event && session.findStream(event.stream)
    if (event === undefined || stream === undefined || !stream.knows(event.sequence))
      throw unknownEvent(lastEventId)
    const output = exchange.openStream(headers)
    stream.attach(output, event.sequence)
    exchange.onGone(() => stream.detach(output))
  }

  function requireSession(exchange: HttpExchange, auth: AuthInfo | undefined): HttpSession {
    const id = exchange.header('mcp-session-id')
    if (id !== undefined) return sessions.get(id, auth)
    throw new HttpRefusal(400, new RpcError('invalid_request', 'Mcp-Session-Id is missing'))
  }

  function endSession(exchange: HttpExchange, auth: AuthInfo | undefined, cors: HttpHeaders): void {
    if (!settings.hasSessions) throw notAllowed('DELETE')
    requireVersion(exchange)
    sessions.end(requireSession(exchange, auth), 'the client ended the session')
    exchange.respond(204, cors)
  }

  function refuse(exchange: HttpExchange, error: unknown, cors: HttpHeaders): void {
    const { status, headers, error: answer } = toRefusal(error)
    const json = { ...cors, ...headers, 'content-type': 'application/json' }
    exchange.respond(status, json, refusalBody(answer))
  }

  function toRefusal(error: unknown): HttpRefusal {
    if (error instanceof HttpRefusal) return error
    if (error instanceof BodyRefused) return bodyRefusal(error, limits.messageBytes)
    if (isRpcError(error)) return new HttpRefusal(400, error)
    onError(error, { severity: 'error', operation: 'http' })
    return new HttpRefusal(500, new RpcError('internal_error', 'internal error'))
  }

  function inFlight(): number {
    let count = 0
    for (const session of [...sessions.all(), ...sessionless]) count += session.calls.size
    return count
  }

  return {
    handle,
    health() {
      let streams = 0
      for (const session of sessions.all()) streams += session.streams
      return { ready: !isDraining, sessions: sessions.size, streams, inFlight: inFlight() }
    },
    async drain(deadlineMs) {
      isDraining = true
      const reports = await Promise.all(
        [...sessions.all(), ...sessionless].map(({ calls }) => calls.drain(deadlineMs)),
      )
      for (const session of sessions.all()) session.release(1_000)
      definition.listeners.delete(changes.add)
      changes[Symbol.dispose]()
      sessions[Symbol.dispose]()
      return {
        finished: reports.reduce((sum, { finished }) => sum + finished, 0),
        aborted: reports.reduce((sum, { aborted }) => sum + aborted, 0),
      }
    },
  }
}

/** Proxies must neither hold back nor change what flows. */
const streamHeaders: HttpHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

function sessionHeaders({ id }: HttpSession): HttpHeaders {
  return id === undefined ? {} : { 'mcp-session-id': id }
}

function notAllowed(method: string): HttpRefusal {
  const error = new RpcError('invalid_request', `${method.slice(0, 20)} is not offered here`)
  return new HttpRefusal(405, error, { allow: 'GET, POST, DELETE, OPTIONS' })
}

function notAcceptable(needed: string): HttpRefusal {
  return new HttpRefusal(406, new RpcError('invalid_request', `Accept must list ${needed}`))
}

function wrongContentType(exchange: HttpExchange): HttpRefusal {
  const seen = exchange.header('content-type')?.slice(0, 100) ?? 'nothing'
  return new HttpRefusal(
    415,
    new RpcError('invalid_request', `Content-Type must be application/json, got ${seen}`),
  )
}

function draining(): HttpRefusal {
  return new HttpRefusal(503, new RpcError('overloaded', shuttingDown), { 'retry-after': '5' })
}

function badBatch(why: string): HttpRefusal {
  return new HttpRefusal(400, new RpcError('invalid_request', why))
}

function unknownEvent(id: string): HttpRefusal {
  const why = `there is nothing to resume from event ${JSON.stringify(id.slice(0, 80))}: it is unknown here or no longer kept`
  return new HttpRefusal(404, new RpcError('invalid_request', why))
}

function bodyRefusal({ status, message }: BodyRefused, allowed: number): HttpRefusal {
  const headers = { connection: 'close' }
  if (status !== 413)
    return new HttpRefusal(status, new RpcError('invalid_request', message), headers)
  const error = new RpcError(
    'limit_exceeded',
    `the body is larger than limits.messageBytes (${allowed}) allows`,
    {
      data: { limit: 'messageBytes', allowed },
    },
  )
  return new HttpRefusal(413, error, headers)
}
