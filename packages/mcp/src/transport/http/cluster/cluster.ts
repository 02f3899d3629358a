import type { MaybePromise } from '../../../rpc/promise.ts'
import type { JsonObject } from '../../../schema/json.ts'
import type { SingleUseSet } from '../../../server/input/request-state.ts'
import type { EventLog } from '../streams/event-log.ts'
import type { SessionRecords } from './records.ts'

/**
 * What several processes that serve one endpoint share, so that any of them takes any request of a session and resumes any
 * of its streams. `@parley/cluster` makes one from Redis, PostgreSQL or a parent process.
 */
export interface Cluster {
  /** The shared data of each session. */
  readonly sessions: SessionRecords
  /** The events of streams, kept for readers that reconnect. */
  readonly log: EventLog
  /** Names this process for as long as it runs: at most 40 letters and digits. One that is started again has another name. */
  readonly node: string
  /** How often a process looks for what it may have missed: a third of the time after which a silent process counts as lost. */
  readonly heartbeatMs: number
  /** The secrets that encrypt session ids and request states, at least one. The first encrypts, all decrypt. May change over time. */
  readonly secrets: () => readonly string[]
  /** How the processes reach each other. */
  readonly messages: ClusterMessages
  /** Values that may be used once, at whichever process. */
  readonly once: SingleUseSet
  /** Where figures go. @defaultValue none are collected */
  readonly metrics?: ClusterMetrics | undefined
  /** The part of the limits on calls and sessions that this process has, where all processes keep them together; absent where each has all of it. */
  readonly share?: (() => number) | undefined
  /** Resolves when what is shared can be reached. Calling it twice is calling it once. */
  start(): Promise<void>
  /** Leaves the cluster. Call it after draining. */
  close(): Promise<void>
  /** Whether this process is in touch with the others. */
  health(): ClusterHealth
}

/** From process to process: kept until they are heard, so that a process which was cut off for a while misses nothing. */
export interface ClusterMessages {
  /** To every process, this one too. Resolves when it can no longer get lost. */
  notify(message: JsonObject): MaybePromise<void>
  /** To one process. One that does not exist any more never hears it. */
  send(node: string, message: JsonObject): MaybePromise<void>
  /** Hears messages until it is disposed. */
  listen(listener: ClusterListener): Disposable
}

/** Hears messages in the order they were sent. One may come twice, if a process was cut off while it was told. */
export interface ClusterListener {
  /** A message has come. */
  receive(message: JsonObject): void
  /** Messages were lost: what they could have said must be looked up. */
  onGap(): void
}

/** For load balancers. */
export interface ClusterHealth {
  /** False for a process that the others may take for lost. */
  readonly isReady: boolean
  /** If it is not. */
  readonly why?: string
}

/** Receives events of an endpoint, to collect metrics of the cluster. */
export interface ClusterMetrics {
  /** A reader was cut off because it took too little. */
  readerCut(): void
  /** `count` is asked with every heartbeat: how many streams have a reader. */
  watchStreams(count: () => number): Disposable
}
