import { createServer } from '@parley/mcp/server'
import { expect, test } from 'vitest'
import { z } from 'zod'

import { call, inProcess, of, play, testHost } from '../playing.ts'

test('the clock of the call and of the turn stops while a person is asked', async () => {
  const server = createServer({ name: 'asking', version: '1.0.0' })
  server.tool('form', {}, async (_, context) => {
    const requestedSchema = z.object({ name: z.string() })
    return JSON.stringify(await context.elicit({ message: 'Who?', requestedSchema }))
  })
  const limits = { callIdleMs: 3_000, callTotalMs: 3_000, turnMs: 6_000 }
  const host = testHost([call('asking__form'), 'Done.'], [inProcess('asking', server)], {
    limits,
    elicitation: {
      async ask() {
        await new Promise((resolve) => setTimeout(resolve, 7_000))
        return { action: 'accept', content: { name: 'Ada' } }
      },
    },
  })

  const events = await play(host.turn('Go.'))

  expect(JSON.stringify(of(events, 'result')[0]?.content)).toContain('Ada')
  expect(events.at(-1)).toMatchObject({ reason: 'answered' })
})
