import type { JsonObject } from '@parley/mcp'

/** A language model, as the host needs it. */
export interface Model {
  /** As people choose it: `openai/gpt-5`, `ollama/llama3`, `scripted`. */
  readonly name: string
  /** How much it can read at once, in tokens. */
  readonly contextTokens?: number | undefined
  /** What it takes besides text. @defaultValue text alone */
  readonly takes?: { readonly images?: boolean; readonly audio?: boolean } | undefined
  /** Ends after `finish`. Rejects with `ModelError`; ends at once when the signal is aborted. */
  stream(
    messages: readonly ModelMessage[],
    tools: readonly ModelTool[],
    options: ModelOptions,
  ): AsyncIterable<ModelEvent>
}

/** How one request to a model is made. */
export interface ModelOptions {
  /** Ends the answer at once. */
  readonly signal: AbortSignal
  /** The most tokens that it may write. @defaultValue what the provider allows */
  readonly maxTokens?: number | undefined
  /** How much chance there is in the answer. @defaultValue the provider's own */
  readonly temperature?: number | undefined
  /** It stops when it writes one of these. @defaultValue none */
  readonly stopSequences?: readonly string[] | undefined
  /** `none`: it may only answer. @defaultValue 'auto' */
  readonly toolChoice?: 'auto' | 'none' | 'required' | undefined
  /** Called before a try is repeated, such as after a 429. */
  readonly onRetry?: ((retry: ModelRetry) => void) | undefined
}

/** A request that is about to be sent again. */
export interface ModelRetry {
  /** Which attempt failed, from 1. */
  readonly attempt: number
  /** How long it waits before the next. */
  readonly delayMs: number
  /** Why it failed, in words. */
  readonly reason: string
}

/** A tool as the model sees it. */
export interface ModelTool {
  /** Matches `^[A-Za-z0-9_-]{1,64}$`. */
  readonly name: string
  /** What it does. */
  readonly description?: string | undefined
  /** JSON Schema of its arguments. */
  readonly inputSchema: JsonObject
}

/** A message of the conversation with a model, by who says it. */
export type ModelMessage =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly content: readonly ModelContent[] }
  | {
      readonly role: 'assistant'
      readonly text: string
      readonly calls: readonly ModelCall[]
      /** What the provider wants back with the next request, such as signed reasoning. Others ignore it. */
      readonly provider?: JsonObject | undefined
    }
  | {
      readonly role: 'tool'
      readonly callId: string
      readonly name: string
      readonly content: readonly ModelContent[]
      readonly isError: boolean
    }

/** One part of a message. */
export type ModelContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly mimeType: string; readonly data: string }

/** A call the model asks for. */
export interface ModelCall {
  /** The id that its result refers to. */
  readonly id: string
  /** The tool, by the name that the model knows. */
  readonly name: string
  /** As the model wrote it. It may be no JSON at all. */
  readonly argumentsText: string
}

/** One piece of an answer, as it arrives; the last is `finish`. */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'call'; readonly call: ModelCall }
  | {
      readonly type: 'finish'
      readonly reason: 'stop' | 'length' | 'calls' | 'filter' | 'other'
      readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number } | undefined
      readonly provider?: JsonObject | undefined
    }
