import { image, text } from '@parley/mcp'
import { defineTool } from '@parley/mcp/server'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { tinyPicture } from '../icons.ts'

/** What each kind of message says, and for whom it is meant. */
const messages = {
  error: text('Error: Operation failed', {
    annotations: { priority: 1, audience: ['user', 'assistant'] },
  }),
  success: text('Operation completed successfully', {
    annotations: { priority: 0.7, audience: ['user'] },
  }),
  debug: text('Debug: Cache hit ratio 0.95, latency 150ms', {
    annotations: { priority: 0.3, audience: ['assistant'] },
  }),
}

/** Content that says how important it is, and to whom. */
export const annotatedMessage = defineTool(
  'get-annotated-message',
  {
    title: 'Get Annotated Message Tool',
    description: 'Answers with content that carries a priority and an audience.',
    inputSchema: z.object({
      messageType: z.enum(['error', 'success', 'debug']).describe('Which message to show'),
      includeImage: z.boolean().default(false).describe('Whether to add a picture'),
    }),
    annotations: toolHints('reads'),
    task: 'never',
  },
  ({ messageType, includeImage }) => {
    const message = messages[messageType]
    if (!includeImage) return message
    const picture = image(tinyPicture, 'image/png', {
      annotations: { priority: 0.5, audience: ['user'] },
    })
    return [message, picture]
  },
)
