import type { ServerCapabilities } from '../schema/capabilities.ts'
import type { Extension } from '../schema/extension.ts'
import type { JsonObject } from '../schema/json/json.ts'
import { metaKeyProblem } from '../schema/metadata.ts'
import { clientRequestRow } from '../schema/methods/client-requests.ts'
import { existsIn } from '../schema/methods/method-row.ts'
import type { SubscriptionFilter } from '../schema/subscriptions.ts'
import type { CallToolResult } from '../schema/tools.ts'
import type { Codec } from '../wire/codec.ts'
import type { Call } from './calls/call.ts'
import type { AskLimits, Caller } from './calls/caller.ts'
import type { KnownCaller } from './capabilities.ts'
import { CallContext, type AskedTask, type RequestContext } from './context.ts'
import type { Definition } from './definition.ts'
import { invalidDefinition, type Feature } from './feature.ts'
import type { RoundEnd } from './input/input-required.ts'
import type { Method } from './peer/dispatch.ts'
import type { TaskStart } from './tasks/task-view.ts'
import type { ToolEntry } from './tools/tools.ts'

/** An extension of a server: methods of its own, features it brings, and for ours a hand in the core. */
export interface ServerExtension<App = unknown> extends Extension<RequestContext<App>> {
  /** Added to the server. */
  readonly features?: readonly Feature<never>[] | undefined
  readonly '~server'?: ServerExtensionHooks | undefined
}

/** How our own extensions take part in the core; not for others. */
export interface ServerExtensionHooks {
  /** What the server declares besides `extensions` to such a caller. */
  capabilities?(caller: KnownCaller): ServerCapabilities
  /** Runs a tool; `run` is what would be done without the extension, for this call or one made from it. */
  callTool?(tool: ToolEntry, context: CallContext, run: RunTool): Promise<ToolOutcome>
  /** Asks a caller for a task; undefined if it is to be asked as ever. */
  ask?(
    caller: Caller,
    method: string,
    params: object | undefined,
    limits: AskLimits,
    task: AskedTask,
  ): Promise<JsonObject> | undefined
  /** Its part of what a caller listens to; undefined if it has none. */
  listen?(
    filter: SubscriptionFilter,
    call: Call,
    tell: Tell,
  ): Promise<ExtensionSubscription | undefined>
}

/** How a call of a tool ends: in a result, a question, or a task. */
export type ToolOutcome = CallToolResult | RoundEnd | TaskStart

export type RunTool = (context: CallContext) => Promise<CallToolResult | RoundEnd>

/** Sends a notification on a listen. While the peer reads slowly only the last with the same `key` waits. */
export type Tell = (method: string, params: object, key?: string) => void

export interface ExtensionSubscription extends Disposable {
  readonly accepted: SubscriptionFilter
}

/** Extensions whose names can be told to a peer, each once. */
export function checkExtensions<App>(
  extensions: readonly ServerExtension<App>[],
): readonly ServerExtension<App>[] {
  const seen = new Set<string>()
  for (const { id } of extensions) {
    const feature = `extension ${JSON.stringify(id)}`
    const problem = id.includes('/') ? metaKeyProblem(id) : 'it begins with a prefix and a slash'
    if (problem !== undefined) throw invalidDefinition(feature, problem)
    if (seen.has(id)) throw invalidDefinition(feature, 'it is given twice')
    seen.add(id)
  }
  return extensions
}

/** The method of an extension that has it in this revision. Its params are its own to check. */
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
