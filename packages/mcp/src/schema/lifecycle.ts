import type { ClientCapabilities, ServerCapabilities } from './capabilities.ts'
import type { Implementation, MetaObject } from './metadata.ts'
import type { RequestMeta } from './progress.ts'

/** What `initialize` says: who calls, in which revision, and what it can be asked. */
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
