import type { CreateMessageResult, SamplingContent, SamplingMessage } from '@parley/mcp'
import { defineTool } from '@parley/mcp/server'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { icons } from '../icons.ts'

const tools = [
  {
    name: 'temperature',
    description: 'Degrees Celsius in a city',
    inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
  },
] as const

const maxTurns = 3

/** Gives the client's model a tool, and runs it here as often as the model wants, within reason. */
export const samplingWithTools = defineTool(
  'trigger-sampling-with-tools',
  {
    title: 'Trigger Sampling With Tools Tool',
    description:
      "Asks the client's model a question that it can answer with a tool of this server.",
    inputSchema: z.object({
      prompt: z.string().default('Is it cold in Oslo?').describe('What to ask the model'),
    }),
    annotations: toolHints('adds', { openWorld: true }),
    icons,
    visible: ({ client, revision }) =>
      client.capabilities.sampling?.tools !== undefined && revision >= '2025-11-25',
  },
  async ({ prompt }, { sample }) => {
    const messages: SamplingMessage[] = [{ role: 'user', content: { type: 'text', text: prompt } }]
    for (let turn = 1; turn <= maxTurns; turn += 1) {
      const mode = turn === maxTurns ? 'none' : 'auto' // the last turn has to be an answer
      const answer = await sample({ messages, tools, toolChoice: { mode }, maxTokens: 100 })
      const results = blocksOf(answer).flatMap(resultFor)
      if (results.length === 0) return textOf(answer)
      messages.push({ role: 'assistant', content: answer.content })
      messages.push({ role: 'user', content: results })
    }
    return 'The model came to no answer.'
  },
)

function resultFor(block: SamplingContent): readonly SamplingContent[] {
  if (block.type !== 'tool_use') return []
  const isKnown = tools.some(({ name }) => name === block.name)
  const text = isKnown ? '4' : `Unknown tool ${block.name}.`
  const content = [{ type: 'text', text }] as const
  return [{ type: 'tool_result', toolUseId: block.id, content, isError: !isKnown }]
}

function blocksOf({ content }: CreateMessageResult): readonly SamplingContent[] {
  return [content].flat()
}

function textOf(answer: CreateMessageResult): string {
  return blocksOf(answer)
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('')
}
