import { McpError } from '../../../rpc/errors/mcp-error.ts'
import { RpcError } from '../../../rpc/errors/rpc-error.ts'
import type { MemoryShare } from '../../../rpc/memory-budget.ts'
import type { Request, RequestId, WireError } from '../../../rpc/message.ts'
import type { PendingOptions } from '../../../rpc/pending-requests.ts'
import type { MaybePromise } from '../../../rpc/promise.ts'
import { ShortLivedList } from '../../../rpc/short-lived.ts'
import type { JsonObject } from '../../../schema/json.ts'
import { clientRequestRow } from '../../../schema/methods/client-requests.ts'
import type { Responder } from '../../../server/calls/call.ts'
import type { RequestChannel } from '../../../server/calls/caller.ts'
import type { DrainReport } from '../../../server/calls/calls-in-flight.ts'
import type { Negotiated } from '../../../server/initialize.ts'
import { negotiatedState, type SessionTransport } from '../../../server/sessions/server-session.ts'
import type { StreamRequests } from '../../../server/sessions/stream-requests.ts'
import { unsubscribeAll } from '../../../server/subscriptions.ts'
import type { Codec } from '../../../wire/codec.ts'
import { statusOf } from '../admission/http-errors.ts'
import type { QuotaKey } from '../admitted-request.ts'
import {
  replyAfterUpdate,
  type ChangeSession,
  type SessionData,
  type SessionRecord,
} from '../cluster/records.ts'
import { cancelRemote, createRequests } from '../cluster/requests.ts'
import type { SharedService } from '../endpoint-service.ts'
import type { ResponderOwner, HttpResponder } from '../http-responder.ts'
import { type Listeners, createSessionStreams, type SessionStreams } from '../session-streams.ts'
import type { EventStream, StreamEvents } from '../streams/event-stream.ts'
import { encodeOpenRequests } from '../streams/resumed-stream.ts'
import type { OrderedSession } from './session-table.ts'
import { afterStore } from './store-access.ts'

/** What a session is called. Where processes share it the key is a part of the id; else both are the same. */
export interface SessionId {
  /** Names it in the log, the records and the messages of processes. */
  readonly key: string
  /** What its client sends. Never to be printed. */
  readonly id: string
}

export interface HttpSessionOptions {
  readonly service: SharedService
  /** Changes what is known of a session. */
  readonly change: ChangeSession
  /** Undefined without sessions: then it lasts for one request. */
  readonly names: SessionId | undefined
  /** Whom it belongs to; nobody else may use it. */
  readonly principal: string
  /** Whom it counts for. */
  readonly account: QuotaKey
  /** What is remembered for it; undefined where that lasts for one request. */
  readonly memory?: MemoryShare | undefined
  readonly record: SessionRecord
  readonly agreed: Negotiated
  /** The client is known to have finished its handshake. */
  readonly isReady: boolean
  /** At the latest, by the clock of this process. */
  readonly endsAt: number
  /** Another process has opened it. */
  readonly isRevived?: boolean | undefined
  /** Requests sent to the client from here have higher numbers. */
  readonly lastRequest: number
}

// What is so of a session, in one number: there are many sessions.
const revived = 1
const stale = 2
const strayed = 4
const offered = 8

/**
 * One session over HTTP: a `Peer` that is fed by many POSTs, and the streams and answers that lead back to its client.
 * What is going on is made when it is needed and let go when it is over, so that an idle session is little more than its
 * facts. A class, against our habit, because there are many of these.
 */
export class HttpSession implements SessionTransport, ResponderOwner, OrderedSession {
  /** See `SessionId`. */
  readonly key: string | undefined
  readonly id: string | undefined
  /** Whom it belongs to; nobody else may use it. */
  readonly principal: string
  /** Takes its messages. */
  readonly session: negotiatedState
  readonly quotaKey: QuotaKey
  /** Among those that last for one request. */
  index = -1
  /** By its age, however much it is used. */
  readonly expiresAt: number
  /** Changes with every request. */
  lastUsedAt: number
  /** Its neighbours among sessions that may make room for others. */
  older: HttpSession | undefined
  newer: HttpSession | undefined
  olderOwn: HttpSession | undefined
  newerOwn: HttpSession | undefined
  private flags: number
  private known: SessionRecord
  private readonly service: SharedService
  private readonly change: ChangeSession
  /** Followed by the client as another process knows it; nothing is watched here for these. */
  private followedElsewhere: ReadonlySet<string> | undefined
  private lastRequest: number
  private ownRequests: StreamRequests | undefined
  private ownStreams: SessionStreams | undefined
  private ownAnswers: ShortLivedList<HttpResponder> | undefined

  constructor(options: HttpSessionOptions) {
    const { service, names, record } = options
    const { facts } = record
    this.key = names?.key
    this.id = names?.id
    this.principal = options.principal
    this.quotaKey = options.account
    this.expiresAt = options.endsAt
    this.lastUsedAt = service.clock.now()
    this.flags = options.isRevived === true ? revived : 0
    this.known = record
    this.service = service
    this.change = options.change
    this.lastRequest = options.lastRequest
    this.session = new negotiatedState(service, this)
    this.session.sessionId = names?.key
    this.session.memory = options.memory
    if (names === undefined) this.session.account = options.principal
    if (facts.logLevel !== undefined) this.session.logLevel = facts.logLevel
    if (facts.subscriptions.length > 0) this.followedElsewhere = new Set(facts.subscriptions)
    this.session.resume(options.agreed, options.isReady)
    if (names !== undefined && !this.isRestored) this.session.observe('http')
  }

  get codec(): Codec {
    return this.session.codec
  }

  /** Another process has opened it. */
  get isRestored(): boolean {
    return (this.flags & revived) !== 0
  }

  /** Others may have changed or ended it, and this process did not hear of that. */
  get isStale(): boolean {
    return (this.flags & stale) !== 0
  }

  set isStale(isSo: boolean) {
    this.flags = isSo ? this.flags | stale : this.flags & ~stale
  }

  /** It may be the next to make room for others. */
  get isOffered(): boolean {
    return (this.flags & offered) !== 0
  }

  set isOffered(isSo: boolean) {
    this.flags = isSo ? this.flags | offered : this.flags & ~offered
  }

  /** Its requests name another revision than was agreed on, and that was reported. */
  get hasVersionMismatch(): boolean {
    return (this.flags & strayed) !== 0
  }

  markVersionMismatch(): void {
    this.flags |= strayed
  }

  get record(): SessionRecord {
    return this.known
  }

  get data(): SessionData {
    return this.known.facts
  }

  /** The client has sent `notifications/initialized`. */
  get isReady(): boolean {
    return this.session.isReady
  }

  /** Its streams can be let go of while the work goes on. */
  get canPoll(): boolean {
    return this.key !== undefined && this.service.log !== undefined && this.codec.has.polling
  }

  get streams(): SessionStreams {
    if (this.ownStreams) return this.ownStreams
    const { clock, settings, releaseAfter, log, limits, trace, onError } = this.service
    const { keepAliveMs, replay } = settings
    this.ownStreams = createSessionStreams({
      rules: {
        clock,
        keepAliveMs,
        releaseAfter: this.canPoll ? releaseAfter : undefined,
        onCut: settings.cluster?.metrics?.readerCut,
      },
      sessionId: this.key,
      log,
      replay: replay === false ? { events: 0, bytes: 0 } : (log?.limits ?? replay),
      bufferedBytes: limits.bufferedBytes,
      hasPriming: this.codec.has.polling,
      pollMs: settings.cluster?.heartbeatMs,
      trace,
      onError,
    })
    return this.ownStreams
  }

  /** Answers still to be given, which an end of the session must not leave waiting. */
  get openResponders(): ShortLivedList<HttpResponder> {
    this.ownAnswers ??= new ShortLivedList()
    return this.ownAnswers
  }

  get requests(): StreamRequests {
    this.ownRequests ??= createRequests(this.service, this, this.lastRequest)
    return this.ownRequests
  }

  countCalls(): number {
    return this.session.count
  }

  countStreams(): number {
    return this.ownStreams?.countOpen() ?? 0
  }

  /** Somebody waits for an answer or reads a stream. */
  isBusy(): boolean {
    return this.countCalls() > 0 || this.countStreams() > 0
  }

  get detachedMs(): number {
    return this.service.settings.detachedMs
  }

  createStream(events: StreamEvents, about?: string): EventStream {
    return this.streams.create(events, about)
  }

  describeRequests(ids: Iterable<RequestId>): string | undefined {
    const { log } = this.service
    if (log?.ending === undefined) return undefined
    const open = [...ids].map((id) => ({ id, retryable: this.session.calls.isSafeToRetry(id) }))
    return encodeOpenRequests(open)
  }

  statusOf(error: WireError): number {
    return statusOf(error)
  }

  cancel(id: RequestId, why: string, _answer?: HttpResponder, by?: 'fenced'): void {
    this.session.calls.cancel(id, why, by)
  }

  /** On the stream of a call, where it is also taken back if nobody waits for the answer any more. */
  sendRequest(
    stream: EventStream,
    method: string,
    params: JsonObject | undefined,
    options: PendingOptions,
  ): Promise<JsonObject> {
    const write = (message: JsonObject): void => stream.send(JSON.stringify(message))
    return this.requests.sendOn(write, method, params, options)
  }

  /** Whether a reader that has this event can go on from it. */
  async hasEvent(streamId: string, sequence: number): Promise<boolean> {
    const { key } = this
    if (key === undefined) return false
    const page = await this.service.log?.read({ sessionId: key, streamId }, sequence, 1)
    return page !== undefined
  }

  /** Takes over what is known elsewhere. */
  applyRecord(record: SessionRecord): void {
    const before = this.data
    const { session } = this
    this.known = record
    this.isStale = false
    if (before === record.facts) return
    const { logLevel, subscriptions } = record.facts
    if (logLevel !== undefined) session.logLevel = logLevel
    if (before.subscriptions === subscriptions) return
    const own = session.hasSubscriptions ? session.subscriptions : undefined
    const others = subscriptions.filter((uri) => !own?.has(uri))
    this.followedElsewhere = others.length === 0 ? undefined : new Set(others)
    const kept = new Set(subscriptions)
    const dropped = before.subscriptions.filter((uri) => !kept.has(uri) && own?.delete(uri))
    unsubscribeAll(this.service.definition, {
      subscriptions: new Set(dropped),
      memory: session.memory,
    })
  }

  onInitialized(): void {
    this.session.advance({ type: 'initialized' })
  }

  responderFor(request: Request, channel: RequestChannel): Responder {
    const isRecorded =
      this.key !== undefined && clientRequestRow(request.method).changes !== undefined
    return isRecorded
      ? replyAfterUpdate(request, channel, (alter) => this.change(this, alter))
      : channel
  }

  isSubscribedElsewhere(uri: string): boolean {
    return this.followedElsewhere?.has(uri) ?? false
  }

  /** On a stream that belongs to no call, wherever that is; dropped where there was never one. */
  notifySession(method: string, params?: JsonObject, isChange = false): void {
    const message = { jsonrpc: '2.0', method, params }
    if (isChange) this.sendToLocalListener(JSON.stringify(message))
    else this.sendToListener(message)
  }

  /** The same for a request. */
  requestOutsideCall(
    method: string,
    params: JsonObject | undefined,
    options: PendingOptions,
  ): Promise<JsonObject> {
    return this.requests.sendOn((message) => this.sendToListener(message), method, params, options)
  }

  private sendToListener(message: JsonObject): void {
    const { key } = this
    if (this.sendToLocalListener(JSON.stringify(message)) || key === undefined) return
    void this.service.mail?.tell('for-listener', { key, message })
  }

  /** Its client may have missed any change: it is told of each list, and of each resource that it follows. */
  announceAll(): void {
    for (const type of ['tools', 'prompts', 'resources'] as const) this.session.changed({ type })
    for (const uri of this.data.subscriptions) this.session.changed({ type: 'resource', uri })
  }

  /** False if nobody listens here. */
  sendToLocalListener(json: string): boolean {
    return this.listeners?.tell(json) ?? false
  }

  /** Those that the client listens on here; undefined if there was never one. */
  get listeners(): Listeners | undefined {
    return this.ownStreams?.listeners
  }

  cancelRemote(requestId: RequestId, reason: string | undefined): MaybePromise<void> {
    return cancelRemote(this.service, this, requestId, reason)
  }

  /** Closes every reader with a hint when to come back. */
  releaseReaders(retryMs: number): void {
    this.ownStreams?.release(retryMs)
  }

  /** Undefined if there is nothing to wait for. */
  drain(deadlineMs: number): Promise<DrainReport> | undefined {
    return this.countCalls() === 0 ? undefined : this.session.calls.drain(deadlineMs)
  }

  /** Lets go of what was needed for things that are over; true if nothing is going on. */
  freeIdle(): boolean {
    this.ownStreams?.listeners.sweep()
    if (this.countCalls() > 0 || (this.ownAnswers?.size ?? 0) > 0) return false
    this.session.freeMemory()
    this.ownAnswers = undefined
    if (this.ownRequests?.count() === 0) {
      this.lastRequest = this.ownRequests.last()
      this.ownRequests[Symbol.dispose]()
      this.ownRequests = undefined
    }
    if (this.ownStreams?.isIdle()) this.ownStreams = undefined
    return this.ownStreams === undefined && !this.session.hasSubscriptions
  }

  /** Ends it everywhere, by the wish of the server. */
  dismiss(why: string): void {
    void afterStore(
      () => this.service.endSession?.(this, why),
      () => undefined,
      (error) => this.service.onError(error, { severity: 'warning', operation: 'sessions' }),
    )
  }

  /** Here only: another process may go on with it. Resolves, if it is a promise, when its streams are known to have ended. */
  leave(why: string): Promise<unknown> | undefined {
    this.stop('overloaded', why)
    return this.ownStreams?.end()
  }

  /** Everywhere. */
  end(why: string): void {
    this.stop('session_not_found', why)
    this.ownStreams?.discard()
    const { key, service } = this
    if (key === undefined) return
    void afterStore(
      () => service.log?.dropSession(key),
      () => undefined,
      (error) => service.onError(error, { severity: 'warning', operation: 'event log' }),
    )
  }

  private stop(code: 'overloaded' | 'session_not_found', why: string): void {
    this.session.close('session', why)
    this.ownRequests?.rejectAll(new McpError('cancelled', why, { details: { by: 'session' } }))
    this.ownRequests?.[Symbol.dispose]()
    for (const answer of this.ownAnswers ?? []) answer.failAll(new RpcError(code, why))
    this.ownAnswers = undefined
  }
}
