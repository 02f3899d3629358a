import type { HeldBytes } from '../../rpc/byte-account.ts'
import type { OnError } from '../../rpc/errors/error-report.ts'
import { isRpcError, RpcError } from '../../rpc/errors/rpc-error.ts'
import { jsonWeight } from '../../rpc/json/scan-json.ts'
import type { Batch, Message, Request, RequestId } from '../../rpc/message.ts'
import { attempt, isPromise, type MaybePromise } from '../../rpc/promise.ts'
import { inTurns } from '../../rpc/time/in-turns.ts'
import type { RawMessage } from '../../rpc/transport.ts'
import type { Caller } from '../../server/calls/caller.ts'
import type { Codec } from '../../wire/codec.ts'
import { encodeWireError } from '../../wire/error-codes.ts'
import type { Admitted } from './admission/admitted.ts'
import { draining, noRoom } from './admission/capacity.ts'
import { badRequest, errorResponse, HttpRefusal, statusOf } from './admission/http-errors.ts'
import { isAddress } from './admission/request-caller.ts'
import {
  requireMediaTypes,
  requireSessionlessCodec,
  requireSpoken,
} from './admission/request-headers.ts'
import { HttpAnswer } from './answer.ts'
import { decodeBody, malformedRefusal, sortMessages, type PostMessages } from './post-body.ts'
import { receive, receiveMalformed } from './post-receive.ts'
import { httpOf } from './runtime/exchange.ts'
import type { EndpointService } from './service.ts'
import type { HttpSession } from './sessions/http-session.ts'
import { initialize } from './sessions/post-initialize.ts'
import { rememberFirst } from './sessions/remember.ts'

/** Answers a POST: one message, or several in the revision that has batches. */
export function handlePost(service: EndpointService, admitted: Admitted): void {
  const { exchange, refuse, held } = admitted
  requireMediaTypes(exchange, admitted.headers.accepts)
  const close = (): void => held.close() // calls that go on keep it
  const onBody = (raw: RawMessage): void => {
    const answered = attempt(() => answerBody(service, admitted, raw), refuse)
    if (isPromise(answered)) void answered.then(close)
    else close()
  }
  // One promise more for each request would show.
  void exchange.readBody(service.bodyLimits, held).then(onBody, (error: unknown) => {
    refuse(error)
    close()
  })
}

function answerBody(
  service: EndpointService,
  admitted: Admitted,
  raw: RawMessage,
): MaybePromise<void> {
  const { exchange, held } = admitted
  service.trace?.('in', raw)
  const refusal = typeof raw === 'string' ? held.resize(jsonWeight(raw)) : undefined
  if (refusal) throw noRoom(refusal)
  const decoded = decodeBody(raw, service.limits)
  if (decoded.kind === 'malformed') {
    const id = exchange.header('mcp-session-id')
    receiveMalformed(
      id === undefined ? undefined : service.sessions.find(id, admitted.caller.auth),
      decoded,
    )
    throw malformedRefusal(decoded)
  }
  const { modern } = service
  if (decoded.kind !== 'batch' && modern?.claims(decoded, admitted)) {
    return modern.handle(decoded, admitted)
  }
  const onFailure = (error: unknown): void =>
    admitted.refuse(decoded.kind === 'request' ? withId(error, decoded.id) : error)
  return attempt(() => answerDecoded(service, admitted, decoded), onFailure)
}

function answerDecoded(
  service: EndpointService,
  admitted: Admitted,
  decoded: Message | Batch,
): MaybePromise<void> {
  if (decoded.kind === 'request' && decoded.method === 'initialize') {
    return initialize(service, admitted, decoded)
  }
  if (!service.settings.hasSessions) {
    return answerMessages(service, admitted, { decoded, session: undefined })
  }
  const found = requireSession(service, admitted)
  return isPromise(found)
    ? found.then((session) => answerMessages(service, admitted, { decoded, session }))
    : answerMessages(service, admitted, { decoded, session: found })
}

interface Posted {
  readonly decoded: Message | Batch
  readonly session: HttpSession | undefined
}

function answerMessages(
  service: EndpointService,
  admitted: Admitted,
  { decoded, session }: Posted,
): MaybePromise<void> {
  const codec = session?.codec ?? requireSessionlessCodec(admitted.headers, service.revisions)
  const messages = sortMessages(decoded, codec, (id) => session?.isWorkingOn(id) ?? false)
  if (messages.others.length === 0) {
    return answerRequests(service, admitted, { session, codec, messages })
  }
  const heard = messages.others.map((message) => receive(service, session, message))
  const goOn = (): MaybePromise<void> =>
    answerRequests(service, admitted, { session, codec, messages })
  return heard.some(isPromise) ? Promise.all(heard).then(goOn) : goOn()
}

function answerRequests(
  service: EndpointService,
  admitted: Admitted,
  {
    session: known,
    codec,
    messages,
  }: Omit<Posted, 'decoded'> & { readonly codec: Codec; readonly messages: PostMessages },
): MaybePromise<void> {
  const { exchange, caller: from, cors } = admitted
  const { requests, errors, isBatch } = messages
  if (requests.length === 0) {
    if (errors.length === 0) return exchange.respond(202, cors)
    const texts = errors.map(({ id, error }) => JSON.stringify(errorResponse(id, error)))
    const body = isBatch ? `[${texts.join(',')}]` : texts.join('')
    return exchange.respond(400, { ...cors, 'content-type': 'application/json' }, body)
  }
  if (service.isDraining && requests.some(({ method }) => method !== 'ping')) {
    throw draining()
  }
  const { session, leave } = known
    ? { session: known, leave: enterFor(service, known, requests.length) }
    : enter(service, admitted, codec, requests.length)
  const answer = new HttpAnswer({
    service,
    admitted,
    owner: session,
    messages,
    headers: cors,
    onDone: leave,
  })
  const caller = session.session.callerOn(answer, {
    http: httpOf(exchange),
    auth: from.auth,
    authorize: from.authorize,
  })
  return inTurns(requests, (request) => {
    // Its session may have ended while others had their turn.
    if (answer.isOpen(request.id)) start(service, session, request, caller, answer, admitted.held)
  })
}

/** The session a request names. An agreed revision stays in force, whatever the header says later. */
export function requireSession(
  { sessions, revisions, onError }: EndpointService,
  { exchange, caller, headers }: Admitted,
): MaybePromise<HttpSession> {
  const named = requireSpoken(headers, revisions)
  const id = exchange.header('mcp-session-id')
  if (id === undefined) {
    throw badRequest(400, 'Mcp-Session-Id is missing: send the one that initialize answered with')
  }
  const found = sessions.get(id, caller.auth)
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
  if (named === undefined || named.revision === revision || session.hasStrayed) return session
  session.hasStrayed = true
  const why = `a request names ${named.revision}; its session agreed on ${revision}, which stays`
  onError(new RpcError('invalid_request', why), { severity: 'warning' })
  return session
}

/** A refusal says which request it refuses, wherever that is known. */
function withId(error: unknown, id: RequestId): unknown {
  if (error instanceof HttpRefusal) {
    return new HttpRefusal(error.status, error.error, error.headers, error.id ?? id)
  }
  if (!isRpcError(error)) return error
  return new HttpRefusal(statusOf(encodeWireError(error)), error, {}, id)
}

/** A session counts its own requests; a stranger has no more by having more sessions. */
function enterFor(
  { callers }: EndpointService,
  { account }: HttpSession,
  requests: number,
): (() => void) | undefined {
  if (!isAddress(account)) return undefined
  callers.enter(account, requests)
  return () => callers.leave(account, requests)
}

/** The handshake is over and forgotten: what the client said then is not known any more. */
function enter(
  service: EndpointService,
  admitted: Admitted,
  codec: Codec,
  requests: number,
): { readonly session: HttpSession; readonly leave: () => void } {
  const { account, auth } = admitted.caller
  service.callers.enter(account, requests)
  const session = service.sessions.openForRequest(codec, auth)
  return {
    session,
    leave() {
      service.callers.leave(account, requests)
      service.sessions.closeForRequest(session)
    },
  }
}

function start(
  service: EndpointService,
  session: HttpSession,
  request: Request,
  caller: Caller,
  answer: HttpAnswer,
  held: HeldBytes,
): void {
  const { id, method } = request
  if (method === 'ping') return answer.reply(id, { jsonrpc: '2.0', id, result: {} })
  const refusal = session.calls.refusal(id)
  if (refusal === undefined) {
    session.calls.start(request, caller, rememberFirst(service, session, request, answer), held)
  } else answer.refuseAs(429, id, encodeWireError(refusal)) // one caller's own cap
}
