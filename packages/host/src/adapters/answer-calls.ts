import type { JsonObject } from '@parley/mcp'
import { parseJsonObject } from '@parley/mcp/json'

import type { ModelContent } from '../models/model.ts'
import type { BoundTool, ToolOutcome } from './bound-tools.ts'
import { rejection } from './call-bound-tool.ts'

/** A call as a provider reports it. */
export interface ReportedCall {
  readonly id: string
  readonly name: string
  /** Text of the model, or what it was parsed to. */
  readonly arguments: string | JsonObject
}

/** A call with its answer. */
export interface CompletedCall {
  readonly call: ReportedCall
  readonly answer: ToolOutcome
}

/** How a round of calls ends early. */
export interface AnswerOptions {
  /** Cancels all calls of the round. */
  readonly signal?: AbortSignal | undefined
}

/** Makes the calls of one answer side by side. Unknown tools and broken arguments are answered too: providers want every call answered. */
export function answerCalls(
  tools: readonly BoundTool[],
  calls: readonly ReportedCall[],
  { signal }: AnswerOptions = {},
): Promise<readonly CompletedCall[]> {
  return Promise.all(
    calls.map(async (call) => {
      const tool = tools.find((candidate) => candidate.name === call.name)
      if (tool === undefined) {
        return { call, answer: rejection(`there is no tool ${JSON.stringify(call.name)}`) }
      }
      const args = argumentsOf(call)
      if (args === undefined) {
        const text = `${call.name} was not called: its arguments must be one JSON object`
        return { call, answer: rejection(text) }
      }
      return { call, answer: await tool.call(args, { callId: call.id, signal }) }
    }),
  )
}

function argumentsOf({ arguments: input }: ReportedCall): JsonObject | undefined {
  if (typeof input !== 'string') return input
  return input.trim() === '' ? {} : parseJsonObject(input)
}

/** The text of an answer. Images are named in it already. */
export function textIn(content: readonly ModelContent[]): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

/** Returns the `data:` URL that providers take for an address. */
export function dataUrl({ mimeType, data }: Extract<ModelContent, { type: 'image' | 'audio' }>) {
  return `data:${mimeType};base64,${data}`
}

/** Those parts that are images. */
export function imagesIn(content: readonly ModelContent[]) {
  return content.flatMap((part) => (part.type === 'image' ? [{ ...part, type: part.type }] : []))
}
