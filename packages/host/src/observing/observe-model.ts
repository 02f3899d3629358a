import type { Model, ModelEvent, ModelMessage, ModelOptions, ModelTool } from '../models/model.ts'
import type { HostObservation, HostObserver, ModelOutcome } from './host-observer.ts'

/** Asks a model, and lets the observer watch that from here to the end of the answer. */
export function askModel(
  observer: HostObserver | undefined,
  model: Model,
  messages: readonly ModelMessage[],
  tools: readonly ModelTool[],
  options: ModelOptions,
): AsyncIterable<ModelEvent> {
  const { maxTokens, temperature, signal } = options
  const observation = observer?.beginModelRequest?.({ model: model.name, maxTokens, temperature })
  const stream = (): AsyncIterable<ModelEvent> => model.stream(messages, tools, options)
  return observation ? watched(observation, stream, signal) : stream()
}

async function* watched(
  observation: HostObservation<ModelOutcome>,
  stream: () => AsyncIterable<ModelEvent>,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  let finish: Extract<ModelEvent, { type: 'finish' }> | undefined
  let error: unknown
  let isOver = false
  let events: AsyncIterator<ModelEvent> | undefined
  try {
    const opened = observation.run(() => stream()[Symbol.asyncIterator]())
    events = opened
    for (;;) {
      const next = await observation.run(() => opened.next())
      if (next.done) break
      if (next.value.type === 'finish') finish = next.value
      yield next.value
    }
    isOver = true
  } catch (thrown) {
    isOver = true
    error = thrown
    throw thrown
  } finally {
    observation.end({
      finish: finish?.reason,
      inputTokens: finish?.usage?.inputTokens,
      outputTokens: finish?.usage?.outputTokens,
      error,
      isCancelled: signal.aborted || (!isOver && finish === undefined),
    })
    if (!isOver) await events?.return?.() // who reads has left
  }
}
