/** A tool that asks the client's model for a draft and the user for a decision, while its caller waits. */

import { ToolError, type CreateMessageResult } from '@parley/mcp'
import { createServer, type Server } from '@parley/mcp/server'
import { z } from 'zod'

export interface Letter {
  readonly to: string
  readonly text: string
}

export function createMailServer(send: (letter: Letter) => Promise<void>): Server {
  const server = createServer({ name: 'mail', version: '1.0.0' })

  server.tool(
    'reply',
    {
      description: 'Answers a letter, after the user has agreed',
      inputSchema: z.object({ from: z.string(), letter: z.string() }),
    },
    async ({ from, letter }, context) => {
      const draft = await context.sample({
        messages: [{ role: 'user', content: { type: 'text', text: `Answer this:\n${letter}` } }],
        maxTokens: 300,
      })

      const answer = await context.elicit({
        message: `Send this to ${from}?\n\n${textOf(draft)}`,
        requestedSchema: z.object({
          greeting: z.enum(['Dear', 'Hello']).meta({ title: 'How to begin' }),
          signature: z.string().min(1),
        }),
      })

      switch (answer.action) {
        case 'accept': {
          const { greeting, signature } = answer.content
          await send({ to: from, text: `${greeting} ${from},\n${textOf(draft)}\n${signature}` })
          return 'Sent.'
        }
        case 'decline':
          return 'The user does not want to send it. Do not ask again.'
        case 'cancel':
          throw new ToolError('The user closed the question without an answer.')
      }
    },
  )

  return server
}

function textOf({ content }: CreateMessageResult): string {
  const blocks = [content].flat()
  return blocks.map((block) => ('text' in block ? block.text : '')).join('')
}
