import type { Model, ModelEvent, ModelMessage, ModelOptions, ModelTool } from '@parley/host/models'

/** What a model answers, one event after another, into a list that stays when it fails. */
export async function ask(
  model: Model,
  messages: readonly ModelMessage[],
  tools: readonly ModelTool[] = [],
  options: Partial<ModelOptions> = {},
  events: ModelEvent[] = [],
): Promise<readonly ModelEvent[]> {
  const all = { signal: new AbortController().signal, ...options }
  for await (const event of model.stream(messages, tools, all)) events.push(event)
  return events
}

export function textOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.text : '')).join('')
}

export function said(text: string): ModelMessage {
  return { role: 'user', content: [{ type: 'text', text }] }
}

/** The message that an answer becomes in the next request. */
export function messageOf(events: readonly ModelEvent[]): ModelMessage {
  const finish = events.find((event) => event.type === 'finish')
  return {
    role: 'assistant',
    text: textOf(events),
    calls: events.flatMap((event) => (event.type === 'call' ? [event.call] : [])),
    ...(finish?.provider !== undefined && { provider: finish.provider }),
  }
}

export function resultOf(callId: string, name: string, text: string): ModelMessage {
  return { role: 'tool', callId, name, content: [{ type: 'text', text }], isError: false }
}
