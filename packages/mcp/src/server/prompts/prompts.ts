/**
 * Prompts as values: `definePrompt()`, its configuration and types, and the checks when a prompt is registered. Arguments are text on the
 * wire, so a schema with other members is rejected.
 *
 * Getting a prompt is in `get-prompt.ts`, completion of its arguments in `server/completion/`.
 */

import type { ContentBlock } from '../../schema/content.ts'
import type { Role } from '../../schema/metadata.ts'
import type {
  GetPromptResult,
  Prompt,
  PromptMessage,
  PromptArgument,
} from '../../schema/prompts.ts'
import type { InferInput, InferOutput, Schema, JsonSchema } from '../../schema/standard-schema.ts'
import type { Completer } from '../completion/completion.ts'
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
import { toBlock } from '../tools/tool-result.ts'
import {
  asObjectSchema,
  prepareSchema,
  type PreparedSchema,
  invalidSchema,
  isStandardSchema,
} from '../user-schema.ts'

/** How a prompt is listed, its arguments, and who may get it. */
export interface PromptConfig<A extends Schema, App = unknown> extends FeatureConfig<App> {
  /** An object whose members start as strings: prompt arguments have no other type on the wire. */
  readonly argumentsSchema?: A | undefined
  /** The scopes that a caller needs to get it; others are refused. @defaultValue nothing */
  readonly scopes?: Scopes<InferOutput<A>, App> | undefined
  /** Suggestions for each argument. @defaultValue none */
  readonly complete?:
    | { readonly [N in keyof InferInput<A>]?: Completer<App> | undefined }
    | undefined
}

/** Refuses a schema with a member that cannot be text: prompt arguments have no other type on the wire. */
export type TextArguments<A> = [OtherThanText<InferInput<A>>] extends [never]
  ? unknown
  : {
      readonly argumentsSchema?:
        | `${OtherThanText<InferInput<A>>} cannot be text: use z.coerce.number<string>() or a transform`
        | undefined
    }

/** Names of members that cannot be text. */
type OtherThanText<Input> = {
  [N in keyof Input & string]-?: unknown extends Input[N]
    ? never
    : [Extract<Input[N], string>] extends [never]
      ? N
      : never
}[keyof Input & string]

/** The values that a handler of a prompt may return. */
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
  config: PromptConfig<A, App> & TextArguments<A>,
  handler: Handler<InferOutput<A>, App, PromptReturn>,
): Feature<App> {
  const unsent: PromptConfig<A, App> = config // what it intersects is for the author
  const source: PromptSource = { kind: 'prompt', name, config: unsent, handler }
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
  if (name === '') throw invalidDefinition(feature, 'a prompt needs a name')
  const about = `${feature}, argumentsSchema`
  const input =
    config.argumentsSchema &&
    prepareSchema(config.argumentsSchema, { ...options, feature: about, io: 'input' })
  const args =
    input && listArguments(asObjectSchema(input.json, about), config.argumentsSchema, about)
  return {
    ...source,
    input,
    listed: { name, ...describe(config), ...(args && { arguments: args }) },
  }
}

/** The arguments that a schema describes, in its order. Refuses a member that cannot be text. */
function listArguments(
  { properties = {}, required = [] }: JsonSchema,
  schema: Schema | undefined,
  feature: string,
): readonly PromptArgument[] {
  const listed = Object.entries(properties as Record<string, JsonSchema>) // by JSON Schema's own rules, as below
  return listed.map(([name, { title, description, type = 'string' }]) => {
    if (![type].flat().includes('string') && !mayConvert(name, schema)) {
      const fix = 'prompt arguments are strings, use z.coerce.number<string>() or a transform'
      throw invalidSchema(feature, `${name} cannot be text: ${fix}`)
    }
    return {
      name,
      ...(typeof title === 'string' && { title }),
      ...(typeof description === 'string' && { description }),
      required: (required as readonly string[]).includes(name),
    }
  })
}

/** Zod writes what it converts as what it becomes; of its plain types we know that they convert nothing. */
function mayConvert(name: string, schema: Schema | undefined): boolean {
  if (!isStandardSchema(schema) || schema['~standard'].vendor !== 'zod') return false
  const { shape } = schema as { readonly shape?: Record<string, ZodMember> } // an object of Zod's has it
  let def = shape?.[name]?.def
  while (def?.innerType) def = def.innerType.def
  return def === undefined || def.coerce === true || !plainTypes.test(def.type)
}
const plainTypes = /^(number|boolean|array|object)$/

/** The internals of a Zod schema that we read. */
interface ZodMember {
  readonly def: {
    readonly type: string
    readonly coerce?: boolean
    /** The schema inside an optional one, or one with a default. */
    readonly innerType?: ZodMember
  }
}
