/** The messages between the page of a gateway and its service. */

import type { AuditEntry, AuditVerification } from '@parley/foundation/audit'
import type { ConfigProblem } from '@parley/foundation/config'
import type { TraceRecord } from '@parley/foundation/trace'
import type { JsonObject } from '@parley/mcp'

import type { Difference } from '../checks/pinning/differences.ts'
import type { UpstreamState } from '../upstreams/upstream-state.ts'
import type { MethodName, MethodParams } from './methods.ts'

/** The subprotocol of the WebSocket. */
export type PageProtocol = 'parley.gateway.1'

/** How much passes one place, over the last ten seconds; the times are of the last minute. */
export interface Metrics {
  readonly callsPerSecond: number
  readonly errorsPerSecond: number
  readonly inFlight: number
  /** Since somebody began to look. */
  readonly calls: number
  readonly errors: number
  readonly p50?: number | undefined
  readonly p99?: number | undefined
}

/** A process of a server. */
export interface ChildView {
  readonly pid: number
  readonly startedAt: number
  /** The memory of its whole process group; undefined if the system does not report it. */
  readonly memoryBytes?: number | undefined
}

/** One server behind the gateway. */
export interface ServerView {
  readonly name: string
  readonly state: UpstreamState
  readonly kind: 'command' | 'url'
  /** The command line or the address, secrets masked. */
  readonly where: string
  readonly mode: string
  /** The server's description of itself. */
  readonly info?: { readonly name: string; readonly version: string } | undefined
  readonly connections: number
  readonly maxConnections: number
  readonly counts: {
    readonly tools: number
    readonly prompts: number
    readonly resources: number
    readonly resourceTemplates: number
  }
  readonly metrics: Metrics
  readonly children: readonly ChildView[]
  /** Processes started so far. */
  readonly started: number
}

/** Somebody who calls. */
export interface CallerView {
  /** The caller, for people; with the program that they use. */
  readonly name: string
  readonly client: string
  readonly metrics: Metrics
}

/** A session of a client. */
export interface SessionView {
  readonly id: number
  readonly caller: string
  readonly client: string
  readonly revision: string
  readonly era: 'legacy' | 'modern'
  readonly transport: 'http' | 'stdio'
  readonly openedAt: number
  /** Undefined where nobody counts them. */
  readonly streams?: number | undefined
  readonly inFlight?: number | undefined
  readonly upstreams: readonly string[]
  readonly canClose: boolean
}

/** How everything is, once a second while somebody looks. */
export interface Overview {
  readonly at: number
  readonly gateway: Metrics & { readonly memoryBytes: number; readonly startedAt: number }
  readonly servers: readonly ServerView[]
  readonly callers: readonly CallerView[]
  readonly sessions: readonly SessionView[]
  /** All of them; `sessions` has the newest 500. */
  readonly sessionCount: number
  readonly warnings: readonly string[]
  readonly waiting: number
  readonly history: History
}

/** How long a time of the past. */
export type HistorySpan = MethodParams<'traffic/history'>['span']

/** Calls in steps of time, oldest first, as far as a page was open. */
export interface History {
  readonly stepSeconds: number
  readonly calls: readonly number[]
  readonly errors: readonly number[]
  /** 99 of 100 calls of the step were faster; null where there were none. */
  readonly p99: readonly (number | null)[]
}

/** The initial state of the page. */
export interface PageState {
  readonly version: string
  readonly file: string
  readonly url: string | null
  readonly has: {
    readonly policy: boolean
    readonly pinning: boolean
    readonly audit: boolean
    readonly keys: boolean
    readonly reload: boolean
  }
  /** Messages are recorded also while nobody looks. */
  readonly isRecording: boolean
  readonly overview: Overview
}

/** One definition as the server gives it, and what clients call it. */
export interface OfferedView {
  readonly kind: 'tool' | 'prompt' | 'resource' | 'resourceTemplate'
  readonly name: string
  readonly exposedName: string
  readonly definition: JsonObject
  /** Characters in it that do not show: one sentence each. */
  readonly warnings: readonly string[]
  /** Since somebody began to look; undefined for none. */
  readonly calls?: OfferCalls | undefined
}

/** Calls of one tool, prompt or resource. */
export interface OfferCalls {
  readonly count: number
  readonly errors: number
  readonly p99: number
}

/** A request that the policy is asked about. */
export type PolicyQuery = MethodParams<'policy/explain'>

/** The result of one rule. */
export interface RuleView {
  readonly rule: string
  readonly decision: 'allow' | 'deny'
  readonly when: string
}

/** A decision of the policy, and how it came about. */
export interface ExplanationView {
  readonly decision: 'allow' | 'deny'
  readonly rule: string
  readonly message: string
  /** The rules that were asked, in order. */
  readonly trace: readonly (RuleView & {
    readonly result: 'true' | 'false' | 'depends' | 'error'
    readonly error?: string | undefined
  })[]
}

/** A definition that waits for somebody to look at it. */
export interface WaitingView {
  readonly id: string
  readonly upstream: string
  readonly kind: string
  readonly name: string
  readonly reason: 'new' | 'changed'
  readonly since: string
  readonly isRejected: boolean
  readonly differences: readonly Difference[]
  readonly warnings: readonly string[]
  readonly after?: JsonObject | undefined
}

/** An API key as it may be shown. */
export interface KeyView {
  readonly id: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly created: string
  readonly expires?: string | undefined
  readonly revoked?: string | undefined
  readonly state: 'active' | 'expired' | 'revoked'
}

/** The changes that a reload makes to servers. */
export interface ServerChanges {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Started anew. */
  readonly changed: readonly string[]
}

/** Which entries of the audit are wanted. */
export type AuditFilter = MethodParams<'audit/page'>

/** The file as it is now, beside what the gateway runs with. */
export interface ConfigPreview {
  readonly problems: readonly ConfigProblem[]
  /** The changes that a reload would make to servers. */
  readonly servers: ServerChanges
  /** Where the file differs from the one that runs, secrets masked. */
  readonly differences: readonly Difference[]
  /** Keys that need a new start. */
  readonly needRestart: readonly string[]
}

/** What each method answers. */
interface Results {
  'state/get': PageState
  'servers/act': Record<never, never>
  'traffic/history': History
  'servers/offers': readonly OfferedView[]
  'children/stderr': { text: string }
  'sessions/close': Record<never, never>
  'trace/page': { records: readonly TraceRecord[]; first: number; last: number }
  'trace/clear': Record<never, never>
  'policy/explain': {
    call: ExplanationView
    list: ExplanationView
    /** A server lists it now. */
    isListed: boolean
    /** All of them; those after the one that decided were not asked. */
    rules: readonly RuleView[]
  }
  'quarantine/list': readonly WaitingView[]
  'quarantine/approve': Record<never, never>
  'quarantine/reject': Record<never, never>
  'audit/page': { entries: readonly AuditEntry[]; hasMore: boolean }
  'audit/verify': AuditVerification
  'keys/list': readonly KeyView[]
  'keys/create': { key: string; stored: KeyView }
  'keys/revoke': KeyView
  'config/get': { file: string; text: string; files: readonly string[] }
  'config/preview': ConfigPreview
  'config/apply': ServerChanges
}

/** Everything the page may ask, by name: what it sends and what it gets. */
export type Methods = {
  readonly [Name in MethodName]: { params: MethodParams<Name>; result: Results[Name] }
}

/** The events that the service sends. */
export interface Events {
  overview: Overview
  'trace/records': { records: readonly TraceRecord[] }
  /** Something waits that did not, or no longer does. */
  'quarantine/changed': Record<never, never>
}
