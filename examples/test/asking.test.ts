import type { ConnectOptions } from '@parley/mcp/client'
import { createTestClient } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { createMailServer, type Letter } from '../asking.ts'

const letter = { from: 'Ada', letter: 'Shall we meet?' }
const sample: NonNullable<ConnectOptions['sample']> = ({ messages }) => ({
  role: 'assistant',
  model: 'test',
  content: { type: 'text', text: `Gladly (${messages.length}).` },
})

async function reply(options: ConnectOptions) {
  const sent: Letter[] = []
  const server = createMailServer(async (one) => void sent.push(one))
  const { era: _, reconnect: __, ...rest } = options
  await using client = await createTestClient(server, rest)
  return { result: await client.callTool('reply', letter), sent }
}

test('sends what the model wrote once the user has agreed', async () => {
  const questions: string[] = []

  const { result, sent } = await reply({
    sample,
    elicit(request) {
      questions.push(request.message)
      return { action: 'accept', content: { greeting: 'Hello', signature: 'Bob' } }
    },
  })

  expect(questions).toEqual(['Send this to Ada?\n\nGladly (1).'])
  expect(sent).toEqual([{ to: 'Ada', text: 'Hello Ada,\nGladly (1).\nBob' }])
  expect(result.content).toEqual([{ type: 'text', text: 'Sent.' }])
})

test('sends nothing when the user declines or cancels', async () => {
  const declined = await reply({ sample, elicit: () => ({ action: 'decline' }) })
  const cancelled = await reply({ sample, elicit: () => ({ action: 'cancel' }) })

  expect(declined.result).toMatchObject({ content: [{ text: /does not want/ }] })
  expect(cancelled.result).toMatchObject({ isError: true })
  expect([...declined.sent, ...cancelled.sent]).toEqual([])
})

test('tells the model what is missing where nobody can be asked', async () => {
  const { result, sent } = await reply({ sample })

  expect(result).toMatchObject({
    isError: true,
    content: [{ text: /needs a client with elicitation/ }],
  })
  expect(sent).toEqual([])
})
