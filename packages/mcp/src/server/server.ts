import type { AuthInfo } from '../rpc/auth-info.ts'
import type { Transport } from '../rpc/transport.ts'
import type { Implementation } from '../schema/metadata.ts'
import type { Operation } from '../schema/methods/client-requests.ts'
import type { InferOutput, Schema } from '../schema/standard-schema.ts'
import type { AnyTools, Tool } from '../schema/tools.ts'
import type { Definition } from './definition.ts'
import type { Feature, Handler, NoInput, Registration } from './feature.ts'
import type { Middleware } from './middleware.ts'
import type { PromptConfig, PromptReturn, TextArguments } from './prompts/prompts.ts'
import type { ResourceConfig, ResourceHandler } from './resources/resources.ts'
import type { ServeOptions, Service } from './sessions/serve-connection.ts'
import type { ReturnFor, SchemasOnly, ToolConfig } from './tools/tools.ts'

/** A server is a definition: any number of callers use it at once, and it remembers none of them. */
export interface Server<App = unknown, Tools = AnyTools> {
  /** Name, version and the rest of what the server says about itself. */
  readonly info: Implementation

  /**
   * Adds a tool. With `outputSchema` the handler returns a value that fits it; without, text, content, a plain object or a
   * result. One signature, so that the compiler says what is wrong with the value and not which of several does not fit;
   * schemas are checked when the tool is registered: constraining `I` and `O` to `Schema` would double what a tool costs it.
   */
  tool<I extends object = NoInput, O extends object | undefined = undefined>(
    name: string,
    config: ToolConfig<I, App> & { readonly outputSchema?: O } & SchemasOnly<I, O>,
    handler: Handler<InferOutput<I>, App, ReturnFor<O>>,
  ): Registration<ToolConfig<I, App>>

  /** A URI is one resource; a URI template (RFC 6570) is a family of them. */
  resource<const Uri extends string>(
    uri: Uri,
    config: ResourceConfig<Uri, App>,
    handler: ResourceHandler<Uri, App>,
  ): Registration<ResourceConfig<Uri, App>>

  /** Adds a prompt: a template of messages that a user picks. */
  prompt<A extends Schema = NoInput>(
    name: string,
    config: PromptConfig<A, App> & TextArguments<A>,
    handler: Handler<InferOutput<A>, App, PromptReturn>,
  ): Registration<PromptConfig<A, App>>

  /** Adds features defined elsewhere. One that needs more of `app` than this server has does not compile. */
  add(...features: readonly Feature<App>[]): Registration

  /** Serves another definition's features under a prefix, live. */
  mount<Other>(prefix: string, other: Server<Other, unknown>, options?: MountOptions): Registration

  /** Every tool under the name callers use, hidden ones too. */
  tools(): readonly Tool[]

  /** Wraps every operation, or one. The first added is the outermost. */
  use(middleware: Middleware<App>): this
  /** The same for one operation. */
  use<O extends Operation>(operation: O, middleware: Middleware<App, O>): this

  /** Tells subscribers that a list has changed, or that a resource has new contents. */
  notifyChanged(what: 'tools' | 'prompts' | 'resources' | { readonly uri: string }): void

  /** Types only. */
  readonly '~tools'?: Tools
  /** For this package alone. */
  readonly '~definition': object
  /** For `connect(server)`: the definition brings its own way to be served. */
  '~serve'(
    transport: Transport,
    options: ServeOptions & { readonly auth?: AuthInfo | undefined },
  ): Service
}

/** Options of `mount`. */
export interface MountOptions {
  /** Between prefix and name. @defaultValue '_' */
  readonly separator?: string | undefined
}

/** The definition behind the public interface. */
export function definitionOf(server: { readonly '~definition': object }): Definition {
  return server['~definition'] as Definition // set by createServer alone
}
