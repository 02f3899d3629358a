/**
 * Types and checks of `sampling/createMessage`, deprecated since 2026-07-28, and the rules for tool use in its messages.
 */

import { oneOrMany } from '../check-unions.ts'
import * as s from '../check.ts'
import type { Problem } from '../check.ts'
import {
  audioContent,
  contentBlock,
  imageContent,
  textContent,
  type AudioContent,
  type ContentBlock,
  type ImageContent,
  type TextContent,
} from '../content.ts'
import type { JsonObject } from '../json.ts'
import { role, type MetaObject, type Role, optionalMeta } from '../metadata.ts'
import { type RequestMeta, optionalRequestMeta } from '../progress.ts'
import { tool, type Tool } from '../tools.ts'

/** @deprecated See {@link CreateMessageRequestParams}. */
export interface ToolUseContent {
  readonly type: 'tool_use'
  /** The id of the tool use that this is the result of. */
  readonly id: string
  readonly name: string
  readonly input: JsonObject
  readonly _meta?: MetaObject
}

/** @deprecated See {@link CreateMessageRequestParams}. */
export interface ToolResultContent {
  readonly type: 'tool_result'
  /** The `id` of the `tool_use` it answers. */
  readonly toolUseId: string
  readonly content: readonly ContentBlock[]
  readonly structuredContent?: unknown
  readonly isError?: boolean
  readonly _meta?: MetaObject
}

/** @deprecated See {@link CreateMessageRequestParams}. */
export type SamplingContent =
  | TextContent
  | ImageContent
  | AudioContent
  | ToolUseContent
  | ToolResultContent

/** @deprecated See {@link CreateMessageRequestParams}. */
export interface SamplingMessage {
  /** The role of the speaker. */
  readonly role: Role
  /** One block, or several. */
  readonly content: SamplingContent | readonly SamplingContent[]
  /** Extra data, under keys with a prefix of your own; neither side has to understand it. */
  readonly _meta?: MetaObject
}

/** @deprecated See {@link CreateMessageRequestParams}. */
export interface ModelHint {
  /** A model's name or a part of it. */
  readonly name?: string
}

/** @deprecated See {@link CreateMessageRequestParams}. */
export interface ModelPreferences {
  /** Names to look for, best first. */
  readonly hints?: readonly ModelHint[]
  /** How much a low price matters, 0 to 1. */
  readonly costPriority?: number
  /** How much a fast answer matters, 0 to 1. */
  readonly speedPriority?: number
  /** How much an able model matters, 0 to 1. */
  readonly intelligencePriority?: number
}

/** @deprecated See {@link CreateMessageRequestParams}. */
export interface ToolChoice {
  /** @defaultValue 'auto' */
  readonly mode?: 'auto' | 'required' | 'none'
}

/** @deprecated Sampling is deprecated since 2026-07-28 (SEP-2577). Call a model provider instead. */
export interface CreateMessageRequestParams {
  /** The conversation so far, oldest first. */
  readonly messages: readonly SamplingMessage[]
  /** The most tokens that the model may write. */
  readonly maxTokens: number
  /** A system prompt; the client may change it or leave it out. */
  readonly systemPrompt?: string
  /** How much chance there is in the answer, as the model understands it. */
  readonly temperature?: number
  /** The model stops when it writes one of these. */
  readonly stopSequences?: readonly string[]
  /** Which models would fit; the client chooses. */
  readonly modelPreferences?: ModelPreferences
  /** Whether the client adds context of this server, or of all. @defaultValue 'none' */
  readonly includeContext?: 'none' | 'thisServer' | 'allServers'
  /** Tools that the model may ask the server to run; only for clients that declare `sampling.tools`. */
  readonly tools?: readonly Tool[]
  /** Whether the model may, must or must not use a tool. @defaultValue it may */
  readonly toolChoice?: ToolChoice
  /** For the model provider, as it is. */
  readonly metadata?: JsonObject
  /** Extra data of the request. */
  readonly _meta?: RequestMeta
}

/** @deprecated See {@link CreateMessageRequestParams}. */
export interface CreateMessageResult extends SamplingMessage {
  /** Which model answered. */
  readonly model: string
  /** Why it stopped: `endTurn`, `stopSequence`, `maxTokens`, `toolUse`, or the provider's own word. */
  readonly stopReason?: string
}

const toolUseContent = s.object<ToolUseContent>({
  type: s.literal('tool_use'),
  id: s.string,
  name: s.string,
  input: s.jsonObject,
  _meta: optionalMeta,
})

const toolResultContent = s.object<ToolResultContent>({
  type: s.literal('tool_result'),
  toolUseId: s.string,
  content: s.array(contentBlock),
  structuredContent: s.optional(s.unknown),
  isError: s.optional(s.boolean),
  _meta: optionalMeta,
})

const samplingContent = s.tagged<SamplingContent, 'type'>('type', {
  text: textContent,
  image: imageContent,
  audio: audioContent,
  tool_use: toolUseContent,
  tool_result: toolResultContent,
})

const samplingMessage = s.object<SamplingMessage>({
  role,
  content: oneOrMany(samplingContent),
  _meta: optionalMeta,
})

const priority = s.range(0, 1)

const modelPreferences = s.object<ModelPreferences>({
  hints: s.optional(s.array(s.object<ModelHint>({ name: s.optional(s.string) }))),
  costPriority: s.optional(priority),
  speedPriority: s.optional(priority),
  intelligencePriority: s.optional(priority),
})

const toolChoice = s.object<ToolChoice>({
  mode: s.optional(s.oneOf(['auto', 'required', 'none'])),
})

/** Params of `sampling/createMessage`. */
export const createMessageParams = s.object<CreateMessageRequestParams>({
  messages: s.array(samplingMessage),
  maxTokens: s.integer,
  systemPrompt: s.optional(s.string),
  temperature: s.optional(s.number),
  stopSequences: s.optional(s.array(s.string)),
  modelPreferences: s.optional(modelPreferences),
  includeContext: s.optional(s.oneOf(['none', 'thisServer', 'allServers'])),
  tools: s.optional(s.array(tool)),
  toolChoice: s.optional(toolChoice),
  metadata: s.optional(s.jsonObject),
  _meta: optionalRequestMeta,
})

/** Result of `sampling/createMessage`. */
export const createMessageResult = s.object<CreateMessageResult>(
  s.fields(samplingMessage, { model: s.string, stopReason: s.optional(s.string) }),
)

/**
 * What is wrong with how tools are used in a conversation, or nothing: every use is answered at once, and answers come
 * alone. See the section on tool use of the sampling page.
 */
export function toolUseProblem(messages: readonly SamplingMessage[]): Problem | undefined {
  for (const [index, message] of messages.entries()) {
    const blocks = blocksOf(message)
    if (hasMixedResults(blocks)) {
      return { path: ['messages', index, 'content'], expected: 'nothing beside tool_result' }
    }
    const missing = unanswered(blocks, messages[index + 1])
    if (missing !== undefined) {
      const expected = `a user message with the tool_result of ${JSON.stringify(missing)}`
      return { path: ['messages', index + 1], expected }
    }
  }
  return undefined
}

/** The blocks of a message, which may be written as one. */
export function blocksOf({ content }: SamplingMessage): readonly SamplingContent[] {
  return Array.isArray(content) ? content : [content as SamplingContent] // Array.isArray does not narrow readonly arrays
}

function hasMixedResults(blocks: readonly SamplingContent[]): boolean {
  const isResult = blocks.map(({ type }) => type === 'tool_result')
  return isResult.includes(true) && isResult.includes(false)
}

function unanswered(
  blocks: readonly SamplingContent[],
  next: SamplingMessage | undefined,
): string | undefined {
  const used = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
  if (used.length === 0) return undefined
  const respondedIds = new Set(
    next?.role === 'user'
      ? blocksOf(next).map((block) => (block.type === 'tool_result' ? block.toolUseId : undefined))
      : [],
  )
  return used.find((id) => !respondedIds.has(id))
}
