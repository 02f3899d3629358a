import type { Implementation, JsonObject, OnError, Tool } from '@parley/mcp'
import type { ClusterMessages } from '@parley/mcp/http'

/** The sender of a request, as verified by the listener. */
export interface Caller {
  /** Two requests with the same one are of the same user. `anonymous` where nobody was verified. */
  readonly principal: string
  /** Nobody was verified. */
  readonly isAnonymous: boolean
  /** Claims of the token, or what a key says of its holder. */
  readonly claims: JsonObject
  /** The scopes of the caller; empty for anonymous callers. */
  readonly scopes: readonly string[]
  /** Set if an API key was shown. */
  readonly keyId?: string | undefined
  /** The client's description of itself: a claim, never a proof. */
  readonly client?: Implementation | undefined
}

/** The subject of a request, or one entry of a list. */
export interface Subject {
  /** The kind of subject. */
  readonly kind: 'tool' | 'prompt' | 'resource' | 'resourceTemplate'
  /** The upstream that has it, as the configuration names it. */
  readonly upstream: string
  /** Its name there; the URI of a resource, the pattern of a template. */
  readonly name: string
  /** The name for clients. */
  readonly exposedName: string
  /** The definition of the upstream. Absent for a resource that is in no list. */
  readonly definition?: Tool | JsonObject | undefined
}

/** A request about to be passed on: `tools/call`, `prompts/get`, `resources/read`, `resources/subscribe`, `completion/complete`. */
export interface CheckedRequest {
  /** The sender. */
  readonly caller: Caller
  /** The method, such as `tools/call`. */
  readonly method: string
  /** The subject. */
  readonly subject: Subject
  /** Arguments of a tool or prompt; empty for a resource. */
  readonly arguments: JsonObject
  /** Aborted when nobody waits any more. Each request has its own, which stays the same while its arguments are changed. */
  readonly signal: AbortSignal
}

/** The caller gets this instead of a result. A tool call ends with a tool error, anything else with an error. */
export interface Rejection {
  /** Says that it is a refusal. */
  readonly rejected: true
  /** For the caller: what was refused, by which rule, and what would change it. */
  readonly message: string
  /** Names the rule in the audit and in `explain`. */
  readonly rule: string
}

/** One thing the gateway does to requests on their way: a policy, a limit, a pattern, a pin, an interceptor. */
export interface Check {
  /** Tells it from others; a reload keeps the memory of a check with the same name. */
  readonly name: string
  /** False takes an entry out of this caller's lists. Called for each entry of a list, so it must be quick. */
  shows?(caller: Caller, subject: Subject): boolean
  /** Returns the server's instructions for clients: all of them, a part, or nothing. Must be quick: called for each client. */
  instructions?(upstream: string, text: string): string | undefined
  /** Tells when `shows` may answer otherwise than before, until it is disposed of. */
  watch?(onChange: () => void): Disposable
  /** Before the request is passed on: other arguments, or a refusal. Nothing leaves it as it is. */
  before?(
    request: CheckedRequest,
  ): Promise<JsonObject | Rejection | undefined> | JsonObject | Rejection | undefined
  /**
   * What the upstream answered: another result, or a refusal. Nothing leaves it as it is. It may be a question to the caller
   * (`inputRequests`) or a task. What comes of a task is passed here with its own method, `tasks/get` or `tasks/result`,
   * and no `before`.
   */
  after?(
    request: CheckedRequest,
    result: JsonObject,
  ): Promise<JsonObject | Rejection | undefined> | JsonObject | Rejection | undefined
  /**
   * The request has ended: with a result, a refusal of another check, an error, or because the caller went away. Called once
   * for each check whose `before` let the request pass, also for one without `before`.
   */
  ended?(request: CheckedRequest): void
  /** The state of the check. A check of the same name that replaces it receives this. */
  readonly memory?: object | undefined
  /** Goes on with what the check before it remembers, as far as its settings are the same. */
  takeOver?(memory: object): void
  /** Several processes are one gateway: from now on it counts together with the others. */
  share?(shared: SharedState): void
}

/** The state that processes share, as far as checks need it. */
export interface SharedState {
  /** Takes up to `wanted` from what all may use up, and says how much it got. Less than 0 gives back. */
  readonly budgets: {
    take(key: string, wanted: number, capacity: number, windowMs: number): Promise<number>
  }
  /** JSON that all processes can read and write. */
  readonly values: {
    get(kind: string, id: string): Promise<unknown>
    set(kind: string, id: string, value: unknown, ttlMs: number): Promise<void>
  }
  /** Messages from each process to all. */
  readonly messages: ClusterMessages
  /** Aborted when the check is no longer used. */
  readonly signal: AbortSignal
  /** Hears what goes wrong with what is shared. */
  readonly onError: OnError
}
