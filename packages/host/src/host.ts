import type {
  CallToolResult,
  GetPromptResult,
  Prompt,
  Resource,
  ResourceTemplate,
} from '@parley/mcp'

import type { ElicitationSettings } from './brokers/elicitation.ts'
import type { SamplingSettings } from './brokers/sampling.ts'
import type { CodeModeOptions } from './code/code-mode.ts'
import type { ServerConnection } from './connections/connection.ts'
import type { ServerAccount } from './connections/host-account.ts'
import type { HostServer, HostSignInOptions } from './connections/host-server.ts'
import type { ServerFeatures } from './connections/server-features.ts'
import type { ServerStatus } from './connections/server-status.ts'
import type { Consent } from './consent/consent.ts'
import type { AttachedResource } from './context/attached-resources.ts'
import type { ContextMeter } from './context/meter.ts'
import type { ContextOptions } from './context/tool-selection.ts'
import type { Model, ModelMessage } from './models/model.ts'
import type { HostObserver } from './observing/host-observer.ts'
import type { AppCall } from './tools/call-for-app.ts'
import type { ToolRegistry } from './tools/tool-registry.ts'
import type { Conversation, TurnChoice, TurnOptions } from './transcript/conversation.ts'
import type { Transcript, TranscriptStore } from './transcript/transcript.ts'
import type { HostLimits } from './turn/limits.ts'
import type { TurnEvent } from './turn/turn-event.ts'
import type { Attachment, TurnInput } from './turn/turn-input.ts'

/** Time limits for the servers of a host, in milliseconds. */
export interface HostTimeouts {
  /** How long the first request to the model waits for servers. @defaultValue 4_500 */
  readonly startMs?: number | undefined
  /** How long the command of a server may take to end before it gets SIGTERM, and as long again to SIGKILL. @defaultValue 2_000 */
  readonly stopMs?: number | undefined
}

/** The options of a host. */
export interface HostOptions {
  /** Each name once. */
  readonly servers: readonly HostServer[]
  /** The model that turns ask. */
  readonly model: Model
  /** Decides about every call; nothing is called without it. */
  readonly consent: Consent
  /** Limits of turns, calls and results; see {@link HostLimits} for each default. */
  readonly limits?: HostLimits | undefined
  /** Instructions for the model, before everything else. */
  readonly instructions?: string | undefined
  /** The tools that the model gets. */
  readonly context?: ContextOptions | undefined
  /** The model writes programs that call tools, each call decided like any other. Needs `@parley/code`. @defaultValue false */
  readonly codeMode?: boolean | CodeModeOptions | undefined
  /** The folders that servers get as roots. They guide a server; they do not confine it. */
  readonly roots?: readonly string[] | undefined
  /** Folders that are never shared with a server, nor anything within. @defaultValue those where keys are kept, such as `~/.ssh` */
  readonly excludedRoots?: readonly string[] | undefined
  /** Where transcripts are kept. @defaultValue nowhere */
  readonly store?: TranscriptStore | undefined
  /** Time limits for starting and stopping servers. Those of calls are `limits`. */
  readonly timeouts?: HostTimeouts | undefined
  /** The name and version that servers get. */
  readonly info?: { readonly name: string; readonly version: string } | undefined
  /** Servers that change their state, and notices, also outside of turns. */
  readonly onEvent?: ((event: TurnEvent) => void) | undefined
  /** Watches turns, requests to the model and every request to a server, for telemetry. */
  readonly observer?: HostObserver | undefined
  /** Tells servers that apps are shown, whose calls go to {@link Host.callForApp}. @defaultValue false */
  readonly apps?: boolean | undefined
  /** Shows questions of servers to the user. Without it, the host does not declare elicitation. */
  readonly elicitation?: ElicitationSettings | undefined
  /** How requests of servers to the model are handled. Without it they learn that there is no model. */
  readonly sampling?: SamplingSettings | undefined
}

/** A server as it is now. */
export interface HostServerView extends ServerFeatures {
  /** The name in the configuration. */
  readonly name: string
  /** Where it stands now. */
  readonly status: ServerStatus
}

/** Something of a server. */
export type FromServer<Item> = Item & {
  /** The name of the server it belongs to. */
  readonly server: string
}

/** Many servers for one model. */
export interface Host extends AsyncDisposable {
  /** The servers and where each stands. */
  readonly servers: readonly HostServerView[]
  /** The tools of all servers. */
  readonly tools: ToolRegistry
  /** The prompts of all servers. */
  readonly prompts: readonly FromServer<Prompt>[]
  /** The resources of all servers. */
  readonly resources: readonly FromServer<Resource>[]
  /** The URI templates of all servers. */
  readonly templates: readonly FromServer<ResourceTemplate>[]

  /** A turn of the host's own conversation. */
  turn(input: TurnInput, options?: TurnOptions): AsyncIterable<TurnEvent>
  /** Begins a conversation, or continues one from a transcript. */
  conversation(from?: Transcript): Conversation

  /** Starts every server now instead of at the first turn; resolves when each is there, has failed, or is late. */
  start(): Promise<void>
  /** Ends one server. It is started again when it is needed. */
  stop(server: string): Promise<void>
  /** Stops one server and starts it again. Never rejects: its status shows the result. */
  restart(server: string): Promise<void>
  /** Signs in to a server that wants it, and connects again. Rejects with the reason if that did not work. */
  signIn(server: string, options: HostSignInOptions): Promise<void>
  /** The servers that the user is signed in to, and the grants for each. */
  accounts(): Promise<readonly ServerAccount[]>
  /** Forgets the tokens of a server and connects again without them. Resolves with what an issuer did not revoke, in words. */
  signOut(server: string): Promise<readonly string[]>
  /** One server more, under a name of its own. It joins running turns; before the first turn it is not started. */
  addServer(server: HostServer): void
  /** Ends a server for good. Its tools are gone at once, and calls of it that run now fail. */
  removeServer(name: string): Promise<void>
  /** Replaces the folders of servers without their own. */
  setRoots(roots: readonly string[]): Promise<void>

  /** Calls a tool for an app of the same server, once consent allows it. Rejects with the reason if it was not called. */
  callForApp(call: AppCall): Promise<CallToolResult>
  /** Estimates the share of the context that servers take, for another model or mode if one is named. */
  meter(choice?: TurnChoice): ContextMeter
  /** The messages of a prompt, to look at and to put into a turn. */
  prompt(
    server: string,
    name: string,
    args?: { readonly [name: string]: string },
  ): Promise<{ readonly messages: readonly ModelMessage[]; readonly result: GetPromptResult }>
  /** The resources attached to a conversation since the host began, and whether they have changed since. Changes are reported to `onEvent`. */
  attached(conversation: string): readonly AttachedResource[]
  /** Stops watching it. The content that the model got stays in the conversation. */
  detach(conversation: string, attachment: Attachment): void
  /** The connection of a server, for what the host has no word for. */
  connection(server: string): ServerConnection

  /** Ends every server and every turn. Disposing is the same. */
  close(): Promise<void>
}
