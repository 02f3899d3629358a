import type { ClientCapabilities } from '../schema/capabilities.ts'
import type { Completion, CompletionReference } from '../schema/completion.ts'
import type { JsonObject } from '../schema/json.ts'
import type { LoggingLevel } from '../schema/logging.ts'
import type { Operation } from '../schema/methods/client-requests.ts'
import type { GetPromptResult, Prompt } from '../schema/prompts.ts'
import type { ReadResourceResult, Resource, ResourceTemplate } from '../schema/resources.ts'
import type { SubscriptionFilter } from '../schema/subscriptions.ts'
import type { AnyTools, ToolMap, Tool } from '../schema/tools.ts'
import type { ClientMiddleware } from './calls/middleware.ts'
import type { ServerDescription } from './connection/session.ts'
import type { RootsOption } from './input/roots.ts'
import type { PagedList } from './list.ts'
import type { CallOptions, Negotiated, ClientStatus, ToolCallOptions } from './options.ts'
import type { Subscription } from './subscriptions/changes.ts'
import type { WatchedLists, WatchOptions } from './subscriptions/watch-list.ts'
import type { ToolCallResult } from './tools/tools.ts'

/** One server, in use. */
export interface Client<Tools extends ToolMap<Tools> = AnyTools> extends AsyncDisposable {
  /** The server's description of itself, from when the connection was opened. */
  readonly server: ServerDescription
  /** The capabilities that this client has declared, from its handlers and options. */
  readonly capabilities: ClientCapabilities
  /** The revision and transport that were agreed on. */
  readonly negotiated: Negotiated
  /** Whether the client is connected, is reconnecting, or was closed. */
  readonly status: ClientStatus

  /** The tools of the server. `await` one page after another with `for await`, or call `toArray()`. */
  listTools(options?: CallOptions): PagedList<Tool>
  /** Calls a tool. Resolves also when the tool failed: look at `isError`, or pass the result to `toolOutput`. */
  callTool<N extends keyof Tools & string>(
    name: N,
    ...rest: Record<never, never> extends Tools[N]['input']
      ? [args?: Tools[N]['input'] | undefined, options?: ToolCallOptions]
      : [args: Tools[N]['input'], options?: ToolCallOptions]
  ): Promise<ToolCallResult<Tools[N]['output']>>

  /** The resources that the server lists. */
  listResources(options?: CallOptions): PagedList<Resource>
  /** The URI templates that the server lists. */
  listResourceTemplates(options?: CallOptions): PagedList<ResourceTemplate>
  /** Reads a resource by its URI, whether or not it is listed. */
  readResource(uri: string, options?: CallOptions): Promise<ReadResourceResult>

  /** The prompts of the server. */
  listPrompts(options?: CallOptions): PagedList<Prompt>
  /** Fills in a prompt. All its arguments are strings. */
  getPrompt(
    name: string,
    args?: { readonly [name: string]: string },
    options?: CallOptions,
  ): Promise<GetPromptResult>

  /**
   * Suggestions for an argument of a prompt or a variable of a URI template; `known` has the arguments that are filled
   * in already.
   */
  complete(
    ref: CompletionReference,
    argument: { readonly name: string; readonly value: string },
    options?: CallOptions & { readonly known?: { readonly [name: string]: string } | undefined },
  ): Promise<Completion>

  /** Changes as they happen, in every revision. Resolves once the server has acknowledged. */
  listen(filter: SubscriptionFilter, options?: CallOptions): Promise<Subscription>
  /** A whole list now, and again each time it has changed; several changes in short order count as one. */
  watch<Kind extends keyof WatchedLists>(
    kind: Kind,
    options?: WatchOptions,
  ): AsyncIterable<readonly WatchedLists[Kind][]>

  /** Replaces the roots, or what is asked for them, and says so where the revision can. @deprecated since 2026-07-28 (SEP-2577) */
  setRoots(roots: RootsOption): Promise<void>
  /** From now on, for this client. @deprecated since 2026-07-28 (SEP-2577) */
  setLoggingLevel(level: LoggingLevel, options?: CallOptions): Promise<void>
  /** The round trip in milliseconds; by `server/discover` where there is no `ping`. */
  ping(options?: CallOptions): Promise<number>
  /** Any request by its name, for extensions. */
  request(method: string, params?: object, options?: CallOptions): Promise<JsonObject>

  /** Wraps every outgoing operation, or one. The first added is the outermost. */
  use(middleware: ClientMiddleware): this
  /** Adds middleware to one operation. */
  use<O extends Operation>(operation: O, middleware: ClientMiddleware<O>): this

  /** Rejects what is pending with `closed`, ends the session, ends the child. Disposing is the same. */
  close(): Promise<void>
}
