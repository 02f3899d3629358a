import { isRpcError, RpcError } from '../../rpc/errors/rpc-error.ts'
import { isToolError, type ToolError } from '../../rpc/errors/tool-error.ts'
import { isPromise, type MaybePromise } from '../../rpc/promise.ts'
import type { ContentBlock } from '../../schema/content.ts'
import type { JsonObject } from '../../schema/json/json.ts'
import type { Json } from '../../schema/make-content.ts'
import type {
  InferInput,
  InferOutput,
  JsonSchema,
  Schema,
  SchemaIssue,
  StandardResult,
} from '../../schema/standard-schema.ts'
import type {
  CallToolRequestParams,
  CallToolResult,
  Tool,
  ToolAnnotations,
} from '../../schema/tools.ts'
import { wrongHeader } from '../../wire/mirrored-headers.ts'
import type { HeaderAnnotation } from '../../wire/param-headers.ts'
import type { Call } from '../calls/call.ts'
import { reportFault } from '../calls/fault.ts'
import { runHandler } from '../calls/run-handler.ts'
import type { CallContext } from '../context.ts'
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
import { describeLinks, knowsLinkErrors } from '../input/links.ts'
import { refusedQuestions } from '../input/refused-questions.ts'
import { RoundEnd, type InputRequired } from '../input/round-end.ts'
import type { Binary } from '../resources/binary.ts'
import { requireScopesOf } from '../scopes.ts'
import {
  asObjectSchema,
  describeIssues,
  prepareSchema,
  type PreparedSchema,
} from '../user-schema.ts'
import { checkAnnotations } from './header-annotations.ts'
import { toToolResult, type ToolResult } from './tool-result.ts'

/** How a tool is listed, what it takes, and who may call it. */
export interface ToolConfig<I extends object = Schema, App = unknown> extends FeatureConfig<App> {
  readonly inputSchema?: I | undefined
  readonly annotations?: ToolAnnotations | undefined
  /** Checked before the handler runs. Still listed without them, so that a client can step up. */
  readonly scopes?: Scopes<InferOutput<I>, App> | undefined
  /** Time the handler may work, not counting time spent asking. @defaultValue 3_600_000 */
  readonly timeoutMs?: number | undefined
  /**
   * Refuse a second retry with the same answers, where answering means calling again. Several processes need a shared
   * memory for it. @defaultValue false
   */
  readonly singleUse?: boolean | undefined
  /**
   * Whether a call may go on as a task, with `serverTasks()` among the extensions. `optional` answers at once what is
   * done quickly, and callers that know no tasks; `required` refuses those. `never` is listed
   * where it is said. @defaultValue 'never'
   */
  readonly task?: TaskSupport | undefined
}

/** Whether work may outlive its request. */
export type TaskSupport = 'never' | 'optional' | 'required'

/** What a handler without `outputSchema` may return. */
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
  | InputRequired
  | void
  | null
/** What a handler with `outputSchema` may return. */
export type StructuredReturn<Output> = Output | ToolResult<Output> | InputRequired
/** Whichever of them it is. */
export type ReturnFor<O> = [O] extends [object] ? StructuredReturn<InferInput<O>> : ToolReturn

/** What {@link defineTool} gives: a tool whose types a client can know. */
export interface ToolFeature<Name extends string, Input, Output, in App> extends Feature<App> {
  readonly kind: 'tool'
  readonly name: Name
  readonly '~types'?: { readonly input: Input; readonly output: Output }
}

/** A tool as a value, for a file of its own; give it to `features` or `server.add`. */
export function defineTool<const Name extends string, I extends object = NoInput, App = unknown>(
  name: Name,
  config: ToolConfig<I, App> & { readonly outputSchema?: undefined },
  handler: Handler<InferOutput<I>, App, ToolReturn>,
): ToolFeature<Name, InferInput<I>, unknown, App>
export function defineTool<
  const Name extends string,
  O extends object,
  I extends object = NoInput,
  App = unknown,
>(
  name: Name,
  config: ToolConfig<I, App> & { readonly outputSchema: O },
  handler: Handler<InferOutput<I>, App, StructuredReturn<InferInput<O>>>,
): ToolFeature<Name, InferInput<I>, InferOutput<O>, App>
/** Says what is wrong with a call that fits neither: the compiler explains the last it tried. */
export function defineTool<
  const Name extends string,
  I extends object = NoInput,
  O extends object | undefined = undefined,
  App = unknown,
>(
  name: Name,
  config: ToolConfig<I, App> & { readonly outputSchema?: O },
  handler: Handler<InferOutput<I>, App, ReturnFor<O>>,
): ToolFeature<Name, InferInput<I>, unknown, App>
export function defineTool(name: string, config: AnyToolConfig, handler: AnyHandler): ToolSource {
  return { kind: 'tool', name, config, handler }
}

/** Inside, what a tool is typed with does not matter: values are checked by its schemas. */
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

/** A tool ready to be listed and called. */
export interface ToolEntry extends ToolSource {
  readonly listed: Tool
  readonly input: PreparedSchema | undefined
  readonly output: PreparedSchema | undefined
  readonly timeoutMs: number
  /** Arguments that headers repeat, where there are headers. */
  readonly mirrored: readonly HeaderAnnotation[]
}

/** Converts and checks everything that can be wrong about a tool, once. */
export function prepareTool(source: ToolSource, options: PreparingOptions): ToolEntry {
  const { name, config } = source
  const feature = `tool ${JSON.stringify(name)}`
  if (!/^[A-Za-z0-9_./-]{1,128}$/.test(name)) {
    throw invalidDefinition(feature, 'a name has 1 to 128 of the characters A-Z a-z 0-9 _ . / -')
  }
  const { inputSchema, outputSchema, annotations, timeoutMs = 3_600_000, task } = config
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
    mirrored: input ? checkAnnotations(input.json, `${feature}, inputSchema`) : [],
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

/** Says that there is nothing to give. What is given all the same does no harm: older callers were not told. */
const noArguments: JsonSchema = { type: 'object', properties: {}, additionalProperties: false }

/** How callers learn that arguments do not fit. */
export type InvalidArguments = 'tool_error' | 'invalid_params'

/** How a tool ends: in a result, or in a question. */
type Ending = CallToolResult | RoundEnd

/**
 * Runs a tool: what is wrong with the arguments or the work is a result the model can read. Most have nothing to wait
 * for, and then neither has who called.
 */
export function callTool(
  tool: ToolEntry,
  args: JsonObject,
  context: CallContext,
  invalidArguments: InvalidArguments,
): MaybePromise<Ending> {
  if (tool.mirrored.length > 0) requireMirrored(tool, context.call)
  if (tool.input === undefined) return callWith(tool, noInput, context)
  const checked = tool.input.validate(args)
  return isPromise(checked) ? checked.then(callChecked) : callChecked(checked)

  function callChecked(result: StandardResult<unknown>): MaybePromise<Ending> {
    if (result.issues) return refuseArguments(tool, result.issues, invalidArguments)
    return callWith(tool, result.value, context)
  }
}

function callWith(tool: ToolEntry, input: unknown, context: CallContext): MaybePromise<Ending> {
  requireScopesOf(tool.config.scopes, input, context)
  const { rounds } = context.call
  if (tool.config.singleUse && rounds) {
    return rounds.redeem().then(() => workWithin(tool, input, context))
  }
  return workWithin(tool, input, context)
}

/** Within the time that the tool has. */
function workWithin(tool: ToolEntry, input: unknown, context: CallContext): MaybePromise<Ending> {
  const { call } = context
  call.limitTime(tool.timeoutMs)
  try {
    const returned = runHandler(call, () => tool.handler(input as never, context as never)) // as above
    const ending = isPromise(returned)
      ? returned.then((value) => toEnding(value, tool, call))
      : toEnding(returned, tool, call)
    return isPromise(ending)
      ? ending.then(undefined, (error: unknown) => toolFailure(error, context))
      : ending
  } catch (error) {
    return toolFailure(error, context)
  }
}

function toEnding(returned: unknown, tool: ToolEntry, call: Call): MaybePromise<Ending> {
  return returned instanceof RoundEnd ? returned : toToolResult(returned, tool, call)
}

const noInput = Object.freeze({})

/** Those who route by headers must be able to believe them: they repeat what was sent, whatever middleware made of it. */
function requireMirrored({ mirrored }: ToolEntry, { caller, params }: Call): void {
  const { http, codec } = caller
  if (http?.mismatch === undefined || codec.has.initialize) return
  const { arguments: args = {} } = params as unknown as CallToolRequestParams // checked by dispatch
  const wrong = http.mismatch(mirrored, args)
  if (wrong !== undefined) throw wrongHeader(wrong)
}

function refuseArguments(
  { name }: ToolEntry,
  issues: readonly SchemaIssue[],
  invalidArguments: InvalidArguments,
): CallToolResult {
  const message = `Invalid arguments for tool ${name}:\n${describeIssues(issues)}`
  if (invalidArguments === 'invalid_params') {
    throw new RpcError('invalid_params', message, { data: { issues } })
  }
  return { content: [{ type: 'text', text: message }], isError: true }
}

/** Failures of the work are for the model; protocol errors stay errors; the rest is masked. */
function toolFailure(error: unknown, { call }: CallContext): CallToolResult {
  if (isToolError(error)) return toolErrorResult(error)
  const refused = refusedQuestions.get(error as object) // undefined for what is none
  if (refused === undefined && isRpcError(error) && !isForModel(error, call)) throw error
  const text = refused ?? (isRpcError(error) ? textFor(error) : reportFault(error, call).message)
  return { content: [{ type: 'text', text }], isError: true }
}

/** By handshake a missing capability has no error of its own, of old neither have links: the model may find a way. */
function isForModel(error: RpcError, { caller }: Call): boolean {
  if (isRpcError(error, 'url_elicitation_required')) return !knowsLinkErrors(caller)
  return caller.codec.has.initialize && isRpcError(error, 'missing_client_capability')
}

function textFor(error: RpcError): string {
  return isRpcError(error, 'url_elicitation_required') ? describeLinks(error) : error.message
}

/** What the model reads of an error made for it. */
export function toolErrorResult({ content, structuredContent }: ToolError): CallToolResult {
  return { content, isError: true, ...(structuredContent !== undefined && { structuredContent }) }
}

/** A refusal that comes too late to be a status: for the model, with what a client needs to ask for more. */
export function scopeFailure(error: RpcError<'insufficient_scope'>): CallToolResult {
  const { message, data, code } = error
  return {
    content: [{ type: 'text', text: message }],
    isError: true,
    _meta: { 'parley/error': { ...data, reason: code } },
  }
}
