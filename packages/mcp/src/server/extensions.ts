import type { ServerCapabilities, Extension } from '../schema/capabilities.ts'
import type { JsonObject } from '../schema/json.ts'
import { metaKeyProblem } from '../schema/metadata.ts'
import { clientRequestRow } from '../schema/methods/client-requests.ts'
import { existsIn } from '../schema/methods/method-row.ts'
import type { SubscriptionFilter } from '../schema/subscriptions.ts'
import type { CallToolResult } from '../schema/tools.ts'
import type { Codec } from '../wire/codec.ts'
import type { Call } from './calls/call.ts'
import type { Caller, RequestLimits } from './calls/caller.ts'
import type { Method } from './calls/dispatch.ts'
import type { ContextCaller } from './capabilities.ts'
import { CallContext, type AskedTask, type RequestContext } from './context.ts'
import type { Definition } from './definition.ts'
import { invalidDefinition, type Feature } from './feature.ts'
import type { RoundEnd } from './input/input-required.ts'
import type { TaskStart } from './tasks/task-view.ts'
import type { TaskTool } from './tools/tools.ts'

/** An extension of a server: methods, features, and for our own extensions hooks in the core. */
export interface ServerExtension<App = unknown> extends Extension<RequestContext<App>> {
  /** Added to the server. */
  readonly features?: readonly Feature<never>[] | undefined
  readonly '~server'?: ServerExtensionHooks | undefined
}

/** Hooks of our own extensions in the core; not public. */
export interface ServerExtensionHooks {
  /** Capabilities to declare to this caller, besides `extensions`. */
  capabilities?(caller: ContextCaller): ServerCapabilities
  /** Runs a tool; `run` does what would be done without the extension, for this call or one made from it. */
  callTool?(tool: TaskTool, context: CallContext, run: RunTool): Promise<ToolOutcome>
  /** Sends an input request as a task; undefined if a normal request is to be sent. */
  ask?(
    caller: Caller,
    method: string,
    params: object | undefined,
    limits: RequestLimits,
    task: AskedTask,
  ): Promise<JsonObject> | undefined
  /** Its part of a `subscriptions/listen`; undefined if the filter names nothing of it. */
  listen?(
    filter: SubscriptionFilter,
    call: Call,
    notifySession: Notify,
  ): Promise<ExtensionSubscription | undefined>
}

/** How a tool call ends: with a result, an input request, or a task. */
export type ToolOutcome = CallToolResult | RoundEnd | TaskStart

export type RunTool = (context: CallContext) => Promise<CallToolResult | RoundEnd>

/** Sends a notification to a listener. While the client reads slowly, only the last with the same `key` waits. */
export type Notify = (method: string, params: object, key?: string) => void

export interface ExtensionSubscription extends Disposable {
  readonly accepted: SubscriptionFilter
}

/** Throws `invalid_definition` for an invalid id, and for an extension that is given twice. */
export function checkExtensions<App>(
  extensions: readonly ServerExtension<App>[],
): readonly ServerExtension<App>[] {
  const seen = new Set<string>()
  for (const { id } of extensions) {
    const feature = `extension ${JSON.stringify(id)}`
    const problem = id.includes('/')
      ? metaKeyProblem(id)
      : 'an id begins with a prefix and a slash, as in com.example/name'
    if (problem !== undefined) throw invalidDefinition(feature, problem)
    if (seen.has(id)) throw invalidDefinition(feature, 'it is given twice')
    seen.add(id)
  }
  return extensions
}

/** The method of an extension, if it has it in this revision. The extension checks its params. */
export function extensionMethod(
  { settings }: Definition,
  name: string,
  codec: Codec,
): Method | undefined {
  const extension = settings.extensions.find(
    ({ methods }) => methods && Object.hasOwn(methods, name),
  )
  const run = extension?.methods?.[name]
  if (extension === undefined || run === undefined) return undefined
  const isOurs = extension['~server'] !== undefined
  if (isOurs && !existsIn(clientRequestRow(name), codec.revision)) return undefined
  return async (definition, params, call) => {
    const app = await definition.settings.app?.(new CallContext(call, undefined))
    const result = await run(params as never, new CallContext(call, app) as never) // its params, and the app of this server
    return { kind: 'result', result }
  }
}
