import type { Problem } from '../check.ts'
import type { SamplingContent, SamplingMessage } from './sampling.ts'

/**
 * What is wrong with how tools are used in a conversation, or nothing: every use is answered at once, and answers come
 * alone. See the section on tool use of the sampling page.
 */
export function toolUseProblem(messages: readonly SamplingMessage[]): Problem | undefined {
  for (const [index, message] of messages.entries()) {
    const blocks = blocksOf(message)
    if (hasMixedResults(blocks)) {
      return { path: ['messages', index, 'content'], expected: 'nothing beside tool_result' }
    }
    const missing = unanswered(blocks, messages[index + 1])
    if (missing !== undefined) {
      const expected = `a user message with the tool_result of ${JSON.stringify(missing)}`
      return { path: ['messages', index + 1], expected }
    }
  }
  return undefined
}

/** The blocks of a message, which may be written as one. */
export function blocksOf({ content }: SamplingMessage): readonly SamplingContent[] {
  return Array.isArray(content) ? content : [content as SamplingContent] // Array.isArray does not narrow readonly arrays
}

function hasMixedResults(blocks: readonly SamplingContent[]): boolean {
  const isResult = blocks.map(({ type }) => type === 'tool_result')
  return isResult.includes(true) && isResult.includes(false)
}

function unanswered(
  blocks: readonly SamplingContent[],
  next: SamplingMessage | undefined,
): string | undefined {
  const used = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
  if (used.length === 0) return undefined
  const answered = new Set(
    next?.role === 'user'
      ? blocksOf(next).map((block) => (block.type === 'tool_result' ? block.toolUseId : undefined))
      : [],
  )
  return used.find((id) => !answered.has(id))
}
