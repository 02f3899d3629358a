/**
 * Tools of connected servers for the package `openai`: definitions for chat completions and for responses, and a function for each
 * that makes the calls of one answer and returns what is sent back. Only shapes: listing is `bound-tools.ts`, deciding and calling
 * `call-bound-tool.ts`.
 */

import type { JsonObject } from '@parley/mcp'

import type { AdapterOptions, AdapterServers } from './adapter-options.ts'
import {
  answerCalls,
  dataUrl,
  imagesIn,
  textIn,
  type CompletedCall,
  type AnswerOptions,
} from './answer-calls.ts'
import { bindTools } from './bound-tools.ts'

/** Tools for the package `openai`, in the two forms of its API. */
export interface OpenAiTools {
  /** For `chat.completions.create`. */
  readonly chat: {
    readonly tools: OpenAiChatTool[]
    /** Makes the calls of a message. What it returns goes behind that message, even if it is empty. */
    answer(message: OpenAiChatMessage, options?: AnswerOptions): Promise<OpenAiToolMessage[]>
  }
  /** For `responses.create`. */
  readonly responses: {
    readonly tools: OpenAiResponseTool[]
    /** Makes the calls of a response. What it returns goes behind its `output`. */
    answer(response: OpenAiResponse, options?: AnswerOptions): Promise<OpenAiResponseOutput[]>
  }
}

/** A tool of chat completions. */
export interface OpenAiChatTool {
  /** Says that it is a function. */
  type: 'function'
  /** Name, description and JSON Schema of the arguments. */
  function: { name: string; description: string; parameters: { [name: string]: unknown } }
}

/** A tool of responses. */
export interface OpenAiResponseTool {
  /** Says that it is a function. */
  type: 'function'
  /** The name that the model calls it by. */
  name: string
  /** The description of the tool, for the model. */
  description: string
  /** JSON Schema of its arguments. */
  parameters: { [name: string]: unknown }
  /** Always false: MCP allows schemas that strict mode does not. */
  strict: boolean
}

/** The members of a model's message that are read. */
export interface OpenAiChatMessage {
  /** The calls that it asks for; absent or null if there are none. */
  readonly tool_calls?: readonly OpenAiChatCall[] | null | undefined
}

/** A call in a message. Those of other kinds than `function` are not ours. */
export interface OpenAiChatCall {
  /** The id of the call. */
  readonly id: string
  /** The kind of call. */
  readonly type: string
  /** Name and arguments, as the model wrote them. */
  readonly function?: { readonly name: string; readonly arguments: string }
}

/** The messages to send back: a result for each call, and images behind them, since a result is text. */
export type OpenAiToolMessage =
  | {
      /** The result of a call. */
      role: 'tool'
      /** The id that the model gave the call. */
      tool_call_id: string
      /** The result as text. */
      content: string
    }
  | {
      /** Images of results, as a message of the user. */
      role: 'user'
      /** The images, each after a text that says which call it belongs to. */
      content: (
        | { type: 'text'; text: string }
        | { type: 'image_url'; image_url: { url: string } }
      )[]
    }

/** The members of a response that are read. */
export interface OpenAiResponse {
  /** Its items; those of type `function_call` are calls. */
  readonly output: readonly { readonly type: string }[]
}

/** The items to send back: the output of each call. */
export interface OpenAiResponseOutput {
  /** Says that it answers a call. */
  type: 'function_call_output'
  /** The id of the call. */
  call_id: string
  /** Text, or text and images. */
  output:
    | string
    | (
        | { type: 'input_text'; text: string }
        | { type: 'input_image'; image_url: string; detail: 'auto' }
      )[]
}

/** Tools of connected servers for the package `openai`: chat completions and responses. */
export async function toOpenAiTools(
  servers: AdapterServers,
  options: AdapterOptions,
): Promise<OpenAiTools> {
  const tools = await bindTools(servers, options)
  return {
    chat: {
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: 'function',
        function: { name, description, parameters: { ...inputSchema } },
      })),
      async answer({ tool_calls }, answerOptions) {
        const calls = (tool_calls ?? []).flatMap(({ id, function: called }) =>
          called === undefined ? [] : [{ id, name: called.name, arguments: called.arguments }],
        )
        return chatAnswers(await answerCalls(tools, calls, answerOptions))
      },
    },
    responses: {
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: 'function',
        name,
        description,
        parameters: { ...inputSchema },
        strict: false,
      })),
      async answer({ output }, answerOptions) {
        const calls = output.filter(isFunctionCall).map((item) => ({ ...item, id: item.call_id }))
        return (await answerCalls(tools, calls, answerOptions)).map(responseAnswer)
      },
    },
  }
}

interface FunctionCall extends JsonObject {
  readonly call_id: string
  readonly name: string
  readonly arguments: string
}

function isFunctionCall(item: { readonly type: string }): item is FunctionCall & typeof item {
  return item.type === 'function_call' && 'call_id' in item && 'name' in item
}

/** Nothing may stand between the results, so all images come last. */
function chatAnswers(outcome: readonly CompletedCall[]): OpenAiToolMessage[] {
  const results = outcome.map(({ call, answer }): OpenAiToolMessage => ({
    role: 'tool',
    tool_call_id: call.id,
    content: textIn(answer.content),
  }))
  const images = outcome.flatMap(({ call, answer }) =>
    imagesIn(answer.content).flatMap((image) => [
      { type: 'text' as const, text: `[Image in the result of ${call.name}]` },
      { type: 'image_url' as const, image_url: { url: dataUrl(image) } },
    ]),
  )
  return images.length === 0 ? results : [...results, { role: 'user', content: images }]
}

function responseAnswer({ call, answer }: CompletedCall): OpenAiResponseOutput {
  const text = textIn(answer.content)
  const images = imagesIn(answer.content).map((image) => ({
    type: 'input_image' as const,
    image_url: dataUrl(image),
    detail: 'auto' as const,
  }))
  const output = images.length === 0 ? text : [{ type: 'input_text' as const, text }, ...images]
  return { type: 'function_call_output', call_id: call.id, output }
}
