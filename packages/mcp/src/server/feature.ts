import { McpError, type McpErrorDetails } from '../rpc/errors/mcp-error.ts'
import type { CompileSchema } from '../schema/json-schema/compile.ts'
import type { Icon, MetaObject } from '../schema/metadata.ts'
import type { StandardSchema } from '../schema/standard-schema.ts'
import type { Context, RequestContext } from './context.ts'

/** Options that every feature has. */
export interface FeatureConfig<App> {
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly icons?: readonly Icon[] | undefined
  readonly _meta?: MetaObject | undefined
  /** False hides it from this caller: not listed, and calling it is calling something unknown. */
  readonly visible?: ((context: RequestContext<App>) => boolean | Promise<boolean>) | undefined
}

/** Your function: gets the checked arguments and the context of the call. */
export type Handler<Args, App, Return> = (
  args: Args,
  context: Context<App>,
) => Return | Promise<Return>

/** Scopes the caller must have: a list, or a function of the arguments. */
export type Scopes<Args, App> =
  | readonly string[]
  | ((args: Args, context: RequestContext<App>) => readonly string[])

/** The schema of a feature that takes nothing. */
export interface NoInput extends StandardSchema<Record<never, never>> {
  readonly '~none'?: 'input'
}

/** A tool, resource or prompt as a value, for a file of its own. */
export interface Feature<in App = unknown> {
  /** The kind of feature. */
  readonly kind: 'tool' | 'resource' | 'prompt'
  /** Its name, or the URI of a resource. */
  readonly name: string
  readonly '~app'?: (app: App) => void
}

/** Something added to a server. It can be updated or removed while the server runs. */
export interface Registration<Config = never> extends Disposable {
  /** Changes what is given and keeps the rest; clients are told if what is listed has changed. */
  update(change: Partial<Config>): void
  /** Removes it; clients are told that the list changed. Calls that are running go on. */
  remove(): void
}

/** How schemas are turned into checks. */
export interface PreparingOptions {
  readonly compileSchema?: CompileSchema | undefined
  /** Calls may become tasks. */
  readonly hasTasks?: boolean | undefined
}

/** The members of a configuration that lists show as they are. */
export function describe(config: FeatureConfig<never>): {
  title?: string
  description?: string
  icons?: readonly Icon[]
  _meta?: MetaObject
} {
  const { title, description, icons, _meta } = config
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(icons !== undefined && { icons }),
    ...(_meta !== undefined && { _meta }),
  }
}

/** The error for a definition that cannot work, thrown where it is registered. */
export function invalidDefinition(
  feature: string,
  why: string,
  code: 'invalid_definition' | 'duplicate_name' = 'invalid_definition',
): McpError {
  const details: McpErrorDetails['invalid_definition'] = { feature }
  return new McpError(code, `${feature}: ${why}`, { details })
}
