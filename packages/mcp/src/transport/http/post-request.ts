import type { AuthInfo } from '../../rpc/auth-info.ts'
import type { HeldBytes } from '../../rpc/byte-account.ts'
import type { OnError } from '../../rpc/errors/error-report.ts'
import { isRpcError, RpcError } from '../../rpc/errors/rpc-error.ts'
import { jsonWeight } from '../../rpc/json/json-weight.ts'
import type { Batch, Message, Request, RequestId } from '../../rpc/message.ts'
import { attempt, isPromise, type MaybePromise } from '../../rpc/promise.ts'
import { inTurns } from '../../rpc/time/in-turns.ts'
import type { RawMessage } from '../../rpc/transport.ts'
import type { Caller } from '../../server/calls/caller.ts'
import type { Codec } from '../../wire/codec.ts'
import { encodeWireError } from '../../wire/error-codes.ts'
import { isAddress, type CallerAccount } from './admission/caller-account.ts'
import {
  badRequest,
  draining,
  errorResponse,
  HttpRefusal,
  noRoom,
  statusOf,
} from './admission/http-errors.ts'
import { isJsonContent, readAccept, type Accepts } from './admission/media-type.ts'
import type { Permission } from './admission/permission.ts'
import { readSessionlessVersion, readVersion } from './admission/version-header.ts'
import { PostAnswer } from './post-answer.ts'
import { decodeBody, malformedRefusal, sortMessages, type PostMessages } from './post-body.ts'
import { receive, receiveMalformed } from './post-receive.ts'
import { httpOf, type HttpExchange, type HttpHeaders } from './runtime/exchange.ts'
import type { HttpSession } from './sessions/http-session.ts'
import { initialize } from './sessions/post-initialize.ts'
import { rememberFirst } from './sessions/remember.ts'
import type { SessionAccess } from './sessions/session-access.ts'

/** One exchange on its way through the endpoint. */
export interface Visit {
  readonly exchange: HttpExchange
  readonly auth: AuthInfo | undefined
  /** Whom limits count it for. */
  readonly account: CallerAccount
  /** What its body takes, and what is made of that. */
  readonly held: HeldBytes
  /** For an answer of any status. */
  readonly cors: HttpHeaders
  /** What the guard says about what is asked for; undefined where it is not asked. */
  readonly permission: Permission | undefined
  /** Answers with what went wrong. */
  readonly refuse: (error: unknown) => void
}

/** Answers a POST: one message, or several in the revision that has batches. */
export function handlePost(access: SessionAccess, visit: Visit): void {
  const { exchange, refuse, held } = visit
  const accepts = requireMediaTypes(exchange)
  const close = (): void => held.close() // calls that go on keep it
  const onBody = (raw: RawMessage): void => {
    const answered = attempt(() => answerBody(access, visit, accepts, raw), refuse)
    if (isPromise(answered)) void answered.then(close)
    else close()
  }
  // One promise more for each request would show.
  void exchange.readBody(access.bodyLimits, held).then(onBody, (error: unknown) => {
    refuse(error)
    close()
  })
}

function answerBody(
  access: SessionAccess,
  visit: Visit,
  accepts: Accepts,
  raw: RawMessage,
): MaybePromise<void> {
  const { exchange, held } = visit
  access.trace('in', raw)
  const refusal = typeof raw === 'string' ? held.resize(jsonWeight(raw)) : undefined
  if (refusal) throw noRoom(refusal)
  const decoded = decodeBody(raw, access.limits)
  if (decoded.kind === 'malformed') {
    const id = exchange.header('mcp-session-id')
    receiveMalformed(id === undefined ? undefined : access.sessions.find(id, visit.auth), decoded)
    throw malformedRefusal(decoded)
  }
  const { modern } = access
  if (decoded.kind !== 'batch' && modern?.claims(decoded, visit)) {
    return modern.handle(decoded, visit, accepts)
  }
  const onFailure = (error: unknown): void =>
    visit.refuse(decoded.kind === 'request' ? withId(error, decoded.id) : error)
  return attempt(() => answerDecoded(access, visit, accepts, decoded), onFailure)
}

function answerDecoded(
  access: SessionAccess,
  visit: Visit,
  accepts: Accepts,
  decoded: Message | Batch,
): MaybePromise<void> {
  if (decoded.kind === 'request' && decoded.method === 'initialize') {
    return initialize(access, visit, decoded, accepts)
  }
  if (!access.settings.hasSessions) {
    return answerMessages(access, visit, { decoded, accepts, session: undefined })
  }
  const found = requireSession(access, visit)
  return isPromise(found)
    ? found.then((session) => answerMessages(access, visit, { decoded, accepts, session }))
    : answerMessages(access, visit, { decoded, accepts, session: found })
}

interface Posted {
  readonly decoded: Message | Batch
  readonly accepts: Accepts
  readonly session: HttpSession | undefined
}

function answerMessages(
  access: SessionAccess,
  visit: Visit,
  { decoded, accepts, session }: Posted,
): MaybePromise<void> {
  const codec = session?.codec ?? readSessionlessVersion(visit.exchange, access.revisions)
  const messages = sortMessages(decoded, codec, (id) => session?.isWorkingOn(id) ?? false)
  if (messages.others.length === 0) {
    return answerRequests(access, visit, { accepts, session, codec, messages })
  }
  const heard = messages.others.map((message) => receive(access, session, message))
  const goOn = (): MaybePromise<void> =>
    answerRequests(access, visit, { accepts, session, codec, messages })
  return heard.some(isPromise) ? Promise.all(heard).then(goOn) : goOn()
}

function answerRequests(
  access: SessionAccess,
  visit: Visit,
  {
    accepts,
    session: known,
    codec,
    messages,
  }: Omit<Posted, 'decoded'> & { readonly codec: Codec; readonly messages: PostMessages },
): MaybePromise<void> {
  const { exchange, auth, cors, permission } = visit
  const { requests, errors, isBatch } = messages
  if (requests.length === 0) {
    if (errors.length === 0) return exchange.respond(202, cors)
    const texts = errors.map(({ id, error }) => JSON.stringify(errorResponse(id, error)))
    const body = isBatch ? `[${texts.join(',')}]` : texts.join('')
    return exchange.respond(400, { ...cors, 'content-type': 'application/json' }, body)
  }
  if (access.isDraining() && requests.some(({ method }) => method !== 'ping')) {
    throw draining()
  }
  const { session, leave } = known
    ? { session: known, leave: enterFor(access, known, requests.length) }
    : enter(access, visit, codec, requests.length)
  const answer = new PostAnswer({
    host: access,
    visit,
    session,
    accepts,
    messages,
    headers: cors,
    onDone: leave,
  })
  const caller = session.session.callerOn(answer, {
    http: httpOf(exchange),
    auth,
    authorize: permission?.authorize,
  })
  return inTurns(requests, (request) => {
    // Its session may have ended while others had their turn.
    if (answer.isOpen(request.id)) start(access, session, request, caller, answer, visit.held)
  })
}

function requireMediaTypes(exchange: HttpExchange): Accepts {
  const accepts = readAccept(exchange.header('accept'))
  if (!accepts.json && !accepts.events) {
    throw badRequest(406, 'Accept must list application/json, text/event-stream')
  }
  const type = exchange.header('content-type')
  if (!isJsonContent(type)) {
    const seen = type?.slice(0, 100) ?? 'nothing'
    throw badRequest(415, `Content-Type must be application/json, got ${seen}`)
  }
  const encoding = exchange.header('content-encoding')
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw badRequest(415, `Content-Encoding ${encoding.slice(0, 40)} is not accepted`)
  }
  return accepts
}

/** The session a request names. An agreed revision stays in force, whatever the header says later. */
export function requireSession(
  { sessions, revisions, onError }: SessionAccess,
  { exchange, auth }: Visit,
): MaybePromise<HttpSession> {
  const named = readVersion(exchange, revisions)
  const id = exchange.header('mcp-session-id')
  if (id === undefined) {
    throw badRequest(400, 'Mcp-Session-Id is missing: send the one that initialize answered with')
  }
  const found = sessions.get(id, auth)
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
  { callers }: SessionAccess,
  { account }: HttpSession,
  requests: number,
): (() => void) | undefined {
  if (!isAddress(account)) return undefined
  callers.enter(account, requests)
  return () => callers.leave(account, requests)
}

/** The handshake is over and forgotten: what the client said then is not known any more. */
function enter(
  access: SessionAccess,
  visit: Visit,
  codec: Codec,
  requests: number,
): { readonly session: HttpSession; readonly leave: () => void } {
  const { account } = visit
  access.callers.enter(account, requests)
  const session = access.openWithoutHandshake(codec, visit.auth)
  return {
    session,
    leave() {
      access.callers.leave(account, requests)
      access.forget(session)
    },
  }
}

function start(
  access: SessionAccess,
  session: HttpSession,
  request: Request,
  caller: Caller,
  answer: PostAnswer,
  held: HeldBytes,
): void {
  const { id, method } = request
  if (method === 'ping') return answer.reply(id, { jsonrpc: '2.0', id, result: {} })
  const refusal = session.calls.refusal(id)
  if (refusal === undefined) {
    session.calls.start(request, caller, rememberFirst(access, session, request, answer), held)
  } else answer.refuseAs(429, id, encodeWireError(refusal)) // one caller's own cap
}
