import type { ModelMessage, ModelTool } from '../models/model.ts'

/** An estimate, not a count: four bytes of UTF-8 to a token. Providers count differently. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4)
}

/** The same for a tool's definition. */
export function estimateTool({ name, description = '', inputSchema }: ModelTool): number {
  return (
    estimateTokens(name) + estimateTokens(description) + estimateTokens(JSON.stringify(inputSchema))
  )
}

/** The same for a message; an image or a sound counts as 1000. */
export function estimateMessage(message: ModelMessage): number {
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
