import { randomUUID } from 'node:crypto'

import { isJsonObject } from '@parley/mcp/json'

import type { AdapterOptions, AdapterServers } from './adapter-options.ts'
import { dataUrl, imagesIn, textIn } from './answer-calls.ts'
import { bindTools, type BoundTool } from './bound-tools.ts'

/** Classes of `@langchain/core`, so that the tools are those of your copy of it. */
export interface LangChainOptions<Tool> extends AdapterOptions {
  /** The class of `@langchain/core/tools`. */
  readonly DynamicStructuredTool: new (fields: LangChainFields) => Tool
  /** The class of `@langchain/core/messages`: errors are then messages with the status `error`. @defaultValue text that says so */
  readonly ToolMessage?: (new (fields: LangChainError) => object) | undefined
}

/** The fields that a tool is made from. */
export interface LangChainFields {
  /** The name that the model calls it by. */
  name: string
  /** The description of the tool, for the model. */
  description: string
  /** JSON Schema of its arguments. */
  schema: { [name: string]: unknown }
  /** Text for the model, and the whole result beside it. */
  responseFormat: 'content_and_artifact'
  /** Makes the call. */
  func: (input: unknown, manager?: unknown, config?: LangChainConfig) => Promise<unknown>
}

/** The details of a call that LangChain passes. */
export interface LangChainConfig {
  /** Cancels the call. */
  readonly signal?: AbortSignal
  /** The call, with its id. */
  readonly toolCall?: { readonly id?: string }
}

/** A message about a call that failed. */
export interface LangChainError {
  /** The error, for the model. */
  content: string
  /** The id of the call. */
  tool_call_id: string
  /** The name of the tool. */
  name: string
  /** Says that the call failed. */
  status: 'error'
}

/** Tools of connected servers for LangChain: their content goes to the model, their structured content is the artifact. */
export async function toLangChainTools<Tool>(
  servers: AdapterServers,
  options: LangChainOptions<Tool>,
): Promise<Tool[]> {
  const tools = await bindTools(servers, options)
  return tools.map(
    (bound) =>
      new options.DynamicStructuredTool({
        name: bound.name,
        description: bound.description,
        schema: { ...bound.inputSchema },
        responseFormat: 'content_and_artifact',
        func: (input, _, config) => callFor(bound, input, config, options),
      }),
  )
}

async function callFor<Tool>(
  bound: BoundTool,
  input: unknown,
  config: LangChainConfig | undefined,
  { ToolMessage }: LangChainOptions<Tool>,
): Promise<[content: unknown, artifact: unknown]> {
  const callId = config?.toolCall?.id
  const answer = await bound.call(isJsonObject(input) ? input : {}, {
    callId: callId ?? randomUUID(),
    signal: config?.signal,
  })
  const text = textIn(answer.content)
  if (answer.isError && ToolMessage !== undefined && callId !== undefined) {
    const fields = {
      content: text,
      tool_call_id: callId,
      name: bound.name,
      status: 'error',
    } as const
    return [new ToolMessage(fields), undefined]
  }
  const images = imagesIn(answer.content).map((image) => ({
    type: 'image_url',
    image_url: { url: dataUrl(image) },
  }))
  const resultText = answer.isError ? `Error: ${text}` : text
  return [
    images.length === 0 ? resultText : [{ type: 'text', text: resultText }, ...images],
    answer.structuredContent,
  ]
}
