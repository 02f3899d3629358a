import {
  clientCapabilities,
  serverCapabilities,
  type ClientCapabilities,
  type ServerCapabilities,
} from './capabilities.ts'
import * as s from './check.ts'
import { implementation, type Implementation, type MetaObject, optionalMeta } from './metadata.ts'
import { type RequestMeta, optionalRequestMeta } from './progress.ts'

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
