/**
 * The call as handlers see it: `RequestContext`, with the functions to log, report progress, ask the client and cancel.
 *
 * A thin view: each member reads from the `Call` or its `Caller`. What a handler may do in which revision is decided where it is
 * done, such as in `input/`. `app` is the typed context of the author.
 */
import type { AuthInfo } from '../rpc/auth-info.ts'
import { markHandled } from '../rpc/promise.ts'
import type { ClientCapabilities } from '../schema/capabilities.ts'
import type {
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
  ElicitURLResult,
} from '../schema/input/elicitation.ts'
import type { Root } from '../schema/input/input.ts'
import type { CreateMessageRequestParams, CreateMessageResult } from '../schema/input/sampling.ts'
import type { LoggingLevel } from '../schema/logging.ts'
import type { Implementation, MetaObject } from '../schema/metadata.ts'
import type { Progress } from '../schema/progress.ts'
import type { Revision } from '../schema/revision.ts'
import type { InferOutput, Schema } from '../schema/standard-schema.ts'
import type { Task } from '../schema/tasks.ts'
import type { Call } from './calls/call.ts'
import type { Caller } from './calls/caller.ts'
import type { InputRequest } from './input/input-required.ts'
import { elicit, listRoots, sample } from './input/input.ts'
import { completeLink } from './input/url-elicitation.ts'

/** Data about a request, before any of your code runs. */
export interface IncomingRequest {
  /** The method, such as `tools/call`. */
  readonly operation: string
  /** The protocol revision of this request. */
  readonly revision: Revision
  /**
   * As the client describes itself; never a basis for trust. The same object for as long as a session lasts, so it can
   * be the key of a `WeakMap`.
   */
  readonly client: { readonly info?: Implementation; readonly capabilities: ClientCapabilities }
  /** Verified by the guard of the transport; absent without one, and for anonymous calls. */
  readonly auth?: AuthInfo
  /** Absent unless the request came over HTTP. */
  readonly http?: { readonly url: string; header(name: string): string | undefined }
  /** Absent without sessions. It identifies a session and never authorizes anything. */
  readonly sessionId?: string
  /** The request's `_meta`, trace context included. */
  readonly meta: MetaObject
  /** Aborts when nobody needs the result any more; the reason is an `McpError` with code `cancelled` that says why. */
  readonly signal: AbortSignal
}

/** Plus your own values: what `visible`, `list` and completers get. */
export interface RequestContext<App = unknown> extends IncomingRequest {
  /** The value that the `app` option of the server returned for this request. */
  readonly app: App
  /** Sends a log message to the client if it wants this level; in order, before the result. @deprecated since 2026-07-28 (SEP-2577) */
  log(level: LoggingLevel, data: unknown, logger?: string): void
  /** Throws `insufficient_scope` unless the caller has all of them. */
  requireScopes(scopes: readonly string[]): void
}

/** Plus everything a tool, resource or prompt handler may do while its caller waits. */
export interface Context<App = unknown> extends RequestContext<App> {
  /** Resolves when there is room to send more; never rejects. Does nothing if the client did not ask for progress. */
  progress(progress: Progress): Promise<void>

  /** Sends the user to a URL; `accept` means they agreed to open it, not that they finished there. */
  elicit(params: ElicitRequestURLParams, options?: InputOptions): Promise<ElicitURLResult>
  /** Asks the user to fill in a form; the accepted content has been checked against the schema. */
  elicit<S extends Schema>(
    params: ElicitRequestFormParams<S>,
    options?: InputOptions,
  ): Promise<ElicitResult<InferOutput<S>>>
  /**
   * Tells the client that the user has finished at a URL, whether or not the call is over. Once for each id; does nothing
   * for an id that this client was not sent, and where the revision has no such notification.
   */
  completeElicitation(elicitationId: string): void
  /** Asks the client's model. @deprecated since 2026-07-28 (SEP-2577) */
  sample(params: CreateMessageRequestParams, options?: InputOptions): Promise<CreateMessageResult>
  /** Asks for the client's roots. @deprecated since 2026-07-28 (SEP-2577) */
  listRoots(options?: InputRequestOptions): Promise<readonly Root[]>

  /** Does `work` once for this call, however often the handler is run again. Its result must survive JSON. */
  once<T>(key: string, work: () => T | Promise<T>): Promise<T>

  /** For handlers that return `inputRequired`: the answer of the previous round; undefined when there is none. */
  inputResponse<T>(key: string, request: InputRequest<T>): T | undefined
  /** For handlers that return `inputRequired`: what the previous round put into `requestState`, verified. */
  readonly requestState?: unknown

  /**
   * Closes the stream of this request while the work goes on; the client reconnects for the rest. Does nothing where the
   * revision or the transport cannot do that.
   */
  suspendStream(options?: { readonly retryMs?: number | undefined }): void
}

/** Options of one input request. */
export interface InputRequestOptions {
  /**
   * Names the question, so that code around it may change between rounds. Each name is for one question of a call.
   * @defaultValue its position among the questions of the call
   */
  readonly key?: string | undefined
}

/** Options of an input request that may take long. */
export interface InputOptions extends InputRequestOptions {
  /**
   * Lets the client work on the request as a task, which is polled here until it ends: no request stays open while a person
   * or a model takes its time. Needs a client of 2025-11-25 that declares it, and `serverTasks()` among the extensions;
   * everywhere else, and inside a task, a normal request is sent. The answer is the same.
   */
  readonly task?: AskedTask | undefined
}

/** Options of a task in the client. */
export interface AskedTask {
  /** How long the client is asked to keep it. @defaultValue as the client has it */
  readonly ttlMs?: number | undefined
  /** How long to wait for it; after that it is cancelled, and the request has failed. @defaultValue `limits.inputMs` */
  readonly waitMs?: number | undefined
  /** Called with each state that the client reports: when it creates the task, and at every poll. */
  readonly onStatus?: ((task: Task) => void) | undefined
}

/**
 * What handlers see of a call. A class for the same reason as `Call`. Its methods are getters that return closures, so
 * that handlers may destructure the context.
 */
export class CallContext implements Context {
  readonly call: Call
  readonly app: unknown

  constructor(call: Call, app: unknown) {
    this.call = call
    this.app = app
  }

  get operation(): string {
    return this.call.method
  }
  get revision(): Revision {
    return this.call.caller.codec.revision
  }
  get client(): Caller['client'] {
    return this.call.caller.client
  }
  get auth(): AuthInfo {
    return this.call.caller.auth as AuthInfo // optional in the interface: undefined without a guard
  }
  get http(): NonNullable<Caller['http']> {
    return this.call.caller.http as NonNullable<Caller['http']> // optional in the interface, as `auth`
  }
  get sessionId(): string {
    return this.call.caller.sessionId as string // optional in the interface, as `auth`
  }
  get meta(): MetaObject {
    return this.call.meta
  }
  get signal(): AbortSignal {
    return this.call.signal
  }

  get log(): Context['log'] {
    return (level, data, logger) => this.call.log(level, data, logger)
  }
  get requireScopes(): Context['requireScopes'] {
    return (scopes) => this.call.requireScopes(scopes)
  }
  get progress(): Context['progress'] {
    return (progress) => this.call.progress(progress)
  }
  get elicit(): Context['elicit'] {
    return ((
      params: ElicitRequestFormParams | ElicitRequestURLParams,
      options?: InputOptions,
    ): Promise<unknown> => markHandled(elicit(this.call, params, options))) as Context['elicit'] // one implementation behind two signatures
  }
  get completeElicitation(): Context['completeElicitation'] {
    return (elicitationId) => completeLink(this.call, elicitationId)
  }
  get sample(): Context['sample'] {
    return (params, options) => markHandled(sample(this.call, params, options))
  }
  get listRoots(): Context['listRoots'] {
    return (options) => markHandled(listRoots(this.call, options))
  }
  get once(): Context['once'] {
    return this.call.once
  }
  get inputResponse(): Context['inputResponse'] {
    return (key, request) => this.call.rounds?.response(key, request)
  }
  get requestState(): unknown {
    return this.call.rounds?.state
  }
  get suspendStream(): Context['suspendStream'] {
    return ({ retryMs } = {}) => this.call.caller.releaseStream(retryMs)
  }
}
