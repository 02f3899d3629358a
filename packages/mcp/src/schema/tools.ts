import * as s from './check.ts'
import { contentBlock, type ContentBlock } from './content.ts'
import type { InputResponseParams } from './input/input.ts'
import type { JsonObject } from './json.ts'
import { icon, type Icon, type MetaObject, optionalMeta } from './metadata.ts'
import { pageShape, type Listed } from './pagination.ts'
import type { RequestMeta } from './progress.ts'
import type { JsonSchema } from './standard-schema.ts'
import type { TaskRequest } from './tasks.ts'

/** Claims of a tool about its own behaviour: hints, to be believed only of a trusted server. */
export interface ToolAnnotations {
  /** For people; `Tool.title` goes before it. */
  readonly title?: string
  /** Changes nothing. @defaultValue false */
  readonly readOnlyHint?: boolean
  /** May remove or overwrite, where it is not read-only. @defaultValue true */
  readonly destructiveHint?: boolean
  /** The same call again has no further effect, where it is not read-only. @defaultValue false */
  readonly idempotentHint?: boolean
  /** Reaches things outside a closed domain, such as the web. @defaultValue true */
  readonly openWorldHint?: boolean
}

/** How a tool may be run, in 2025-11-25. */
export interface ToolExecution {
  /** Whether it may be called as a task. @defaultValue 'forbidden' */
  readonly taskSupport?: 'forbidden' | 'optional' | 'required'
}

/** A tool as `tools/list` describes it. */
export interface Tool {
  /** The name for `tools/call`. */
  readonly name: string
  /** For people. */
  readonly title?: string
  /** For the model. */
  readonly description?: string
  /** JSON Schema of the arguments; its root is always an object. */
  readonly inputSchema: JsonSchema
  /** JSON Schema of `structuredContent`. */
  readonly outputSchema?: JsonSchema
  /** Hints about what the tool does, such as `readOnlyHint`; never a basis for trust. */
  readonly annotations?: ToolAnnotations
  /** Icons to show beside the name. */
  readonly icons?: readonly Icon[]
  /** 2025-11-25 only. */
  readonly execution?: ToolExecution
  /** Extra data, under keys with a prefix of your own; neither side has to understand it. */
  readonly _meta?: MetaObject
}

/** One page of tools. */
export type ListToolsResult = Listed<'tools', Tool>

/** Params of `tools/call`. */
export interface CallToolRequestParams extends InputResponseParams {
  readonly name: string
  readonly arguments?: JsonObject
  /** 2025-11-25 only: run it as a task. */
  readonly task?: TaskRequest
  readonly _meta?: RequestMeta
}

/** The answer to `tools/call`; with `isError` the content tells the model what went wrong. */
export interface CallToolResult<Output = unknown> {
  /** The content for the model. */
  readonly content: readonly ContentBlock[]
  /** The answer as a value, described by the tool's `outputSchema`. */
  readonly structuredContent?: Output
  /** The tool was run and failed. @defaultValue false */
  readonly isError?: boolean
  /** Extra data, under keys with a prefix of your own; neither side has to understand it. */
  readonly _meta?: MetaObject
}

const toolAnnotations = s.object<ToolAnnotations>({
  title: s.optional(s.string),
  readOnlyHint: s.optional(s.boolean),
  destructiveHint: s.optional(s.boolean),
  idempotentHint: s.optional(s.boolean),
  openWorldHint: s.optional(s.boolean),
})

const toolExecution = s.object<ToolExecution>({
  taskSupport: s.optional(s.oneOf(['forbidden', 'optional', 'required'])),
})

interface RootSchema {
  readonly $schema?: string
}
interface ObjectSchema extends RootSchema {
  readonly type: 'object'
}
const rootSchema = s.object<RootSchema>({ $schema: s.optional(s.string) })
const objectSchema = s.object<ObjectSchema>(s.fields(rootSchema, { type: s.literal('object') }))

/** A tool in a list or in a sampling request. */
export const tool = s.object<Tool>({
  name: s.string,
  title: s.optional(s.string),
  description: s.optional(s.string),
  // Only the root: the rest is for whoever compiles the schema, so that one odd tool does not cost the list.
  inputSchema: (value) => objectSchema(value),
  outputSchema: s.optional<JsonSchema>((value) => rootSchema(value)),
  annotations: s.optional(toolAnnotations),
  icons: s.optional(s.array(icon)),
  execution: s.optional(toolExecution),
  _meta: optionalMeta,
})

/** Result of `tools/list`. */
export const listToolsResult = s.object<ListToolsResult>(
  s.fields({ tools: s.array(tool) }, pageShape),
)

/** Result of `tools/call`. */
export const callToolResult = s.object<CallToolResult>({
  content: s.array(contentBlock),
  structuredContent: s.optional(s.unknown),
  isError: s.optional(s.boolean),
  _meta: optionalMeta,
})

/** A rule of the revisions up to 2025-11-25 for results: structured content is an object. */
export const objectStructuredContent = s.object<{ readonly structuredContent?: JsonObject }>({
  structuredContent: s.optional(s.jsonObject),
})

/** The types of one tool, as `parley types` writes them and `defineTool` carries them. */
export interface ToolTypes {
  /** The arguments. */
  readonly input: unknown
  /** The structured content of the result. */
  readonly output: unknown
}

/** The constraint on a set of tools by name; interfaces fit it too. */
export type ToolMap<Tools> = { readonly [N in keyof Tools]: ToolTypes }

/** When nothing is known: any name, any object. */
export interface AnyTools {
  /** Any tool. */
  readonly [name: string]: { readonly input: object; readonly output: unknown }
}
