import type { CancelledNotificationParams } from './cancellation.ts'
import type { CompleteRequestParams, CompleteResult } from './completion.ts'
import type { ElicitRequestParams, ElicitWireResult } from './input/elicitation.ts'
import type { ListRootsResult } from './input/roots.ts'
import type { CreateMessageRequestParams, CreateMessageResult } from './input/sampling.ts'
import type { JsonObject } from './json/json.ts'
import type {
  EmptyNotificationParams,
  EmptyRequestParams,
  EmptyResult,
  InitializeRequestParams,
  InitializeResult,
} from './lifecycle.ts'
import type { LoggingMessageNotificationParams, SetLevelRequestParams } from './logging.ts'
import type { MetaObject } from './metadata.ts'
import type { PageParams } from './pagination.ts'
import type { ProgressNotificationParams } from './progress.ts'
import type { GetPromptRequestParams, GetPromptResult, ListPromptsResult } from './prompts.ts'
import type {
  ListResourceTemplatesResult,
  ListResourcesResult,
  ReadResourceRequestParams,
  ReadResourceResult,
  ResourceUpdatedNotificationParams,
  SubscribeRequestParams,
  UnsubscribeRequestParams,
} from './resources.ts'
import type { CallToolRequestParams, CallToolResult, ListToolsResult } from './tools.ts'

/** The operations middleware can wrap, with what goes in and what comes out. */
export interface Operations {
  'tools/list': { params: PageParams; result: ListToolsResult }
  'tools/call': {
    params: { name: string; arguments: JsonObject; _meta?: MetaObject }
    result: CallToolResult
  }
  'resources/list': { params: PageParams; result: ListResourcesResult }
  'resources/templates/list': { params: PageParams; result: ListResourceTemplatesResult }
  'resources/read': { params: { uri: string; _meta?: MetaObject }; result: ReadResourceResult }
  'prompts/list': { params: PageParams; result: ListPromptsResult }
  'prompts/get': {
    params: { name: string; arguments: { readonly [name: string]: string }; _meta?: MetaObject }
    result: GetPromptResult
  }
  'completion/complete': { params: CompleteRequestParams; result: CompleteResult }
}

/** The name of an operation middleware can wrap. */
export type Operation = keyof Operations

/** What a client may ask a server, in the revisions with `initialize`. */
export interface ClientRequests {
  ping: { params: EmptyRequestParams; result: EmptyResult }
  initialize: { params: InitializeRequestParams; result: InitializeResult }
  'completion/complete': { params: CompleteRequestParams; result: CompleteResult }
  'logging/setLevel': { params: SetLevelRequestParams; result: EmptyResult }
  'prompts/get': { params: GetPromptRequestParams; result: GetPromptResult }
  'prompts/list': { params: PageParams; result: ListPromptsResult }
  'resources/list': { params: PageParams; result: ListResourcesResult }
  'resources/templates/list': { params: PageParams; result: ListResourceTemplatesResult }
  'resources/read': { params: ReadResourceRequestParams; result: ReadResourceResult }
  'resources/subscribe': { params: SubscribeRequestParams; result: EmptyResult }
  'resources/unsubscribe': { params: UnsubscribeRequestParams; result: EmptyResult }
  'tools/call': { params: CallToolRequestParams; result: CallToolResult }
  'tools/list': { params: PageParams; result: ListToolsResult }
}

/** What a server may ask a client, in the revisions with `initialize`. */
export interface ServerRequests {
  ping: { params: EmptyRequestParams; result: EmptyResult }
  'sampling/createMessage': { params: CreateMessageRequestParams; result: CreateMessageResult }
  'roots/list': { params: EmptyRequestParams; result: ListRootsResult }
  'elicitation/create': { params: ElicitRequestParams; result: ElicitWireResult }
}

/** What a client may tell a server, in the revisions with `initialize`. */
export interface ClientNotifications {
  'notifications/cancelled': { params: CancelledNotificationParams }
  'notifications/progress': { params: ProgressNotificationParams }
  'notifications/initialized': { params: EmptyNotificationParams }
  'notifications/roots/list_changed': { params: EmptyNotificationParams }
}

/** What a server may tell a client, in the revisions with `initialize`. */
export interface ServerNotifications {
  'notifications/cancelled': { params: CancelledNotificationParams }
  'notifications/progress': { params: ProgressNotificationParams }
  'notifications/message': { params: LoggingMessageNotificationParams }
  'notifications/resources/updated': { params: ResourceUpdatedNotificationParams }
  'notifications/resources/list_changed': { params: EmptyNotificationParams }
  'notifications/tools/list_changed': { params: EmptyNotificationParams }
  'notifications/prompts/list_changed': { params: EmptyNotificationParams }
}
