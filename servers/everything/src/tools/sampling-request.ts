import type { CreateMessageRequestParams } from '@parley/mcp'
import { defineTool } from '@parley/mcp/server'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { reportRejection } from './tell-refusal.ts'

/** Asks the client's model. */
export const samplingRequest = defineTool(
  'trigger-sampling-request',
  {
    title: 'Trigger Sampling Request Tool',
    description: "Sends the prompt to the client's model and shows what it said.",
    inputSchema: z.object({
      prompt: z.string().describe('What to ask the model'),
      maxTokens: z.number().default(100).describe('The longest answer'),
    }),
    annotations: toolHints('adds', { openWorld: true }),
    task: 'never',
    visible: ({ client }) => client.capabilities.sampling !== undefined,
  },
  async ({ prompt, maxTokens }, { sample }) => {
    const params = promptFor('trigger-sampling-request', prompt, maxTokens)
    const result = await sample(params).catch(reportRejection)
    return `LLM sampling result: \n${JSON.stringify(result, null, 2)}`
  },
)

/** What a tool says to the model. */
export function promptFor(
  tool: string,
  prompt: string,
  maxTokens: number,
): CreateMessageRequestParams {
  const text = `Resource ${tool} context: ${prompt}`
  return {
    messages: [{ role: 'user', content: { type: 'text', text } }],
    systemPrompt: 'You are a helpful test server.',
    maxTokens,
    temperature: 0.7,
  }
}
