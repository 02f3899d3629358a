import type { AudioContent, ContentBlock, ImageContent, TextContent } from './content.ts'
import type { JsonObject } from './json.ts'
import type { MetaObject, Role } from './metadata.ts'
import type { RequestMeta } from './progress.ts'
import type { Tool } from './tools.ts'

/** @deprecated See {@link CreateMessageRequestParams}. */
export interface ToolUseContent {
  readonly type: 'tool_use'
  /** What the `tool_result` refers to. */
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
  readonly role: Role
  readonly content: SamplingContent | readonly SamplingContent[]
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
  readonly messages: readonly SamplingMessage[]
  readonly maxTokens: number
  readonly systemPrompt?: string
  readonly temperature?: number
  readonly stopSequences?: readonly string[]
  readonly modelPreferences?: ModelPreferences
  readonly includeContext?: 'none' | 'thisServer' | 'allServers'
  readonly tools?: readonly Tool[]
  readonly toolChoice?: ToolChoice
  /** For the model provider, as it is. */
  readonly metadata?: JsonObject
  readonly _meta?: RequestMeta
}

/** @deprecated See {@link CreateMessageRequestParams}. */
export interface CreateMessageResult extends SamplingMessage {
  /** Which model answered. */
  readonly model: string
  /** Why it stopped: `endTurn`, `stopSequence`, `maxTokens`, `toolUse`, or the provider's own word. */
  readonly stopReason?: string
}
