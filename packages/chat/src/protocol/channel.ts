/** What crosses the one WebSocket between page and service. */

import type { CatalogueEntry, CatalogueFound } from '@parley/foundation/catalogue'
import type { TraceRecord } from '@parley/foundation/trace'
import type {
  AttachedResource,
  ContextMeter,
  ServerAccount,
  TurnEvent,
  TurnInput,
} from '@parley/host'
import type { ModelContent, ModelMessage } from '@parley/host/models'
import type { PromptMessage } from '@parley/mcp'
import type { AppPage } from '@parley/mcp/apps'

import type { ChatAnswer, ChatQuestion } from '../chat.ts'
import type { RegistryReview } from '../core/catalogue.ts'
import type { FoundFile, FoundModel, CustomEntry } from '../core/found.ts'
import type { TitleSource } from '../core/open-chat.ts'
import type { ConversationSummary, ConversationVersion } from '../store/conversation-store.ts'
import type {
  ContextMode,
  ConversationView,
  PermissionView,
  ServerView,
  SignInPage,
  State,
} from './views.ts'

type Nothing = Record<never, never>

/** An entry of a registry that was picked, with answers to its questions. */
interface CatalogueParams {
  name: string
  version: string
  /** The title of one of its plans. */
  plan: string
  answers: { readonly [id: string]: string }
  /** The name of the server. */
  as: string
  registry?: string | undefined
}

/** Everything the page may ask, by name: what it sends and what it gets. */
export interface Methods {
  'state/get': { params: Nothing; result: State }

  /** Newest first. */
  'conversations/list': {
    params: {
      search?: string | undefined
      before?: { changedAt: number; id: string } | undefined
    }
    result: readonly ConversationSummary[]
  }
  'conversations/create': { params: { model?: string | undefined }; result: ConversationSummary }
  'conversations/open': { params: { id: string }; result: ConversationView }
  'conversations/change': {
    params: { id: string; title?: string | undefined; model?: string | undefined }
    result: ConversationSummary
  }
  'conversations/remove': { params: { id: string }; result: Nothing }
  'conversations/fork': { params: { id: string; turns: number }; result: ConversationSummary }
  /** A new version without that turn and those after it; they stay in the other version. */
  'conversations/revise': { params: { id: string; turn: number }; result: ConversationSummary }
  'conversations/versions': { params: { id: string }; result: readonly ConversationVersion[] }
  /** All of them in one file. */
  'conversations/export-all': {
    params: { format: 'markdown' | 'json' }
    result: { name: string; text: string }
  }
  /** Those that run are stopped first. */
  'conversations/remove-all': { params: Nothing; result: Nothing }
  'conversations/export': {
    params: { id: string; format: 'markdown' | 'json' }
    result: { name: string; text: string }
  }

  /** Begins a turn; what happens comes as events. */
  'turns/say': {
    params: { conversation: string; input: TurnInput; mode?: ContextMode | undefined }
    result: Nothing
  }
  'turns/stop': { params: { conversation: string }; result: Nothing }

  'questions/answer': { params: { id: string; answer: ChatAnswer }; result: { isUsed: boolean } }

  'servers/restart': { params: { name: string }; result: Nothing }
  'servers/stop': { params: { name: string }; result: Nothing }
  'servers/remove': { params: { name: string }; result: Nothing }
  /** Begins a sign-in: the page where the person signs in. How it ends comes as an event. */
  'servers/sign-in': { params: { name: string }; result: SignInPage }
  /** Forgets the tokens of a server; what an issuer did not revoke, in words. */
  'servers/sign-out': { params: { name: string }; result: { readonly remarks: readonly string[] } }
  /** The servers that somebody is signed in to, and what was granted for each. */
  'accounts/list': { params: Nothing; result: readonly ServerAccount[] }
  'tools/enable': {
    params: { server: string; tool: string; isEnabled: boolean }
    result: Nothing
  }
  /** The page of an app. */
  'apps/read': { params: { server: string; uri: string }; result: AppPage }
  /** Calls a tool for an app of the same server, once consent allows it. `app` stands for the frame it is shown in. */
  'apps/call': {
    params: { app: string; server: string; tool: string; arguments: { [name: string]: unknown } }
    result: { [name: string]: unknown }
  }
  /** Reads a resource for an app of the same server, which a person has allowed. */
  'apps/resource': {
    params: { server: string; uri: string }
    result: { [name: string]: unknown }
  }
  /** What an app wants the model to know with the next thing that is said; replaces what it wanted before. */
  'apps/context': {
    params: {
      conversation: string
      server: string
      /** The address of the app's page. */
      app: string
      content?: readonly ModelContent[]
      structuredContent?: { [name: string]: unknown }
    }
    result: Nothing
  }
  /** The app is no longer shown: its questions are withdrawn, and its calls cancelled. */
  'apps/end': { params: { app: string }; result: Nothing }
  /** The messages of a prompt, to look at before they go to the model. */
  'prompts/get': {
    params: { server: string; name: string; arguments: { [name: string]: string } }
    result: { messages: readonly ModelMessage[]; shown: readonly PromptMessage[] }
  }
  /** Values for an argument of a prompt, or for a gap of a resource template. */
  complete: {
    params: {
      server: string
      reference: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string }
      name: string
      value: string
      others: { [name: string]: string }
    }
    result: { values: readonly string[]; hasMore: boolean }
  }
  /** The address of a resource template with its gaps filled. */
  'templates/expand': {
    params: { template: string; values: { [name: string]: string } }
    result: { uri: string }
  }
  /** What was answered to questions about calls, beyond one call. */
  'permissions/list': { params: Nothing; result: readonly PermissionView[] }
  'permissions/revoke': { params: { id: string }; result: Nothing }
  /** What was attached to a conversation since the chat began, and whether it has changed. */
  'attached/list': { params: { conversation: string }; result: readonly AttachedResource[] }
  /** Does not follow it any more. */
  'attached/remove': {
    params: { conversation: string; server: string; uri: string }
    result: readonly AttachedResource[]
  }
  /** What is wrong with folders that servers are told of, by folder; nothing for those that are fine. */
  'roots/check': { params: Nothing; result: { readonly [root: string]: string } }
  /** The folders that servers are told of. */
  'roots/set': { params: { roots: readonly string[] }; result: { roots: readonly string[] } }

  /** What crossed the connections of servers; secrets masked. */
  'trace/page': {
    params: { after: number; limit: number }
    result: { records: readonly TraceRecord[]; first: number; last: number }
  }
  'trace/clear': { params: Nothing; result: Nothing }

  'setup/servers': { params: Nothing; result: readonly FoundFile[] }
  'setup/models': { params: Nothing; result: readonly FoundModel[] }
  /** What was shown of each is agreed to; another command is not started. */
  'setup/add-servers': {
    params: { file: string; servers: readonly { name: string; shown: string }[] }
    result: Nothing
  }
  /** Searches a registry: the one that is named, or the usual one. */
  'catalogue/search': {
    params: { text: string; registry?: string | undefined }
    result: CatalogueFound
  }
  /** One version of an entry, and what it asks. */
  'catalogue/read': {
    params: { name: string; version: string; registry?: string | undefined }
    result: CatalogueEntry
  }
  /** What adding an entry would do. */
  'catalogue/review': { params: CatalogueParams; result: RegistryReview }
  /** Adds an entry; `shown` is what was agreed to. */
  'catalogue/add': { params: CatalogueParams & { shown: string }; result: Nothing }
  'setup/add-own': { params: { name: string; entry: CustomEntry }; result: Nothing }
  'setup/use-model': {
    params: { name: string; baseUrl?: string | undefined }
    result: { models: readonly string[] }
  }
  /** Who names new conversations. */
  'setup/titles': { params: { titles: TitleSource }; result: Nothing }
  'setup/finish': { params: Nothing; result: Nothing }
}

/** Everything the service tells by itself. */
export interface Events {
  'turn/begun': { conversation: string; input: TurnInput; startedAt: number }
  'turn/event': { conversation: string; event: TurnEvent; at: number }
  'questions/changed': { questions: readonly ChatQuestion[] }
  'conversations/changed': { changed: ConversationSummary | { removed: string } }
  /** At most ten times a second. */
  'servers/changed': {
    servers: readonly ServerView[]
    models: readonly string[]
    meter: ContextMeter
  }
  /** A resource that was attached somewhere has changed, or is what it was again. */
  'attached/changed': { server: string; uri: string }
  'servers/signed-in': { name: string; error?: string | undefined }
  /** In batches, at most ten a second. */
  'trace/records': { records: readonly TraceRecord[] }
}

/** The WebSocket subprotocol. */
export type ChannelProtocol = 'parley.chat.1'
