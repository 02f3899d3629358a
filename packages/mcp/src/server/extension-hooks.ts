import type { ServerCapabilities } from '../schema/capabilities.ts'
import type { Extension } from '../schema/extension.ts'
import type { SubscriptionFilter } from '../schema/subscriptions.ts'
import type { Codec } from '../wire/codec.ts'
import type { Call } from './call.ts'
import type { CallContext, RequestContext } from './context.ts'
import type { Feature } from './feature.ts'
import type { ToolEntry } from './tools.ts'

/** An extension of a server: methods of its own, features it brings, and for ours a hand in the core. */
export interface ServerExtension<App = unknown> extends Extension<RequestContext<App>> {
  /** Added to the server. */
  readonly features?: readonly Feature<never>[] | undefined
  readonly '~server'?: ServerExtensionHooks | undefined
}

/** How our own extensions take part in the core; not for others. */
export interface ServerExtensionHooks {
  /** What the server declares besides `extensions`. */
  readonly capabilities?: ServerCapabilities
  /** Methods beyond those the codec of a revision has. */
  methods?(codec: Codec): ReadonlySet<string>
  /** Runs a tool; `run` is what would be done without the extension. */
  callTool?(tool: ToolEntry, context: CallContext, run: () => Promise<object>): Promise<object>
  /** Its part of what a caller listens to; undefined if it has none. */
  listen?(
    filter: SubscriptionFilter,
    call: Call,
    tell: (method: string, params: object) => void,
  ): Promise<ExtensionListening | undefined>
}

export interface ExtensionListening extends Disposable {
  readonly accepted: SubscriptionFilter
}
