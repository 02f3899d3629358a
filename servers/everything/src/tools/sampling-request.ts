import { defineTool } from '@parley/mcp/server'
import { z } from 'zod'

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
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: true,
    },
    visible: ({ client }) => client.capabilities.sampling !== undefined,
  },
  async ({ prompt, maxTokens }, { sample }) => {
    const result = await sample({
      messages: [
        {
          role: 'user',
          content: {
            type: 'text',
            text: `Resource trigger-sampling-request context: ${prompt}`,
          },
        },
      ],
      systemPrompt: 'You are a helpful test server.',
      maxTokens,
      temperature: 0.7,
    })
    return `LLM sampling result: \n${JSON.stringify(result, null, 2)}`
  },
)
