import type { JsonObject } from '@parley/mcp'

import type { ModelMessage, ModelOptions, ModelTool } from './model.ts'

/** The answer of a scripted model to one request: text first, then calls, then an error if there is one. */
export interface ScriptedReply {
  /** Several pieces arrive one by one, as tokens do. */
  readonly text?: string | readonly string[] | undefined
  /** Its reasoning before the answer. */
  readonly reasoning?: string | readonly string[] | undefined
  /** The calls that it asks for. @defaultValue none */
  readonly calls?: readonly ScriptedCall[] | undefined
  /** Thrown after text and calls: a `ModelError`, or what your code has to survive. */
  readonly error?: Error | undefined
  /** The answer begins when this has resolved. A function is called when the request arrives. */
  readonly waitFor?: Promise<unknown> | (() => Promise<unknown>) | undefined
  /** The rest of the answer comes when this has resolved: after the first piece of text. */
  readonly pauseUntil?: Promise<unknown> | (() => Promise<unknown>) | undefined
  /** @defaultValue 'calls' with calls, else 'stop' */
  readonly finish?: 'stop' | 'length' | 'calls' | 'filter' | 'other' | undefined
  /** The tokens that it says it used. */
  readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number } | undefined
  /** Data that comes back with the next request. */
  readonly provider?: JsonObject | undefined
}

/** A call of a scripted answer. */
export interface ScriptedCall {
  /** The tool, by the name that the model knows. */
  readonly name: string
  /** Its arguments. @defaultValue an empty object */
  readonly arguments?: JsonObject | undefined
  /** Instead of `arguments`: what the model wrote, which may be no JSON. */
  readonly argumentsText?: string | undefined
  /** @defaultValue call-1, call-2 and so on */
  readonly id?: string | undefined
}

/** A request that a scripted model was sent. */
export interface ScriptedRequest {
  /** The conversation as it was sent. */
  readonly messages: readonly ModelMessage[]
  /** The tools that it got. */
  readonly tools: readonly ModelTool[]
  /** The other options of the request. */
  readonly options: ModelOptions
  /** 0 for the first one. */
  readonly index: number
}

/** An answer, its text alone, or a function that makes one from the request. */
export type ScriptedTurn =
  | string
  | ScriptedReply
  | ((request: ScriptedRequest) => string | ScriptedReply | Promise<string | ScriptedReply>)
