import { isJsonObject } from '@parley/mcp/json'

import type { AdapterOptions, AdapterServers } from './adapter-options.ts'
import {
  answerCalls,
  imagesIn,
  textIn,
  type CompletedCall,
  type AnswerOptions,
} from './answer-calls.ts'
import { bindTools } from './bound-tools.ts'

/** Tools for the package `@anthropic-ai/sdk`. */
export interface AnthropicTools {
  /** For `messages.create`. */
  readonly tools: AnthropicTool[]
  /** Makes the calls of a message, and returns the message that goes behind it; undefined if there are none. */
  answer(
    message: AnthropicMessage,
    options?: AnswerOptions,
  ): Promise<{ role: 'user'; content: AnthropicResult[] } | undefined>
}

/** A tool of the Messages API. */
export interface AnthropicTool {
  /** The name that the model calls it by. */
  name: string
  /** The description of the tool, for the model. */
  description: string
  /** JSON Schema of its arguments. */
  input_schema: { type: 'object'; [name: string]: unknown }
}

/** The members of a model's message that are read. */
export interface AnthropicMessage {
  /** Its blocks; those of type `tool_use` are calls. */
  readonly content: readonly { readonly type: string }[]
}

/** The result of one call. */
export interface AnthropicResult {
  /** Says that it is a result. */
  type: 'tool_result'
  /** The id of the call. */
  tool_use_id: string
  /** The call failed, or was refused. */
  is_error: boolean
  /** Text and images of the result. */
  content: (
    | { type: 'text'; text: string }
    | {
        type: 'image'
        source: { type: 'base64'; media_type: AnthropicImageType; data: string }
      }
  )[]
}

/** The images that the API takes. */
export type AnthropicImageType = (typeof imageTypes)[number]

const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const

/** Tools of connected servers for the package `@anthropic-ai/sdk`. */
export async function toAnthropicTools(
  servers: AdapterServers,
  options: AdapterOptions,
): Promise<AnthropicTools> {
  const tools = await bindTools(servers, options)
  return {
    tools: tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      input_schema: { ...inputSchema, type: 'object' },
    })),
    async answer({ content }, answerOptions) {
      const calls = content
        .filter(isToolUse)
        .map(({ id, name, input }) => ({ id, name, arguments: isJsonObject(input) ? input : '[]' }))
      if (calls.length === 0) return undefined
      const results = await answerCalls(tools, calls, answerOptions)
      return { role: 'user', content: results.map(resultOf) }
    },
  }
}

interface ToolUse {
  readonly type: string
  readonly id: string
  readonly name: string
  readonly input: unknown
}

function isToolUse(block: { readonly type: string }): block is ToolUse {
  return block.type === 'tool_use' && 'id' in block && 'name' in block && 'input' in block
}

function resultOf({ call, answer }: CompletedCall): AnthropicResult {
  const images = imagesIn(answer.content).map(({ mimeType, data }) => {
    const type = imageTypes.find((candidate) => candidate === mimeType)
    if (type === undefined) return { type: 'text' as const, text: `[${mimeType}, not shown]` }
    const source = { type: 'base64' as const, media_type: type, data }
    return { type: 'image' as const, source }
  })
  return {
    type: 'tool_result',
    tool_use_id: call.id,
    is_error: answer.isError,
    content: [{ type: 'text', text: textIn(answer.content) }, ...images],
  }
}
