import type { JsonObject } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import type { ModelContent } from '../models/model.ts'
import type { AdapterOptions, AdapterServers } from './adapter-options.ts'
import { bindTools, type BoundTool, type ToolOutcome } from './bound-tools.ts'

/** A tool of the AI SDK (package `ai`, version 6). */
export interface AiTool {
  /** Says that the types are known only at run time. */
  readonly type: 'dynamic'
  /** The description of the tool, for the model. */
  readonly description: string
  /** A name for people. */
  readonly title?: string
  /** The schema of its arguments. */
  readonly inputSchema: AiSchema
  /** Throws what the model is to read as an error. */
  readonly execute: (input: unknown, options: AiCallOptions) => Promise<AiToolOutput>
  /** Makes of a result what the model reads. */
  readonly toModelOutput: (options: { readonly output: unknown }) => AiModelOutput
}

/** The details of a call that the AI SDK passes. */
export interface AiCallOptions {
  /** The id of the call. */
  readonly toolCallId: string
  /** Cancels the call. */
  readonly abortSignal?: AbortSignal | undefined
}

/** The result of a call, as a page or a program reads it. */
export type AiToolOutput = Pick<ToolOutcome, 'content' | 'structuredContent'>

/** The result as the model reads it. */
export interface AiModelOutput {
  /** Always `content`. */
  type: 'content'
  /** Text, images and files, in the order of the result. */
  value: (
    | { type: 'text'; text: string }
    | { type: 'image-data' | 'file-data'; data: string; mediaType: string }
  )[]
}

/** A schema as the AI SDK takes it. */
export interface AiSchema {
  /** The member that Standard Schema v1 defines: how a value is checked. */
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => { readonly value: unknown }
  }
}

/** Tools of connected servers for `generateText` and `streamText` of the AI SDK (package `ai`, version 6). */
export async function toAiTools(
  servers: AdapterServers,
  options: AdapterOptions,
): Promise<{ [name: string]: AiTool }> {
  const tools = await bindTools(servers, options)
  return Object.fromEntries(tools.map((tool) => [tool.name, aiTool(tool)]))
}

function aiTool(bound: BoundTool): AiTool {
  const { description, inputSchema, tool } = bound
  return {
    type: 'dynamic',
    description,
    ...(tool.title !== undefined && { title: tool.title }),
    inputSchema: schemaOf(inputSchema),
    async execute(input, { toolCallId, abortSignal }) {
      const args = isJsonObject(input) ? input : {}
      const answer = await bound.call(args, { callId: toolCallId, signal: abortSignal })
      if (answer.isError) throw new Error(textOf(answer.content))
      const { content, structuredContent } = answer
      return { content, ...(structuredContent !== undefined && { structuredContent }) }
    },
    toModelOutput: ({ output }) => ({ type: 'content', value: contentOf(output).map(modelPart) }),
  }
}

/**
 * The mark by which the AI SDK knows a JSON Schema that it sends as it is. By the standard interface alone it would
 * forbid all members that a schema does not name.
 */
const schemaMark = Symbol.for('vercel.ai.schema')

function schemaOf(jsonSchema: JsonObject): AiSchema {
  const marked = { [schemaMark]: true, _type: undefined, jsonSchema, validate: undefined }
  return {
    ...marked,
    '~standard': { version: 1, vendor: 'parley', validate: (value) => ({ value }) },
  }
}

/** Reads the value that `execute` returned, which may have been stored meanwhile. */
function contentOf(output: unknown): readonly ModelContent[] {
  const content = typeof output === 'object' && output !== null && Reflect.get(output, 'content')
  return Array.isArray(content) ? (content as readonly ModelContent[]) : [] // we returned it
}

function modelPart(part: ModelContent): AiModelOutput['value'][number] {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const type = part.type === 'image' ? 'image-data' : 'file-data'
  return { type, data: part.data, mediaType: part.mimeType }
}

function textOf(content: readonly ModelContent[]): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
}
