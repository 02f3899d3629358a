import {
  clientCapabilities,
  serverCapabilities,
  type ClientCapabilities,
  type ServerCapabilities,
} from './capabilities.ts'
import * as s from './check.ts'
import { implementation, type Implementation, type MetaObject, optionalMeta } from './metadata.ts'
import { cacheShape } from './pagination.ts'
import { type RequestMeta, optionalRequestMeta } from './progress.ts'

/** Params of `initialize`: the client, the revision, and the client's capabilities. */
export interface InitializeRequestParams {
  /** The newest revision the client speaks; a server may counter with another. */
  readonly protocolVersion: string
  readonly capabilities: ClientCapabilities
  readonly clientInfo: Implementation
  readonly _meta?: RequestMeta
}

/** The answer to `initialize`. */
export interface InitializeResult {
  /** The revision of this session, if the client speaks it. */
  readonly protocolVersion: string
  readonly capabilities: ServerCapabilities
  readonly serverInfo: Implementation
  /** For the model: how to use this server. */
  readonly instructions?: string
  readonly _meta?: MetaObject
}

/** Params of a request that says nothing more. */
export interface EmptyRequestParams {
  readonly _meta?: RequestMeta
}

/** Params of a notification that says nothing more. */
export interface EmptyNotificationParams {
  readonly _meta?: MetaObject
}

/** An answer that says only: done. */
export interface EmptyResult {
  readonly _meta?: MetaObject
}

/** Params of `initialize`. */
export const initializeParams = s.object<InitializeRequestParams>({
  protocolVersion: s.string,
  capabilities: clientCapabilities,
  clientInfo: implementation,
  _meta: optionalRequestMeta,
})

/** Result of `initialize`. */
export const initializeResult = s.object<InitializeResult>({
  protocolVersion: s.string,
  capabilities: serverCapabilities,
  serverInfo: implementation,
  instructions: s.optional(s.string),
  _meta: optionalMeta,
})

/** Params of `ping` and `roots/list`. */
export const emptyRequestParams = s.object<EmptyRequestParams>({ _meta: optionalRequestMeta })

/** Params of `notifications/initialized` and of every `…/list_changed`. */
export const emptyNotificationParams = s.object<EmptyNotificationParams>({
  _meta: optionalMeta,
})

/** Result of `ping`, `logging/setLevel`, `resources/subscribe` and `resources/unsubscribe`. */
export const emptyResult = s.object<EmptyResult>({ _meta: optionalMeta })

/** The answer to `server/discover`: what the server speaks and offers. Who it is stands in `_meta`. */
export interface DiscoverResult {
  /** May name revisions that are spoken by `initialize` only. */
  readonly supportedVersions: readonly string[]
  readonly capabilities: ServerCapabilities
  /** For the model: how to use this server. */
  readonly instructions?: string
  /** How long the answer may be kept. */
  readonly ttlMs?: number
  /** Whether it may be kept for others too. */
  readonly cacheScope?: 'public' | 'private'
  readonly _meta?: MetaObject
}

/** Result of `server/discover`. */
export const discoverResult = s.object<DiscoverResult>(
  s.fields(cacheShape, {
    supportedVersions: s.array(s.string),
    capabilities: serverCapabilities,
    instructions: s.optional(s.string),
    _meta: optionalMeta,
  }),
)

/** The id that a response repeats. Never null. */
export type RequestId = string | number

/** Params of `notifications/cancelled`: the response to this request is no longer needed. */
export interface CancelledNotificationParams {
  readonly requestId: RequestId
  /** For people. */
  readonly reason?: string
  readonly _meta?: MetaObject
}

/** Params of `notifications/cancelled`. */
export const cancelledParams = s.object<CancelledNotificationParams>({
  requestId: s.stringOrInteger,
  reason: s.optional(s.string),
  _meta: optionalMeta,
})
