import type { ModelMessage, ModelTool } from '../models/model.ts'

/** An estimate, not a count: four bytes of UTF-8 to a token. Providers count differently. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4)
}

/** Definitions go with every request; what does not change is counted once. */
const counted = new WeakMap<ModelTool, number>()

/** The same for a tool's definition. */
export function estimateTool(tool: ModelTool): number {
  const cached = counted.get(tool)
  if (cached !== undefined) return cached
  const { name, description = '', inputSchema } = tool
  const text = `${name}${description}${JSON.stringify(inputSchema)}`
  const tokens = estimateTokens(text)
  counted.set(tool, tokens)
  return tokens
}

/** Messages go with every request too. */
const countedMessages = new WeakMap<ModelMessage, number>()

/** The same for a message; an image or a sound counts as 1000. */
export function estimateMessage(message: ModelMessage): number {
  const cached = countedMessages.get(message)
  if (cached !== undefined) return cached
  const tokens = countMessage(message)
  countedMessages.set(message, tokens)
  return tokens
}

function countMessage(message: ModelMessage): number {
  switch (message.role) {
    case 'system':
      return estimateTokens(message.text)
    case 'assistant':
      return message.calls.reduce(
        (sum, { name, argumentsText }) =>
          sum + estimateTokens(name) + estimateTokens(argumentsText),
        estimateTokens(message.text),
      )
    case 'user':
    case 'tool':
      return message.content.reduce(
        (sum, part) => sum + (part.type === 'text' ? estimateTokens(part.text) : 1_000),
        0,
      )
  }
}
