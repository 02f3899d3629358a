import type { ClientCapabilities, CreateMessageRequest, SamplingMessage } from '../types.ts'

/** Throws for tools the client has not said it takes, and for results that answer nothing. */
export function assertSampling(
  { tools, toolChoice, messages }: CreateMessageRequest['params'],
  capabilities: ClientCapabilities | undefined,
): void {
  if ((tools || toolChoice) && !capabilities?.sampling?.tools) {
    throw new Error('Client does not support sampling tools capability.')
  }
  assertToolResults(messages)
}

/** Results of tools answer exactly the uses of tools in the message before. */
function assertToolResults(messages: readonly SamplingMessage[]): void {
  const last = blocksOf(messages.at(-1))
  const uses = blocksOf(messages.at(-2)).filter(({ type }) => type === 'tool_use')
  const results = last.filter(({ type }) => type === 'tool_result')
  if (results.length > 0) {
    if (results.length < last.length) {
      throw new Error('The last message must contain only tool_result content if any is present')
    }
    if (uses.length === 0) {
      throw new Error('tool_result blocks are not matching any tool_use from the previous message')
    }
  }
  if (uses.length === 0) return
  const used = new Set(uses.map((block) => (block as { id?: string }).id))
  const responded = new Set(results.map((block) => (block as { toolUseId?: string }).toolUseId))
  if (used.size !== responded.size || [...used].some((id) => !responded.has(id))) {
    throw new Error(
      'ids of tool_result blocks and tool_use blocks from previous message do not match',
    )
  }
}

function blocksOf(message: SamplingMessage | undefined): readonly { type: string }[] {
  return message ? [message.content].flat() : []
}
