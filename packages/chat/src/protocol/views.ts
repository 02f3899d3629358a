/** What the page shows, as plain JSON. */

import type { ContextMeter, ServerState, Transcript, TurnEvent, TurnInput } from '@parley/host'
import type { Prompt, Resource, ResourceTemplate } from '@parley/mcp'

import type { ChatQuestion, SayOptions } from '../chat.ts'
import type { TitleSource } from '../core/open-chat.ts'
import type { ConversationSummary } from '../store/conversation-store.ts'

/** A server in the list on the left. */
export interface ServerView {
  readonly name: string
  readonly title?: string | undefined
  readonly state: ServerState
  /** Why it is not ready. */
  readonly error?: string | undefined
  readonly instructions?: string | undefined
  readonly tools: readonly ToolView[]
  readonly prompts: readonly Prompt[]
  readonly resources: readonly Resource[]
  readonly templates: readonly ResourceTemplate[]
  /** Whether it completes arguments. */
  readonly canComplete: boolean
  /** Whether somebody can sign in to it here. */
  readonly canSignIn: boolean
}

/** Where somebody signs in to a server. It is opened by them, never by itself. */
export interface SignInPage {
  readonly url: string
  readonly host: string
  /** What is odd about the address. */
  readonly warnings: readonly string[]
}

/** An answer that counts beyond one call. */
export interface PermissionView {
  readonly id: string
  readonly decision: 'allow' | 'deny'
  readonly server: string
  /** Without one it is about all tools of the server. */
  readonly tool?: string | undefined
  readonly duration: 'session' | 'always'
  /** When, as an ISO date. */
  readonly at: string
}

/** A tool, for the list of a server and for mentions. */
export interface ToolView {
  /** As the server names it. */
  readonly name: string
  /** As models and mentions name it. */
  readonly mention: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly isEnabled: boolean
  /** The page that shows its results. */
  readonly appUri?: string | undefined
}

/** A turn that runs, for a page that was opened in the middle of it. */
export interface RunningView {
  readonly input: TurnInput
  readonly startedAt: number
  readonly events: readonly TurnEvent[]
}

/** One conversation with all that is in it. */
export interface ConversationView {
  readonly summary: ConversationSummary
  readonly entries: Transcript['entries']
  readonly running?: RunningView | undefined
}

/** Which tools a model is told of. */
export type ContextMode = NonNullable<SayOptions['context']>

/** Everything, once after connecting; events keep it current. */
export interface State {
  readonly version: string
  /** The first is used unless a conversation has its own. */
  readonly models: readonly string[]
  readonly servers: readonly ServerView[]
  readonly questions: readonly ChatQuestion[]
  readonly conversations: readonly ConversationSummary[]
  /** Conversations with a running turn. */
  readonly busy: readonly string[]
  readonly meter: ContextMeter
  readonly roots: readonly string[]
  /** Nothing was chosen yet: servers, folder, model. */
  readonly isFirstRun: boolean
  /** Whether servers and models can be chosen in the page. */
  readonly canSetUp: boolean
  /** Whether servers of a registry can be added in the page. */
  readonly canBrowse: boolean
  /** Who names new conversations. */
  readonly titles: TitleSource
  /** Whether servers can be written to the user's own configuration. */
  readonly canAddCustom: boolean
  /** The folder it was started in. */
  readonly folder: string
  /** Where apps of servers are shown: a port on the name of the page. */
  readonly sandboxPort?: number | undefined
}
