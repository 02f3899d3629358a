/**
 * `tools/call`: finds the tool, checks the arguments, runs the handler and turns what it returns into a result.
 *
 * Arguments are validated against the input schema and coerced if a model wrote them almost right; structured content is checked
 * against the output schema. Errors of the handler become results that a model can read (`ToolError`), or are masked. Tasks,
 * middleware and visibility are decided before this file is reached.
 */
import { isRpcError, RpcError } from '../../rpc/errors/rpc-error.ts'
import { isToolError, type ToolError } from '../../rpc/errors/tool-error.ts'
import { isPromise, type MaybePromise } from '../../rpc/promise.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { SchemaIssue, StandardResult } from '../../schema/standard-schema.ts'
import type { CallToolRequestParams, CallToolResult } from '../../schema/tools.ts'
import { wrongHeader } from '../../wire/headers.ts'
import { requireScopesOf, findVisible } from '../access.ts'
import type { Call } from '../calls/call.ts'
import { reportUnexpected, thrownErrors } from '../calls/report-fault.ts'
import { runHandler } from '../calls/run-handler.ts'
import type { CallContext } from '../context.ts'
import type { Definition } from '../definition.ts'
import { indexOf, type ExposedFeature } from '../feature-index.ts'
import { rejectedInputRequests } from '../input/ask-now.ts'
import { RoundEnd } from '../input/input-required.ts'
import { describeLinks, knowsLinkErrors } from '../input/url-elicitation.ts'
import { runMounted, unknownFeature, type RunOperation } from '../mount.ts'
import { describeIssues } from '../user-schema.ts'
import { coerceArguments, coercedArguments } from './coerce-arguments.ts'
import { toToolResult } from './tool-result.ts'
import type { InvalidArguments, ToolEntry } from './tools.ts'

/** `tools/call`. An unknown or hidden tool is `invalid_params`; most tools are plain, and nothing is awaited for them. */
export function callTool(
  definition: Definition,
  params: CallToolRequestParams,
  context: CallContext,
  run: RunOperation,
): MaybePromise<object> {
  const exposed = indexOf(definition).tools.get(params.name)
  if (exposed === undefined) throw unknownFeature('tool', params.name)
  const isPlain = exposed.mount === undefined && !exposed.entry.config.visible
  return isPlain
    ? callEntry(definition, exposed.entry, params, context)
    : callVisible(definition, exposed, params, context, run)
}

async function callVisible(
  definition: Definition,
  exposed: ExposedFeature<ToolEntry>,
  params: CallToolRequestParams,
  context: CallContext,
  run: RunOperation,
): Promise<object> {
  const found = await findVisible(exposed, context)
  if (found === undefined) throw unknownFeature('tool', params.name)
  if (found.mount) return runMounted(found.mount, 'tools/call', params, context.call, run)
  return callEntry(definition, found.entry, params, context)
}

/** Where there is an extension for tasks, it decides whether the call becomes one. */
function callEntry(
  { settings }: Definition,
  entry: ToolEntry,
  params: CallToolRequestParams,
  context: CallContext,
): MaybePromise<object> {
  const args = params.arguments ?? noArguments
  const extended = context.call.tasks?.callTool
  if (extended === undefined) return runTool(entry, args, context, settings)
  return extended(entry, context, async (own) => runTool(entry, args, own, settings))
}

const noArguments: JsonObject = Object.freeze({})

/** How a tool ends: with a result, or with an input request. */
type Ending = CallToolResult | RoundEnd

/**
 * Runs a tool. Invalid arguments and failures are results that the model can read. Nothing is awaited for a synchronous
 * handler.
 */
function runTool(
  tool: ToolEntry,
  args: JsonObject,
  context: CallContext,
  settings: Definition['settings'],
): MaybePromise<Ending> {
  if (tool.headerParams.length > 0) requireMirrored(tool, context.call)
  if (tool.input === undefined) return callWith(tool, noInput, context)
  const checked = tool.input.validate(args)
  return isPromise(checked) ? checked.then(callChecked) : callChecked(checked)

  function callChecked(result: StandardResult<unknown>): MaybePromise<Ending> {
    if (result.issues === undefined) return callWith(tool, result.value, context)
    const isCoercing = tool.config.coerceArguments ?? settings.coerceArguments
    const coerced = isCoercing ? coerceArguments(args, tool.listed.inputSchema) : undefined
    const reject = (): CallToolResult =>
      rejectArguments(tool, result.issues, settings.invalidArguments)
    return coerced === undefined ? reject() : callCoerced(tool, coerced, context, reject)
  }
}

/** Converts the arguments and checks them again; rejects them unchanged if they still do not match. */
async function callCoerced(
  tool: ToolEntry,
  { args, changes }: NonNullable<ReturnType<typeof coerceArguments>>,
  context: CallContext,
  reject: () => CallToolResult,
): Promise<Ending> {
  const checked = await tool.input?.validate(args)
  if (checked === undefined || checked.issues) return reject()
  const ending = await callWith(tool, checked.value, context)
  if (ending instanceof RoundEnd) return ending
  const result = { ...ending } // the author may return one object twice
  if (thrownErrors.has(ending)) thrownErrors.set(result, thrownErrors.get(ending))
  coercedArguments.set(result, changes)
  return result
}

function callWith(tool: ToolEntry, input: unknown, context: CallContext): MaybePromise<Ending> {
  const { scopes } = tool.config
  if (scopes) requireScopesOf(scopes, input, context)
  const { rounds } = context.call
  if (tool.config.singleUse && rounds) {
    return rounds.redeem().then(() => workWithin(tool, input, context))
  }
  return workWithin(tool, input, context)
}

/** Runs the handler with the timeout of the tool. */
function workWithin(tool: ToolEntry, input: unknown, context: CallContext): MaybePromise<Ending> {
  const { call } = context
  call.startTimeout(tool.timeoutMs)
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

/** Proxies route by these headers: they must repeat the arguments as the client sent them, before middleware. */
function requireMirrored({ headerParams }: ToolEntry, { caller, params }: Call): void {
  const { http, codec } = caller
  if (http?.mismatch === undefined || codec.has.initialize) return
  const { arguments: args = {} } = params as unknown as CallToolRequestParams // checked by dispatch
  const wrong = http.mismatch(headerParams, args)
  if (wrong !== undefined) throw wrongHeader(wrong)
}

function rejectArguments(
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

/** A `ToolError` is for the model, protocol errors stay errors, everything else is masked. */
function toolFailure(error: unknown, context: CallContext): CallToolResult {
  const result = failureResult(error, context)
  thrownErrors.set(result, error)
  return result
}

function failureResult(error: unknown, { call }: CallContext): CallToolResult {
  if (isToolError(error)) return toolErrorResult(error)
  const rejection = rejectedInputRequests.get(error as object) // undefined for other errors
  if (rejection === undefined && isRpcError(error) && !isForModel(error, call)) throw error
  const text =
    rejection ?? (isRpcError(error) ? textFor(error) : reportUnexpected(error, call).message)
  return { content: [{ type: 'text', text }], isError: true }
}

/** Legacy revisions have no error for a missing capability, old ones none for URLs: the model may find a way. */
function isForModel(error: RpcError, { caller }: Call): boolean {
  if (isRpcError(error, 'url_elicitation_required')) return !knowsLinkErrors(caller)
  return caller.codec.has.initialize && isRpcError(error, 'missing_client_capability')
}

function textFor(error: RpcError): string {
  return isRpcError(error, 'url_elicitation_required') ? describeLinks(error) : error.message
}

/** The result of a `ToolError`. */
export function toolErrorResult({ content, structuredContent }: ToolError): CallToolResult {
  return { content, isError: true, ...(structuredContent !== undefined && { structuredContent }) }
}

/** A missing scope after the HTTP status was sent: a result for the model, with what a client needs to ask for more. */
export function scopeFailure(error: RpcError<'insufficient_scope'>): CallToolResult {
  const { message, data, code } = error
  return {
    content: [{ type: 'text', text: message }],
    isError: true,
    _meta: { 'parley/error': { ...data, reason: code } },
  }
}
