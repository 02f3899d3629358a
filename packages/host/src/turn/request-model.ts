import { estimateMessage, estimateTokens, estimateTool } from '../context/estimate.ts'
import type { ModelCall, ModelEvent, ModelMessage, ModelTool } from '../models/model.ts'
import { askModel } from '../observing/observe-model.ts'
import type { TurnContext } from './turn-parts.ts'

/** One answer of the model. */
export interface ModelReply {
  readonly text: string
  readonly calls: readonly ModelCall[]
  readonly finish: Extract<ModelEvent, { type: 'finish' }>['reason']
  readonly tokens: number
  readonly provider: Extract<ModelEvent, { type: 'finish' }>['provider']
  /** It broke off, for this reason. What came before is kept. */
  readonly error?: unknown
}

/** Asks the model once; text goes out as it comes. Never rejects. */
export async function requestModel(
  messages: readonly ModelMessage[],
  tools: readonly ModelTool[],
  { model, observer, signal, emit, capacity }: TurnContext,
): Promise<ModelReply> {
  let text = ''
  const calls: ModelCall[] = []
  let finish: Extract<ModelEvent, { type: 'finish' }> | undefined
  let error: unknown
  try {
    const events = askModel(observer, model, messages, tools, {
      signal,
      onRetry: ({ attempt, delayMs, reason }) =>
        emit({
          type: 'notice',
          code: 'model-retry',
          message: `${reason}: attempt ${attempt} in ${Math.round(delayMs)} ms`,
        }),
    })
    for await (const event of events) {
      if (signal.aborted) break
      if (event.type === 'text') {
        text += event.text
        emit(event)
      } else if (event.type === 'reasoning') emit(event)
      else if (event.type === 'call') calls.push(event.call)
      else finish = event
      await capacity()
    }
  } catch (thrown) {
    error = thrown
  }
  const { inputTokens, outputTokens } = finish?.usage ?? {}
  const input = inputTokens ?? estimateInput(messages, tools)
  return {
    text,
    calls: error === undefined ? calls : [],
    finish: finish?.reason ?? 'other',
    tokens: input + (outputTokens ?? estimateTokens(text)),
    provider: finish?.provider,
    error,
  }
}

function estimateInput(messages: readonly ModelMessage[], tools: readonly ModelTool[]): number {
  const ofMessages = messages.reduce((sum, message) => sum + estimateMessage(message), 0)
  return tools.reduce((sum, tool) => sum + estimateTool(tool), ofMessages)
}
