/**
 * Streamable HTTP for a client: every message is a POST of its own, answered by JSON or by an event stream, and messages of the
 * server that belong to no request come over a GET stream.
 *
 * It keeps the order that a session needs (nothing before `initialized`, nothing for a session that is lost), repeats what the
 * server has certainly not received, and cancels calls. A request is written by `outgoing-request.ts`, its answer read by
 * `streams/answer-stream.ts`, requests of the modern era go through `modern-posts.ts`. `http-transport.ts` chooses between this
 * channel and `sse-channel.ts`.
 */

import type { McpError } from '../../rpc/errors/mcp-error.ts'
import { merge } from '../../rpc/merge.ts'
import type { RequestId } from '../../rpc/message.ts'
import { ShortLivedList, ShortLivedMap } from '../../rpc/short-lived.ts'
import { waitAtMost } from '../../rpc/signals.ts'
import { timeLimits, postHeaders, type Channel, type ChannelContext } from './channel.ts'
import type { PendingCall } from './endpoint.ts'
import { createHttpSession } from './http-session.ts'
import { negotiatedVersion, type Incoming } from './incoming.ts'
import { createModernPosts } from './modern-posts.ts'
import { type Outgoing, createOutgoingRequest, type OutgoingRequest } from './outgoing-request.ts'
import { createReconnectGate } from './reconnect-gate.ts'
import { lostRequest, sessionEnded } from './request/failures.ts'
import type { HttpResponse } from './request/http-request.ts'
import { readRejection, retryAfterMs, type Rejection } from './request/refusal.ts'
import { type Resuming, acceptResponse } from './streams/answer-stream.ts'
import { createGetStream } from './streams/get-stream.ts'

export interface StreamableOptions {
  /** The server refused `initialize` as servers with HTTP+SSE do: that is tried next. */
  readonly onOldServer?: ((hello: Outgoing, rejection: McpError) => void) | undefined
}

/** Streamable HTTP: every message is a POST of its own, answered by JSON or by a stream. */
export function createStreamableChannel(
  parts: ChannelContext,
  { onOldServer }: StreamableOptions = {},
): Channel {
  const { endpoint, delivery, clock, link, peer, onError } = parts
  const session = createHttpSession(parts.url)
  const outgoingRequests = new ShortLivedList<OutgoingRequest>()
  const byRequest = new ShortLivedMap<RequestId, OutgoingRequest>()
  let opening: Promise<void> | undefined
  /** `initialize` has been sent: messages belong to a session from now on. */
  let hasInitialized = false
  let isEstablished = false
  let isOver = false
  /** The requests that were rejected because the session has ended; undefined while it lasts. */
  let rejectedIds: RequestId[] | undefined
  /** It was the session of who we were before. */
  let isSignedIn = false

  const reconnectGate = createReconnectGate({
    clock,
    peer,
    reconnect: parts.reconnect,
    isEstablished: () => isEstablished || modern.isEstablished,
    onChange: reportHealth,
    onGiveUp,
  })
  const modern = createModernPosts(parts, reconnectGate)
  const stream = createGetStream({
    parts,
    isNeeded: isStreamNeeded,
    open: (lastEventId) => openStream(lastEventId),
    onMessage: ({ message }) => delivery.message(message),
    isSessionEnded,
    onSessionLost: loseSession,
    onChange: reportHealth,
  })
  link?.onNeed(async () => {
    await opening
    await stream.check()
  })

  function isStreamNeeded(): boolean {
    return isEstablished && !opening && !isOver && (link?.needsStream() ?? false)
  }

  /** Nothing overtakes the request for the stream: what a server asks because of it would be lost. */
  async function establish(initialized: Promise<void>): Promise<void> {
    await initialized
    opening = undefined
    void stream.check() // never rejects: what goes wrong is its `fault`
  }

  function reportHealth(): void {
    if (isOver) return
    const problem = stream.fault
    if (reconnectGate.state) link?.onHealth({ state: 'reconnecting', ...reconnectGate.state })
    else if (problem)
      link?.onHealth({ state: 'degraded', missing: 'notifications', cause: problem })
    else link?.onHealth({ state: 'ready' })
  }

  /** Later messages must not overtake `initialized`. */
  function post(outgoing: Outgoing): Promise<void> {
    const outgoingRequest = createOutgoingRequest(outgoing, clock)
    const { request } = outgoing
    if (request !== undefined) byRequest.set(request, outgoingRequest)
    outgoingRequests.add(outgoingRequest)
    outgoingRequest.done = run(outgoingRequest).finally(() => {
      outgoingRequests.delete(outgoingRequest)
      if (request !== undefined) byRequest.take(request)
    })
    return outgoingRequest.done
  }

  async function run(outgoingRequest: OutgoingRequest, tries = 1): Promise<void> {
    try {
      if (opening) await opening
      if (rejectedIds) return loseSession(outgoingRequest.outgoing.request)
      const { call, answer } = await reconnectGate.reach(outgoingRequest, async (onSent) => {
        const sent = ask(outgoingRequest.outgoing, onSent)
        outgoingRequest.stop = sent.abort
        return { call: sent, answer: await sent.answer }
      })
      outgoingRequest.hasHead = true
      await take(outgoingRequest, call, answer, tries)
    } catch (error) {
      if (!outgoingRequest.isAbandoned && !isOver && !rejectedIds)
        fail(outgoingRequest.outgoing, lostRequest(error, peer))
    }
  }

  function ask(outgoing: Outgoing, onSent: () => void): PendingCall {
    const { body, request, watched } = outgoing
    const era = hasInitialized ? session.headers : modern.headersFor(outgoing)
    return endpoint.send({
      method: 'POST',
      url: session.url,
      headers: merge(postHeaders, era),
      body,
      watched,
      headMs: request === undefined ? timeLimits.headMs : Infinity,
      onSent,
    })
  }

  function openStream(lastEventId: string | undefined, onSent?: () => void): PendingCall {
    return endpoint.send({
      method: 'GET',
      url: session.url,
      headers: {
        accept: 'text/event-stream',
        ...session.headers,
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      },
      headMs: timeLimits.headMs,
      onSent,
    })
  }

  const resuming: Resuming = {
    open: openStream,
    reach: reconnectGate.reach,
    check(answer) {
      if (!isSessionEnded(answer)) return
      loseSession()
      throw sessionEnded(peer, false)
    },
  }

  async function take(
    outgoingRequest: OutgoingRequest,
    call: PendingCall,
    answer: HttpResponse,
    tries: number,
  ): Promise<void> {
    const { outgoing } = outgoingRequest
    const { request } = outgoing
    if (isSessionEnded(answer)) return loseSession(request, call.isChallenged)
    if (answer.status < 200 || answer.status > 299) {
      // A response that cannot be taken now: somebody waits for it, and nobody else has it.
      const preferredMs = retryAfterMs(answer)
      if (answer.status === 503 && preferredMs && !outgoing.method && tries < maxTries) {
        void answer.discard()
        await outgoingRequest.sleep(preferredMs)
        return run(outgoingRequest, tries + 1)
      }
      return reject(outgoing, answer.status, await readRejection(answer, call, parts))
    }
    if (request === undefined) return answer.discard()
    if (outgoing.method === 'initialize') session.adopt(answer.header('mcp-session-id'), call.url)
    return acceptResponse(
      { call, answer },
      {
        parts,
        outgoingRequest,
        request,
        onMessage: (incoming) => receive(outgoing, incoming),
        resuming,
      },
    )
  }

  function receive({ method, request }: Outgoing, incoming: Incoming): Promise<void> | void {
    const { message, answers } = incoming
    if (method === 'initialize' && answers.some((id) => id === request)) {
      session.negotiate(negotiatedVersion(message))
    }
    return delivery.message(message)
  }

  function reject(outgoing: Outgoing, status: number, rejection: Rejection): void {
    const isOld = outgoing.method === 'initialize' && isSaidByOldServers(status)
    if (rejection.kind === 'http') {
      if (isOld && onOldServer) return onOldServer(outgoing, rejection.error)
      return fail(outgoing, rejection.error)
    }
    const { request } = outgoing
    // The HTTP answer belongs to this request, whatever id the error carries.
    if (request === undefined) return fail(outgoing, new Error(rejection.error.message))
    void delivery.message({ jsonrpc: '2.0', id: request, error: rejection.error })
  }

  function fail({ request, method }: Outgoing, error: unknown): void {
    if (request !== undefined) return delivery.fail(request, error)
    const operation = method ?? 'response'
    onError(error, { severity: 'warning', operation, peer })
  }

  function isSessionEnded({ status }: HttpResponse): boolean {
    return status === 404 && session.id !== undefined
  }

  /**
   * Requests rejected with 404, and requests not sent yet, had no effect and may be sent again. A request on its way has a
   * moment to be refused too. They are told together: who hears of it looks for the next session.
   */
  function loseSession(request?: RequestId, signedIn = false): void {
    const isKnown = rejectedIds !== undefined
    rejectedIds ??= []
    isSignedIn ||= signedIn
    if (request !== undefined) rejectedIds.push(request)
    if (isKnown) return
    const coming = [...byRequest.values()].filter(({ isUnsent, hasHead }) => !isUnsent && !hasHead)
    if (coming.length === 0) return endSession(rejectedIds)
    const heads = Promise.all(coming.flatMap(({ done }) => done ?? []))
    void waitAtMost(timeLimits.cancelMs, heads, { clock }).then(() => endSession(rejectedIds ?? []))
  }

  function endSession(requests: readonly RequestId[]): void {
    const unsent = [...byRequest.values()].filter(({ isUnsent }) => isUnsent)
    for (const id of [...requests, ...unsent.flatMap(({ outgoing }) => outgoing.request ?? [])]) {
      delivery.fail(id, sessionEnded(peer, true, isSignedIn))
    }
    session.forget()
    breakDown(sessionEnded(peer, false))
  }

  /** Calls whose own connection is alive still get their answers; whatever else there is fails by itself. */
  function onGiveUp(error: McpError): void {
    const left = [...byRequest.values(), ...modern.calls()].filter(({ isUnsent }) => !isUnsent)
    if (left.length === 0) return breakDown(error)
    void Promise.all(left.flatMap(({ done }) => done ?? [])).then(() => breakDown(error))
  }

  function breakDown(error: McpError): void {
    if (isOver) return
    isOver = true
    delivery.end(error)
    giveUp()
  }

  /** Ends a cancelled call when the server has the cancellation, or did not take it in time. */
  function release(cancelled: OutgoingRequest, sent: Promise<void>): void {
    const timer = clock.setTimer(cancelled.abandon, timeLimits.cancelMs)
    void sent.then(() => {
      timer[Symbol.dispose]()
      cancelled.abandon()
    })
  }

  function giveUp(): void {
    stream.stop()
    modern.abandon()
    for (const outgoingRequest of outgoingRequests) outgoingRequest.abandon()
  }

  /** Notifications and answers on their way may still arrive; then the session is over. */
  async function sayGoodbye(): Promise<void> {
    const isAway = reconnectGate.state !== undefined
    const leaving = [...outgoingRequests].filter(
      ({ outgoing, isUnsent }) => outgoing.request === undefined && !(isUnsent && isAway),
    )
    for (const outgoingRequest of byRequest.values()) outgoingRequest.abandon()
    await Promise.all(leaving.flatMap(({ done }) => done ?? []))
    if (session.id === undefined || rejectedIds) return
    const { headers, url } = session
    const call = endpoint.send({ method: 'DELETE', url, headers, headMs: timeLimits.closeMs })
    const answer = await call.answer
    void answer.discard() // 405 is as good an answer as any
  }

  return {
    kind: 'http',
    send(outgoing) {
      const { cancels, method } = outgoing
      if (modern.take(outgoing)) return undefined
      if (method === 'initialize') hasInitialized = true
      if (!hasInitialized && !modern.allows(outgoing)) return undefined
      const cancelled = cancels === undefined ? undefined : byRequest.get(cancels)
      if (cancelled?.isUnsent) return cancelled.abandon()
      const done = post(outgoing)
      if (cancelled) release(cancelled, done)
      if (method !== 'notifications/initialized') return undefined
      isEstablished = true
      opening = establish(done)
      return done
    },
    async close() {
      if (isOver) return
      isOver = true
      stream.stop()
      modern.abandon()
      const closeRequest = sayGoodbye().catch(() => undefined) // it ends either way
      await waitAtMost(timeLimits.closeMs, closeRequest, { clock })
      giveUp()
    },
  }
}

/** How often a response is sent that the server cannot take at the moment. */
const maxTries = 9

/** Only these mean that the address takes no POST. Any other status comes from a server that does. */
function isSaidByOldServers(status: number): boolean {
  return status === 400 || status === 404 || status === 405
}
