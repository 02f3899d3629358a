/**
 * One session over HTTP: its state (`session`), its event streams, its unanswered responses, and when it expires.
 *
 * POSTs feed the `ServerSession`; what the server sends goes out on the stream of a call or on one the client listens on.
 * Thousands of sessions may be idle at once, so what a session needs only while it is busy is created on demand, and `freeIdle`
 * drops it again. `SessionTable` opens, finds and ends sessions; `ClusterNode` reaches those parts of a session that are at
 * another process. Requests without a session never come here: see `StandaloneRequests`.
 */
import { McpError } from '../../../rpc/errors/mcp-error.ts'
import { RpcError } from '../../../rpc/errors/rpc-error.ts'
import type { MemoryShare } from '../../../rpc/memory-budget.ts'
import type { Request, RequestId, WireError } from '../../../rpc/message.ts'
import {
  createPendingRequests,
  type PendingOptions,
  type PendingRequests,
} from '../../../rpc/pending-requests.ts'
import type { MaybePromise } from '../../../rpc/promise.ts'
import { ShortLivedList } from '../../../rpc/short-lived.ts'
import type { JsonObject } from '../../../schema/json.ts'
import { clientRequestRow } from '../../../schema/methods/client-requests.ts'
import type { Responder } from '../../../server/calls/call.ts'
import type { RequestChannel } from '../../../server/calls/caller.ts'
import type { DrainReport } from '../../../server/calls/calls-in-flight.ts'
import { keyOf } from '../../../server/followers.ts'
import type { Negotiated } from '../../../server/initialize.ts'
import {
  ServerSession,
  type ResponseReceiver,
  type SessionTransport,
} from '../../../server/sessions/server-session.ts'
import { unsubscribeAll } from '../../../server/subscriptions.ts'
import type { Codec } from '../../../wire/codec.ts'
import { decodeWireError } from '../../../wire/error-codes.ts'
import { statusOf } from '../admission/http-errors.ts'
import type { QuotaKey } from '../admitted-request.ts'
import { replyAfterUpdate, type SessionData, type SessionRecord } from '../cluster/records.ts'
import type { EndpointService } from '../endpoint-service.ts'
import type { HttpResponder, ResponderOwner } from '../http-responder.ts'
import type { StreamOutput } from '../runtime/exchange.ts'
import {
  createSessionStreams,
  type Claim,
  type Listeners,
  type SessionStreams,
} from '../session-streams.ts'
import type { EventStream, StreamEvents } from '../streams/event-stream.ts'
import { encodeOpenRequests } from '../streams/resumed-stream.ts'
import { afterStore } from './store-access.ts'

/** The names of a session. In a cluster the key is a part of the id; else both are the same. */
export interface SessionId {
  /** Names the session in the log, the records and the messages of processes. */
  readonly key: string
  /** Sent by the client. Never to be printed. */
  readonly id: string
}

export interface HttpSessionOptions {
  readonly service: EndpointService
  readonly names: SessionId
  /** Only this principal may use the session; empty for an anonymous client. */
  readonly principal: string
  /** The key whose limits the session counts against. */
  readonly quotaKey: QuotaKey
  /** The memory that the session uses. */
  readonly memory: MemoryShare
  readonly record: SessionRecord
  readonly negotiated: Negotiated
  /** True if the client is known to have sent `notifications/initialized`. */
  readonly isReady: boolean
  /** True if another process opened the session. */
  readonly isRestored: boolean
  /** By the clock of this process. */
  readonly expiresAt: number
}

/** The lists of a server. */
const listKinds = ['tools', 'prompts', 'resources'] as const

/** See the head of this file. */
export class HttpSession implements SessionTransport, ResponderOwner {
  readonly key: string
  readonly id: string
  readonly principal: string
  readonly quotaKey: QuotaKey
  readonly session: ServerSession
  /** True if another process opened the session. */
  readonly isRestored: boolean
  /** However much the session is used. */
  readonly expiresAt: number
  lastUsedAt: number
  /** True if the session may have missed changes by other processes. */
  isStale = false
  /** True once a request has named another revision than was negotiated, which is reported once. */
  hasVersionMismatch = false
  private currentRecord: SessionRecord
  private readonly service: EndpointService
  /** URIs that the client subscribed to at another process; nothing is watched here for these. */
  private remoteSubscriptions: ReadonlySet<string> | undefined
  private followsLists = false
  private lastRequest: number
  private createdRequests: PendingRequests | undefined
  private localStreams: SessionStreams | undefined
  private createdResponders: ShortLivedList<HttpResponder> | undefined

  constructor(options: HttpSessionOptions) {
    const { service, names, record, isRestored } = options
    const { data } = record
    this.key = names.key
    this.id = names.id
    this.principal = options.principal
    this.quotaKey = options.quotaKey
    this.isRestored = isRestored
    this.expiresAt = options.expiresAt
    this.lastUsedAt = service.clock.now()
    this.currentRecord = record
    this.service = service
    this.lastRequest = service.cluster.firstRequestNumber()
    this.session = new ServerSession(service, this)
    this.session.sessionId = names.key
    this.session.memory = options.memory
    if (data.logLevel !== undefined) this.session.logLevel = data.logLevel
    if (data.subscriptions.length > 0) this.remoteSubscriptions = new Set(data.subscriptions)
    this.follow(data.subscriptions)
    this.session.resume(options.negotiated, options.isReady)
    if (!isRestored) this.session.observe('http')
  }

  get codec(): Codec {
    return this.session.codec
  }

  get record(): SessionRecord {
    return this.currentRecord
  }

  /** Session data as this process knows it. */
  get data(): SessionData {
    return this.currentRecord.data
  }

  /** True after `notifications/initialized`. */
  get isReady(): boolean {
    return this.session.isReady
  }

  get canPoll(): boolean {
    return this.service.log !== undefined && this.codec.has.polling
  }

  get detachedMs(): number {
    return this.service.settings.detachedMs
  }

  /** The event streams of this session at this process. */
  get streams(): SessionStreams {
    if (this.localStreams) return this.localStreams
    const { clock, settings, releaseAfter, log, limits, trace, onError, cluster } = this.service
    const { keepAliveMs, replay } = settings
    this.localStreams = createSessionStreams({
      rules: {
        clock,
        keepAliveMs,
        releaseAfter: this.canPoll ? releaseAfter : undefined,
        onCut: cluster.metrics.readerCut,
      },
      sessionId: this.key,
      log,
      replay: replay === false ? { events: 0, bytes: 0 } : (log?.limits ?? replay),
      bufferedBytes: limits.bufferedBytes,
      hasPriming: this.codec.has.polling,
      pollMs: cluster.pollMs,
      trace,
      onError,
    })
    return this.localStreams
  }

  get openResponders(): ShortLivedList<HttpResponder> {
    this.createdResponders ??= new ShortLivedList()
    return this.createdResponders
  }

  /** Requests that this process has sent to the client. */
  get clientRequests(): PendingRequests {
    const { clock, onError, cluster } = this.service
    this.createdRequests ??= createPendingRequests({
      clock,
      after: this.lastRequest,
      idPrefix: cluster.requestIdPrefix,
      write: (message) => this.sendToListener(message),
      decodeError: decodeWireError,
      report: (error, severity) => onError(error, { severity }),
    })
    return this.createdRequests
  }

  get requests(): ResponseReceiver {
    return this.service.cluster.responsesOf(this)
  }

  countCalls(): number {
    return this.session.count
  }

  countStreams(): number {
    return this.localStreams?.countOpen() ?? 0
  }

  /** True if a call is in flight or a stream has a reader. */
  isBusy(): boolean {
    return this.countCalls() > 0 || this.countStreams() > 0
  }

  createStream(events: StreamEvents, openRequests?: string): EventStream {
    return this.streams.create(events, openRequests)
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

  cancel(id: RequestId, why: string, _responder?: HttpResponder, by?: 'fenced'): void {
    this.session.calls.cancel(id, why, by)
  }

  sendRequest(
    stream: EventStream,
    method: string,
    params: JsonObject | undefined,
    options: PendingOptions,
  ): Promise<JsonObject> {
    const write = (message: JsonObject): void => stream.send(JSON.stringify(message))
    return this.clientRequests.send(method, params, { ...options, write })
  }

  /** True if a reader that has this event can resume from it. */
  async hasEvent(streamId: string, sequence: number): Promise<boolean> {
    const page = await this.service.log?.read({ sessionId: this.key, streamId }, sequence, 1)
    return page !== undefined
  }

  /** Takes over session data that another process has changed. */
  applyRecord(record: SessionRecord): void {
    const before = this.data
    const { session } = this
    this.currentRecord = record
    this.isStale = false
    if (before === record.data) return
    const { logLevel, subscriptions } = record.data
    if (logLevel !== undefined) session.logLevel = logLevel
    if (before.subscriptions === subscriptions) return
    const local = session.hasSubscriptions ? session.subscriptions : undefined
    const remote = subscriptions.filter((uri) => !local?.has(uri))
    this.remoteSubscriptions = remote.length === 0 ? undefined : new Set(remote)
    const [known, current] = [new Set(before.subscriptions), new Set(subscriptions)]
    const gone = before.subscriptions.filter((uri) => !current.has(uri))
    this.unfollow(gone)
    this.follow(subscriptions.filter((uri) => !known.has(uri)))
    const dropped = gone.filter((uri) => local?.delete(uri))
    const { definition } = this.service
    unsubscribeAll(definition, { subscriptions: new Set(dropped), memory: session.memory })
  }

  /** Sends messages that belong to no call on a new stream, and from now on notifications of changed lists. */
  listen(output: StreamOutput, claim: Claim | undefined): EventStream {
    this.followLists()
    return this.streams.listen(output, claim)
  }

  /** Goes on with a stream; see `SessionStreams.resume`. */
  resumeStream(streamId: string, output: StreamOutput, after: number, claim?: Claim): () => void {
    if (claim) this.followLists()
    return this.streams.resume(streamId, output, after, claim)
  }

  private followLists(): void {
    for (const kind of listKinds) this.service.followers.follow(kind, this.session)
    this.followsLists = true
  }

  private unfollowLists(): void {
    if (!this.followsLists) return
    for (const kind of listKinds) this.service.followers.unfollow(kind, this.session)
    this.followsLists = false
  }

  private follow(uris: readonly string[]): void {
    for (const uri of uris) {
      this.service.followers.follow(keyOf({ type: 'resource', uri }), this.session)
    }
  }

  private unfollow(uris: readonly string[]): void {
    for (const uri of uris) {
      this.service.followers.unfollow(keyOf({ type: 'resource', uri }), this.session)
    }
  }

  onInitialized(): void {
    this.session.advance({ type: 'initialized' })
  }

  responderFor(request: Request, channel: RequestChannel): Responder {
    if (clientRequestRow(request.method).changes === undefined) return channel
    const { cluster } = this.service
    return replyAfterUpdate(request, channel, (change) => cluster.updateSession(this, change))
  }

  isSubscribedRemotely(uri: string): boolean {
    return this.remoteSubscriptions?.has(uri) ?? false
  }

  /** Sends a notification that belongs to no call. A change is announced by every process, so it goes to local listeners only. */
  notifySession(method: string, params?: JsonObject, isChange = false): void {
    const message = { jsonrpc: '2.0', method, params }
    if (isChange) this.sendToLocalListener(JSON.stringify(message))
    else this.sendToListener(message)
  }

  requestOutsideCall(
    method: string,
    params: JsonObject | undefined,
    options: PendingOptions,
  ): Promise<JsonObject> {
    return this.clientRequests.send(method, params, options)
  }

  /** Sends a message on a stream that belongs to no call, at whichever process that is; drops it if there was never one. */
  private sendToListener(message: JsonObject): void {
    if (this.sendToLocalListener(JSON.stringify(message))) return
    this.service.cluster.notifyListener(this, message)
  }

  /** Announces every change that the client may have missed. */
  announceAll(): void {
    for (const type of listKinds) this.session.changed({ type })
    for (const uri of this.data.subscriptions) this.session.changed({ type: 'resource', uri })
  }

  /** False without a listener here. */
  sendToLocalListener(json: string): boolean {
    return this.listeners?.send(json) ?? false
  }

  /** The streams that the client listens on here; undefined if there was never one. */
  get listeners(): Listeners | undefined {
    return this.localStreams?.listeners
  }

  cancelRemote(requestId: RequestId, reason: string | undefined): MaybePromise<void> {
    return this.service.cluster.cancelRemote(this, requestId, reason)
  }

  /** Closes every reader, with the time after which it should come back. */
  releaseReaders(retryMs: number): void {
    this.localStreams?.release(retryMs)
  }

  /** Undefined if no call is in flight. */
  drain(deadlineMs: number): Promise<DrainReport> | undefined {
    return this.countCalls() === 0 ? undefined : this.session.calls.drain(deadlineMs)
  }

  /** Drops what only a busy session needs; true if the session is idle. */
  freeIdle(): boolean {
    this.localStreams?.listeners.sweep()
    if (this.countCalls() > 0 || (this.createdResponders?.size ?? 0) > 0) return false
    this.session.freeMemory()
    this.createdResponders = undefined
    if (this.createdRequests?.count() === 0) {
      this.lastRequest = this.createdRequests.last()
      this.createdRequests[Symbol.dispose]()
      this.createdRequests = undefined
    }
    if (this.localStreams?.isIdle()) this.localStreams = undefined
    if (this.listeners === undefined) this.unfollowLists()
    return this.localStreams === undefined && !this.session.hasSubscriptions
  }

  /** Ends the session at every process, because the server wants it. */
  dismiss(why: string): void {
    void afterStore(
      () => this.service.sessions.end(this, why),
      () => undefined,
      (error) => this.service.onError(error, { severity: 'warning', operation: 'sessions' }),
    )
  }

  /** Ends the session here only. The promise resolves when the log has the end of its streams. */
  leave(why: string): Promise<unknown> | undefined {
    this.stop('overloaded', why)
    return this.localStreams?.end()
  }

  /** Ends the session, and drops its events. */
  end(why: string): void {
    const { key, service } = this
    this.stop('session_not_found', why)
    this.localStreams?.discard()
    void afterStore(
      () => service.log?.dropSession(key),
      () => undefined,
      (error) => service.onError(error, { severity: 'warning', operation: 'event log' }),
    )
  }

  private stop(code: 'overloaded' | 'session_not_found', why: string): void {
    this.unfollow(this.data.subscriptions)
    this.unfollowLists()
    this.session.close('session', why)
    this.createdRequests?.rejectAll(new McpError('cancelled', why, { details: { by: 'session' } }))
    this.createdRequests?.[Symbol.dispose]()
    for (const responder of this.createdResponders ?? []) responder.failAll(new RpcError(code, why))
    this.createdResponders = undefined
  }
}
