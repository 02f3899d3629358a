/**
 * A language model as the host needs it: `Model`, the messages it gets, and the events it answers with. Types only.
 * `open-model.ts` implements it on the providers' packages, `scripted-model.ts` for tests and examples; a program may bring its
 * own.
 */

import type { JsonObject } from '@parley/mcp'

/** A language model, as the host needs it. */
export interface Model {
  /** The name by which people choose it: `openai/gpt-5`, `ollama/llama3`, `scripted`. */
  readonly name: string
  /** How much it can read at once, in tokens. */
  readonly contextTokens?: number | undefined
  /** The kinds of content that it takes besides text. @defaultValue text alone */
  readonly accepts?: { readonly images?: boolean; readonly audio?: boolean } | undefined
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
  /** The description of the tool. */
  readonly description?: string | undefined
  /** JSON Schema of its arguments. */
  readonly inputSchema: JsonObject
}

/** A message of the conversation with a model, by who says it. */
export type ModelMessage =
  | {
      /** Instructions, before everything else. */
      readonly role: 'system'
      /** The instructions. */
      readonly text: string
    }
  | {
      /** A message of the user. */
      readonly role: 'user'
      /** Text, images and sound, in order. */
      readonly content: readonly ModelContent[]
    }
  | {
      /** A message of the model. */
      readonly role: 'assistant'
      /** The text of the answer; empty if it only asked for calls. */
      readonly text: string
      /** The calls it asked for. */
      readonly calls: readonly ModelCall[]
      /** Data that the provider wants back with the next request, such as signed reasoning. Others ignore it. */
      readonly provider?: JsonObject | undefined
    }
  | {
      /** The result of a call. */
      readonly role: 'tool'
      /** The id of the call, as the model gave it. */
      readonly callId: string
      /** The tool that was called. */
      readonly name: string
      /** The result as the model reads it. */
      readonly content: readonly ModelContent[]
      /** Whether the call failed. */
      readonly isError: boolean
    }

/** One part of a message. */
export type ModelContent =
  | {
      /** Text. */
      readonly type: 'text'
      /** The text. */
      readonly text: string
    }
  | {
      /** An image or a sound. */
      readonly type: 'image' | 'audio'
      /** The media type, such as `image/png`. */
      readonly mimeType: string
      /** The bytes in base64. */
      readonly data: string
    }

/** A call the model asks for. */
export interface ModelCall {
  /** The id that its result refers to. */
  readonly id: string
  /** The tool, by the name that the model knows. */
  readonly name: string
  /** The text that the model wrote. It may not be JSON. */
  readonly argumentsText: string
}

/** A piece of an answer, as it arrives. */
export type ReplyPart =
  | {
      /** A piece of the answer. */
      readonly type: 'text'
      /** The text to add to what came before. */
      readonly text: string
    }
  | {
      /** A piece of what the model thinks before it answers. */
      readonly type: 'reasoning'
      /** The text to add to what came before. */
      readonly text: string
    }

/** The events of a model's answer; the last is `finish`. */
export type ModelEvent =
  | ReplyPart
  | {
      /** The model asks for a call. */
      readonly type: 'call'
      /** The call, complete. */
      readonly call: ModelCall
    }
  | {
      /** The answer is complete. */
      readonly type: 'finish'
      /** Why it ended: done, too long, waiting for calls, withheld by the provider, or something else. */
      readonly reason: 'stop' | 'length' | 'calls' | 'filter' | 'other'
      /** The tokens of the answer, if the provider reports them. */
      readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number } | undefined
      /** Data that the provider needs back with this answer in the next request. */
      readonly provider?: JsonObject | undefined
    }
