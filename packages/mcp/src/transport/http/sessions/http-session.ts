import type { HeldBytes } from '../../../rpc/byte-account.ts'
import { McpError } from '../../../rpc/errors/mcp-error.ts'
import { RpcError } from '../../../rpc/errors/rpc-error.ts'
import type { RequestId, WireError } from '../../../rpc/message.ts'
import type { PendingOptions, PendingRequests } from '../../../rpc/pending-requests.ts'
import { ShortLivedList } from '../../../rpc/short-lived.ts'
import type { ServerCapabilities } from '../../../schema/capabilities.ts'
import type { JsonObject } from '../../../schema/json/json.ts'
import type { Caller } from '../../../server/calls/caller.ts'
import { CallsInFlight, type DrainReport } from '../../../server/calls/calls-in-flight.ts'
import type { ServerChange } from '../../../server/definition.ts'
import { createSession, type Session } from '../../../server/peer/session.ts'
import { unsubscribeAll } from '../../../server/subscriptions/subscriptions.ts'
import type { Codec } from '../../../wire/codec.ts'
import { statusOf } from '../admission/http-errors.ts'
import type { CallerAccount } from '../admission/request-caller.ts'
import type { AnswerOwner, HttpAnswer } from '../answer.ts'
import type { SharedService } from '../service.ts'
import type { EventStream, StreamEvents } from '../streams/event-stream.ts'
import { createQuestions, type Questions } from './questions.ts'
import type { SessionFacts, SessionRecord } from './session-records.ts'
import { createSessionStreams, type SessionStreams } from './session-streams.ts'
import { afterStore } from './store-access.ts'

export interface HttpSessionOptions {
  readonly service: SharedService
  /** Undefined without sessions: then it lasts for one request. */
  readonly id: string | undefined
  /** Whom it counts for. */
  readonly account: CallerAccount
  /** What is remembered for it; undefined where that lasts for one request. */
  readonly held?: HeldBytes | undefined
  readonly record: SessionRecord
  readonly codec: Codec
  /** What the client was told this server can do. */
  readonly declared: ServerCapabilities
  /** Since when, by the clock of this process. */
  readonly openedAt: number
  /** Questions asked here have higher numbers. */
  readonly lastQuestion: number
}

/**
 * One caller over HTTP: many requests and streams, one after the other and at once. What is going on is made when it is
 * needed and let go when it is over, so that an idle session is little more than its facts. A class, against our habit,
 * because there are many of these: getters in an object literal give each object a shape, and functions, of its own.
 */
export class HttpSession implements AnswerOwner {
  readonly id: string | undefined
  readonly account: CallerAccount
  /** Among those that last for one request. */
  place = -1
  readonly codec: Codec
  readonly openedAt: number
  /** Changes with every request. */
  usedAt: number
  /** When its facts were last read from where all processes see them. */
  readAt: number
  /** When they were last written there. */
  writtenAt: number
  /** Its requests name another revision than was agreed on, and that was reported. */
  hasStrayed = false
  private readonly held: HeldBytes | undefined
  private known: SessionRecord
  private readonly service: SharedService
  private readonly declared: ServerCapabilities
  private lastQuestion: number
  private client: Caller['client'] | undefined
  /** Followed by the client as another process knows it; nothing is watched here for these. */
  private followedElsewhere: ReadonlySet<string> | undefined
  private ownSession: Session | undefined
  private ownCalls: CallsInFlight | undefined
  private ownQuestions: Questions | undefined
  private ownStreams: SessionStreams | undefined
  private ownAnswers: ShortLivedList<HttpAnswer> | undefined

  constructor(options: HttpSessionOptions) {
    const { service, id, record, codec, declared, openedAt, lastQuestion } = options
    const now = service.clock.now()
    this.id = id
    this.account = options.account
    this.held = options.held
    this.codec = codec
    this.openedAt = openedAt
    this.usedAt = now
    this.readAt = now
    this.writtenAt = now
    this.known = record
    this.service = service
    this.declared = declared
    this.lastQuestion = lastQuestion
  }

  get record(): SessionRecord {
    return this.known
  }

  get facts(): SessionFacts {
    return this.known.facts
  }

  /** Whom it belongs to; nobody else may use it. */
  get principal(): string {
    return this.known.facts.principal
  }

  /** The client has said `notifications/initialized`. */
  get isReady(): boolean {
    return this.known.facts.isReady
  }

  /** Its streams can be let go of while the work goes on. */
  get canPoll(): boolean {
    return this.id !== undefined && this.service.log !== undefined && this.codec.has.polling
  }

  get session(): Session {
    if (this.ownSession) return this.ownSession
    const { clock, limits, onError } = this.service
    const { clientInfo, capabilities, logLevel } = this.facts
    const hello = { capabilities, ...(clientInfo && { clientInfo }) }
    this.ownSession = createSession({
      greeting: { hello, codec: this.codec, declared: this.declared },
      auth: undefined, // every request brings its own
      isLocal: false,
      sessionId: this.id,
      countedAs: this.id === undefined ? this.principal : undefined,
      client: this.client,
      logLevel,
      clock,
      limits,
      onError,
      isReady: () => this.isReady,
      keepTime: this.service.keepTime,
      held: this.held,
    })
    this.client = this.ownSession.client // the same object for as long as the session lasts
    return this.ownSession
  }

  get calls(): CallsInFlight {
    const { definition, clock, limits } = this.service
    this.ownCalls ??= new CallsInFlight(definition, clock, limits)
    return this.ownCalls
  }

  get streams(): SessionStreams {
    if (this.ownStreams) return this.ownStreams
    const { clock, settings, releaseAfter, log, limits, trace, onError } = this.service
    const { keepAliveMs, replay } = settings
    this.ownStreams = createSessionStreams({
      rules: { clock, keepAliveMs, releaseAfter: this.canPoll ? releaseAfter : undefined },
      sessionId: this.id,
      log,
      replay: replay === false ? { events: 0, bytes: 0 } : replay,
      bufferedBytes: limits.bufferedBytes,
      hasPriming: this.codec.has.polling,
      trace,
      onError,
    })
    return this.ownStreams
  }

  /** Answers still to be given, which an end of the session must not leave waiting. */
  get answers(): ShortLivedList<HttpAnswer> {
    this.ownAnswers ??= new ShortLivedList()
    return this.ownAnswers
  }

  /** Questions of ours the client has not answered yet. */
  get pending(): Pick<PendingRequests, 'resolve' | 'reject' | 'progress'> {
    return this.questions
  }

  private get questions(): Questions {
    this.ownQuestions ??= createQuestions(this.service.clock, this.lastQuestion)
    return this.ownQuestions
  }

  countCalls(): number {
    return this.ownCalls?.count ?? 0
  }

  countStreams(): number {
    return this.ownStreams?.countOpen() ?? 0
  }

  /** See `CallRunner`. */
  timeOut(now: number): number {
    return this.ownCalls?.timeOut(now) ?? Infinity
  }

  /** Somebody waits for an answer or reads a stream. */
  isBusy(): boolean {
    return this.countCalls() > 0 || this.countStreams() > 0
  }

  /** A request with this id is being worked on. */
  isWorkingOn(id: RequestId): boolean {
    return this.ownCalls?.has(id) ?? false
  }

  /** Asks on the stream of a call, and takes the question back there if nobody waits for it any more. */
  ask(
    stream: EventStream,
    method: string,
    params: JsonObject | undefined,
    options: PendingOptions,
  ): Promise<JsonObject> {
    return this.questions.ask(stream, method, params, options)
  }

  get detachedMs(): number {
    return this.service.settings.detachedMs
  }

  createStream(events: StreamEvents): EventStream {
    return this.streams.create(events)
  }

  statusOf(error: WireError): number {
    return statusOf(error)
  }

  cancel(id: RequestId, why: string): void {
    this.calls.cancel(id, why)
  }

  /** Whether a reader that has this event can go on from it. */
  async knows(streamId: string, sequence: number): Promise<boolean> {
    const { id } = this
    if (id === undefined) return false
    const page = await this.service.log?.read({ sessionId: id, streamId }, sequence, 1)
    return page !== undefined
  }

  /** Takes over what is known elsewhere. */
  adopt(record: SessionRecord): void {
    const before = this.facts
    this.known = record
    this.readAt = this.service.clock.now()
    if (before === record.facts) return
    const { logLevel, subscriptions } = record.facts
    if (logLevel !== undefined) this.ownSession?.setLogLevel(logLevel)
    if (before.subscriptions === subscriptions) return
    const own = this.ownSession?.subscriptions
    const others = subscriptions.filter((uri) => !own?.has(uri))
    this.followedElsewhere = others.length === 0 ? undefined : new Set(others)
    const kept = new Set(subscriptions)
    const dropped = before.subscriptions.filter((uri) => !kept.has(uri) && own?.delete(uri))
    unsubscribeAll(this.service.definition, { subscriptions: new Set(dropped), held: this.held })
  }

  tellChange(change: ServerChange): void {
    if (!this.isReady || this.ownStreams === undefined) return
    if (change.type === 'resource') {
      if (!this.follows(change.uri)) return
      const params = { uri: change.uri }
      this.tell({ jsonrpc: '2.0', method: 'notifications/resources/updated', params })
    } else if (this.declared[change.type]?.listChanged) {
      this.tell({ jsonrpc: '2.0', method: `notifications/${change.type}/list_changed` })
    }
  }

  private follows(uri: string): boolean {
    return this.ownSession?.subscriptions.has(uri) || this.followedElsewhere?.has(uri) || false
  }

  /** On a stream that belongs to no call; dropped where there was never one. */
  tell(message: object): void {
    this.ownStreams?.tell(JSON.stringify(message))
  }

  /** Closes every reader with a hint when to come back. */
  releaseReaders(retryMs: number): void {
    this.ownStreams?.release(retryMs)
  }

  /** Undefined if there is nothing to wait for. */
  drain(deadlineMs: number): Promise<DrainReport> | undefined {
    return this.ownCalls?.drain(deadlineMs)
  }

  /** Lets go of what was needed for things that are over; true if nothing is going on. */
  rest(): boolean {
    this.ownStreams?.sweep()
    if (this.countCalls() > 0 || (this.ownAnswers?.size ?? 0) > 0) return false
    this.ownCalls = undefined
    this.ownAnswers = undefined
    if (this.ownQuestions?.count() === 0) {
      this.lastQuestion = this.ownQuestions.last
      this.ownQuestions[Symbol.dispose]()
      this.ownQuestions = undefined
    }
    if (this.ownStreams?.isIdle()) this.ownStreams = undefined
    if (!this.ownSession?.isFollowing) this.ownSession = undefined
    return this.ownStreams === undefined && this.ownSession === undefined
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
    const { id, service } = this
    if (id === undefined) return
    void afterStore(
      () => service.log?.dropSession(id),
      () => undefined,
      (error) => service.onError(error, { severity: 'warning', operation: 'event log' }),
    )
  }

  private stop(code: 'overloaded' | 'session_not_found', why: string): void {
    this.ownCalls?.abortAll('session', why)
    this.ownQuestions?.rejectAll(new McpError('cancelled', why, { details: { by: 'session' } }))
    this.ownQuestions?.[Symbol.dispose]()
    for (const answer of this.ownAnswers ?? []) answer.giveUp(new RpcError(code, why))
    this.ownAnswers = undefined
    if (this.ownSession?.isFollowing) unsubscribeAll(this.service.definition, this.ownSession)
    this.held?.close()
  }
}
