import type { OnError } from '../../rpc/errors/error-report.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import type { ServerLimits } from '../../rpc/server-limits.ts'
import type { Clock } from '../../rpc/time/clock.ts'
import type { JsonObject } from '../../schema/json/json.ts'
import type { LoggingLevel } from '../../schema/logging.ts'
import type { Codec } from '../../wire/codec.ts'
import type { Caller, CallerFacts, RequestLimits } from '../calls/caller.ts'
import type { CallerChannel } from './peer-channel.ts'
import type { Peer } from './peer.ts'

/**
 * The caller of requests of a session, on the channel they came by. A class, against our habit, because over HTTP one is made for every request: getters in an object literal give each
 * object a shape of its own, which cost a third of a request. What all requests share is read where it is.
 */
export class LegacyCaller implements Caller {
  readonly auth?: NonNullable<Caller['auth']>
  readonly http?: NonNullable<Caller['http']>
  readonly authorize?: NonNullable<Caller['authorize']>
  readonly sessionId?: string
  private readonly peer: Peer
  private readonly channel: CallerChannel

  constructor(peer: Peer, channel: CallerChannel, { auth, http, authorize }: CallerFacts) {
    const { sessionId } = peer
    if (auth !== undefined) this.auth = auth
    if (http !== undefined) this.http = http
    if (authorize !== undefined) this.authorize = authorize
    if (sessionId !== undefined) this.sessionId = sessionId
    this.peer = peer
    this.channel = channel
  }

  get codec(): Codec {
    return this.peer.codec
  }
  get client(): Caller['client'] {
    return this.peer.agreement.client
  }
  get declared(): Caller['declared'] {
    return this.peer.agreement.declared
  }
  get relay(): Caller['relay'] {
    return this.peer.agreement.relay
  }
  get countedAs(): Caller['countedAs'] {
    return this.peer.countedAs
  }
  get isLocal(): boolean {
    return this.peer.host.isLocal
  }
  get clock(): Clock {
    return this.peer.host.clock
  }
  get limits(): ServerLimits {
    return this.peer.host.limits
  }
  get onError(): OnError {
    return this.peer.host.onError
  }
  get held(): Caller['held'] {
    return this.peer.held
  }
  get subscriptions(): Set<string> {
    return this.peer.subscriptions
  }
  get keepTime(): Caller['keepTime'] {
    return this.peer.host.keepTime
  }
  get logLevel(): LoggingLevel {
    return this.peer.logLevel
  }
  get room(): Promise<void> | undefined {
    return this.channel.room()
  }

  setLogLevel(level: LoggingLevel): void {
    this.peer.logLevel = level
  }

  mayLog(): boolean {
    const mayLog = this.peer.mayLog() && this.hasSpace
    if (!mayLog) this.peer.reportDropped()
    return mayLog
  }

  /** A message is dropped only when nothing can hold it: a burst is no slow reader. */
  private get hasSpace(): boolean {
    return this.channel.hasSpace?.() ?? this.room === undefined
  }

  private get isReady(): boolean {
    return this.peer.isReady
  }

  /** Before `initialized` only log messages may be sent. */
  notify(method: string, params: object): void {
    if (this.isReady || method === 'notifications/message') this.send(method, params)
  }

  tell(method: string, params: object): void {
    if (!this.isReady) return
    if (!this.channel.tell) return this.send(method, params)
    this.channel.tell(method, this.codec.encodeParams(method, params) as JsonObject) // messages are JSON
  }

  async request(
    method: string,
    params: object | undefined,
    { timeoutMs, signal, onProgress }: RequestLimits,
  ): Promise<JsonObject> {
    if (!this.isReady) throw notReady(method)
    const limits = { idleMs: timeoutMs, totalMs: Infinity, limit: 'input', signal } as const
    const limited = onProgress === undefined ? limits : { ...limits, onProgress }
    return this.channel.request(method, params as JsonObject | undefined, limited) // messages are JSON
  }

  releaseStream(retryMs?: number): void {
    this.channel.release?.(retryMs)
  }

  private send(method: string, params: object): void {
    this.channel.notify(method, this.codec.encodeParams(method, params) as JsonObject) // messages are JSON
  }
}

function notReady(method: string): RpcError {
  const why = `${method}: the client has not sent notifications/initialized yet`
  return new RpcError('invalid_request', why)
}
