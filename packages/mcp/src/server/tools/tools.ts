/**
 * Tools as values: `defineTool()`, its configuration and types, and the checks when a tool is registered.
 *
 * A `ToolSource` is what the author wrote, a `ToolEntry` is converted and checked once, ready to be listed and called. Calling is in `call-
 * tool.ts`, results in `tool-result.ts`.
 */

import type { ContentBlock } from '../../schema/content.ts'
import type { Json } from '../../schema/make-content.ts'
import type { InferInput, InferOutput, JsonSchema, Schema } from '../../schema/standard-schema.ts'
import type { CallToolResult, Tool, ToolAnnotations } from '../../schema/tools.ts'
import { headerAnnotations, type HeaderAnnotation } from '../../wire/param-headers.ts'
import {
  describe,
  invalidDefinition,
  type Feature,
  type FeatureConfig,
  type Handler,
  type NoInput,
  type PreparingOptions,
  type Scopes,
} from '../feature.ts'
import type { InputRequired } from '../input/input-required.ts'
import type { Binary } from '../resources/binary.ts'
import { asObjectSchema, prepareSchema, type PreparedSchema } from '../user-schema.ts'
import type { ToolResult } from './tool-result.ts'

/** How a tool is listed, what it takes, and who may call it. */
export interface ToolConfig<I extends object = Schema, App = unknown> extends FeatureConfig<App> {
  /** The arguments: an object of any supported schema library. @defaultValue no arguments */
  readonly inputSchema?: I | undefined
  /** Hints for clients, such as `readOnlyHint` and `destructiveHint`. */
  readonly annotations?: ToolAnnotations | undefined
  /** Checked before the handler runs. The tool is listed to callers without them, so that a client can ask for more. */
  readonly scopes?: Scopes<InferOutput<I>, App> | undefined
  /** Timeout of the handler, not counting input requests. @defaultValue 3_600_000 */
  readonly timeoutMs?: number | undefined
  /** See `coerceArguments` of `createServer`. @defaultValue as there */
  readonly coerceArguments?: boolean | undefined
  /**
   * In revisions where a client answers by calling again: refuse a second call with the same request state. Known to this
   * process only. @defaultValue false
   */
  readonly singleUse?: boolean | undefined
  /**
   * Whether a call may go on as a task, with `serverTasks()` among the extensions. `optional` answers at once what is
   * done quickly, and callers that know no tasks; `required` refuses those. `never` is listed
   * where it is said. @defaultValue 'never'
   */
  readonly task?: TaskSupport | undefined
  /**
   * A task of this tool whose process is lost is started again from the beginning by another process, at most twice. Only for
   * work that may be done twice. Needs `task`, and a store that processes share. @defaultValue false: the task fails
   */
  readonly restartable?: boolean | undefined
}

/** Whether work may outlive its request. */
export type TaskSupport = 'never' | 'optional' | 'required'

/** The values that a handler without `outputSchema` may return. */
export type ToolReturn =
  | string
  | number
  | boolean
  | ContentBlock
  | readonly (string | ContentBlock)[]
  | Binary
  | Json
  | CallToolResult
  | ToolResult
  | PlainObject
  | InputRequired
  | void
  | null

/**
 * An object that is sent as it is: as structured content, and as JSON text. Not what JSON makes no object of, such as lists,
 * dates, maps and bytes, and none with a list as `content`, which a full result has. Not `JsonObject`, which takes no interface.
 */
export type PlainObject = object & {
  /** A list would make it a full result. */
  readonly content?: string | number | boolean | null | undefined
  /** Lists have it. */
  readonly concat?: never
  /** Functions have it. */
  readonly apply?: never
  /** Dates have it. */
  readonly getTime?: never
  /** Maps, sets, bytes and promises have it. */
  readonly [Symbol.toStringTag]?: never
}

/** The values that a handler with `outputSchema` may return. */
export type StructuredReturn<Output> = Output | ToolResult<Output> | InputRequired
/** Either of them, by whether there is an `outputSchema`. */
export type ReturnFor<O> = [O] extends [undefined]
  ? ToolReturn
  : StructuredReturn<InferInput<O> & ({} | null | undefined)>

/** Says what to write in place of an object of schemas, which other SDKs take. */
export type SchemasOnly<I, O> = (true extends IsShape<I>
  ? { readonly inputSchema: 'wrap it: inputSchema: z.object({ … })' }
  : unknown) &
  (true extends IsShape<O>
    ? { readonly outputSchema: 'wrap it: outputSchema: z.object({ … })' }
    : unknown)

type IsShape<S> = S extends { readonly '~standard': unknown }
  ? false
  : S extends { readonly [name: string]: { readonly '~standard': unknown } }
    ? keyof S extends never
      ? false
      : true
    : false

type OutputOf<O> = [O] extends [object] ? InferOutput<O> : unknown

/** A tool made by {@link defineTool}, whose types a client can know. */
export interface ToolFeature<Name extends string, Input, Output, in App> extends Feature<App> {
  /** Says that it is a tool. */
  readonly kind: 'tool'
  /** The name that callers use. */
  readonly name: Name
  readonly '~types'?: { readonly input: Input; readonly output: Output }
}

/** A tool as a value, for a file of its own; give it to `features` or `server.add`. */
export function defineTool<
  const Name extends string,
  I extends object = NoInput,
  O extends object | undefined = undefined,
  App = unknown,
>(
  name: Name,
  config: ToolConfig<I, App> & { readonly outputSchema?: O } & SchemasOnly<I, O>,
  handler: Handler<InferOutput<I>, App, ReturnFor<O>>,
): ToolFeature<Name, InferInput<I>, OutputOf<O>, App>
export function defineTool(name: string, config: AnyToolConfig, handler: AnyHandler): ToolSource {
  return { kind: 'tool', name, config, handler }
}

/** Types of a tool do not matter inside: its schemas check the values. */
export type AnyToolConfig = ToolConfig<Schema, never> & {
  readonly outputSchema?: Schema | undefined
}
export type AnyHandler = (args: never, context: never) => unknown

/** A tool before it is registered. */
export interface ToolSource {
  readonly kind: 'tool'
  readonly name: string
  readonly config: AnyToolConfig
  readonly handler: AnyHandler
}

/** The properties of a tool that running it as a task needs. */
export interface TaskTool {
  readonly name: string
  readonly config: Pick<AnyToolConfig, 'annotations' | 'restartable' | 'task'>
}

/** A tool ready to be listed and called. */
export interface ToolEntry extends ToolSource {
  readonly listed: Tool
  readonly input: PreparedSchema | undefined
  readonly output: PreparedSchema | undefined
  readonly timeoutMs: number
  /** Arguments that headers repeat, where there are headers. */
  readonly headerParams: readonly HeaderAnnotation[]
}

/** Converts and checks everything that can be wrong about a tool, once. */
export function prepareTool(source: ToolSource, options: PreparingOptions): ToolEntry {
  const { name, config } = source
  const feature = `tool ${JSON.stringify(name)}`
  if (!/^[A-Za-z0-9_./-]{1,128}$/.test(name)) {
    throw invalidDefinition(feature, 'a name has 1 to 128 of the characters A-Z a-z 0-9 _ . / -')
  }
  const { inputSchema, outputSchema, annotations, timeoutMs = 3_600_000, task } = config
  if (config.restartable && (task ?? 'never') === 'never') {
    throw invalidDefinition(feature, "restartable needs task: 'optional' or 'required'")
  }
  if (task === 'required' && !options.hasTasks) {
    throw invalidDefinition(feature, "task: 'required' needs serverTasks() among the extensions")
  }
  const input =
    inputSchema &&
    prepareSchema(inputSchema, { ...options, feature: `${feature}, inputSchema`, io: 'input' })
  const output =
    outputSchema &&
    prepareSchema(outputSchema, { ...options, feature: `${feature}, outputSchema`, io: 'output' })
  return {
    ...source,
    input,
    output,
    timeoutMs,
    headerParams: input ? mirroredArguments(input.json, `${feature}, inputSchema`) : [],
    listed: {
      name,
      ...describe(config),
      inputSchema: input ? asObjectSchema(input.json, `${feature}, inputSchema`) : noArguments,
      ...(output && { outputSchema: output.json }),
      ...(annotations && { annotations }),
      ...(task && { execution: { taskSupport: task === 'never' ? 'forbidden' : task } }),
    },
  }
}

/** The arguments that headers repeat. Throws `invalid_definition` for those that a header cannot carry. */
function mirroredArguments(inputSchema: JsonSchema, feature: string): readonly HeaderAnnotation[] {
  const read = headerAnnotations(inputSchema)
  if ('problem' in read) throw invalidDefinition(feature, read.problem)
  return read.annotations
}

/** The schema of a tool without arguments. Arguments that are sent all the same are ignored. */
const noArguments: JsonSchema = { type: 'object', properties: {}, additionalProperties: false }

/** How invalid arguments are reported. */
export type InvalidArguments = 'tool_error' | 'invalid_params'
