import { isPromise } from '../rpc/promise.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import { describeProblem } from '../schema/check.ts'
import type { ContentBlock } from '../schema/content.ts'
import type { Role } from '../schema/metadata.ts'
import {
  getPromptResult,
  type GetPromptResult,
  type Prompt,
  type PromptArgument,
  type PromptMessage,
} from '../schema/prompts.ts'
import type { InferInput, InferOutput, JsonSchema, Schema } from '../schema/standard-schema.ts'
import type { Completer } from './completion.ts'
import type { CallContext } from './context.ts'
import {
  describe,
  invalidDefinition,
  type Feature,
  type FeatureConfig,
  type Handler,
  type NoInput,
  type PreparingOptions,
  type Scopes,
} from './feature.ts'
import { RoundEnd, type InputRequired } from './round-end.ts'
import { runHandler } from './run-handler.ts'
import { requireScopesOf } from './scopes.ts'
import { toBlock } from './tool-result.ts'
import {
  asObjectSchema,
  describeIssues,
  prepareSchema,
  type PreparedSchema,
} from './user-schema.ts'

export interface PromptConfig<A extends Schema, App = unknown> extends FeatureConfig<App> {
  /** An object whose members start as strings: prompt arguments have no other type on the wire. */
  readonly argumentsSchema?: A | undefined
  readonly scopes?: Scopes<InferOutput<A>, App> | undefined
  readonly complete?:
    | { readonly [N in keyof InferInput<A>]?: Completer<App> | undefined }
    | undefined
}

export type PromptReturn =
  | string
  | PromptMessage
  | readonly (string | PromptMessage)[]
  | GetPromptResult
  | InputRequired

/** One message of a prompt. */
export function message(role: Role, content: string | ContentBlock): PromptMessage {
  return { role, content: toBlock(content) }
}

/** A prompt as a value, for a file of its own. */
export function definePrompt<A extends Schema = NoInput, App = unknown>(
  name: string,
  config: PromptConfig<A, App>,
  handler: Handler<InferOutput<A>, App, PromptReturn>,
): Feature<App> {
  const source: PromptSource = { kind: 'prompt', name, config, handler }
  return source
}

/** Inside, arguments are whatever the schema yields. */
export type AnyPromptConfig = PromptConfig<Schema, never>

/** A prompt before it is registered. */
export interface PromptSource {
  readonly kind: 'prompt'
  readonly name: string
  readonly config: AnyPromptConfig
  readonly handler: (args: never, context: never) => unknown
}

/** A prompt ready to be listed and got. */
export interface PromptEntry extends PromptSource {
  readonly listed: Prompt
  readonly input: PreparedSchema | undefined
}

export function preparePrompt(source: PromptSource, options: PreparingOptions): PromptEntry {
  const { name, config } = source
  const feature = `prompt ${JSON.stringify(name)}`
  if (name === '') throw invalidDefinition(feature, 'a prompt has a name')
  const input =
    config.argumentsSchema &&
    prepareSchema(config.argumentsSchema, {
      ...options,
      feature: `${feature}, argumentsSchema`,
      io: 'input',
    })
  const args = input && listArguments(asObjectSchema(input.json, `${feature}, argumentsSchema`))
  return {
    ...source,
    input,
    listed: { name, ...describe(config), ...(args && { arguments: args }) },
  }
}

/** The arguments a schema describes, in its order. */
function listArguments(schema: JsonSchema): readonly PromptArgument[] {
  const properties = (schema['properties'] ?? {}) as Record<string, JsonSchema> // by JSON Schema's own rules
  const required = (schema['required'] ?? []) as readonly string[]
  return Object.entries(properties).map(([name, { title, description }]) => ({
    name,
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
    required: required.includes(name),
  }))
}

/** Makes the messages of a prompt; arguments that do not fit are `invalid_params`. */
export async function getPrompt(
  prompt: PromptEntry,
  args: { readonly [name: string]: string },
  context: CallContext,
): Promise<GetPromptResult | RoundEnd> {
  let input: unknown = {}
  if (prompt.input) {
    const checked = await prompt.input.validate(args)
    if (checked.issues) {
      const why = `Invalid arguments for prompt ${prompt.name}:\n${describeIssues(checked.issues)}`
      throw new RpcError('invalid_params', why, { data: { issues: checked.issues } })
    }
    input = checked.value
  }
  requireScopesOf(prompt.config.scopes, input, context)
  const pending = runHandler(context.call, () => prompt.handler(input as never, context as never)) // as above
  const returned = isPromise(pending) ? await pending : pending
  if (returned instanceof RoundEnd) return returned
  return toPromptResult(returned, prompt)
}

/** What a handler returned, as a result; what untyped code returned wrongly is its author's fault, not the caller's. */
function toPromptResult(returned: unknown, { name, config }: PromptEntry): GetPromptResult {
  const result =
    isObject(returned) && 'messages' in returned
      ? returned
      : {
          ...(config.description !== undefined && { description: config.description }),
          messages: (Array.isArray(returned) ? returned : [returned]).map(toMessage),
        }
  const problem = getPromptResult(result)
  if (problem === undefined) {
    const checked = result as GetPromptResult // just checked
    return { ...checked, messages: checked.messages.map(completed) }
  }
  throw new TypeError(
    `prompt ${name} returned no messages: return text, message(role, …), or a list of them (${describeProblem(problem)})`,
  )
}

function toMessage(part: unknown): unknown {
  return typeof part === 'string' ? message('user', part) : part
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** What a message written by hand embeds says its media type too (DEC-07). */
function completed(written: PromptMessage): PromptMessage {
  const content = toBlock(written.content)
  return content === written.content ? written : { ...written, content }
}
