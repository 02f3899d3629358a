import type { ConnectOptions } from '@parley/mcp/client'
import { createTestClient, type TestOptions } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { createMailServer, type Letter } from '../asking.ts'

const letter = { from: 'Ada', letter: 'Shall we meet?' }
const sample: NonNullable<ConnectOptions['sample']> = ({ messages }) => ({
  role: 'assistant',
  model: 'test',
  content: { type: 'text', text: `Gladly (${messages.length}).` },
})

async function reply(options: TestOptions) {
  const sent: Letter[] = []
  const server = createMailServer(async (one) => void sent.push(one))
  await using client = await createTestClient(server, options)
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

test('tells the client what it lacks where nobody can be asked', async () => {
  await expect(reply({ sample })).rejects.toMatchObject({
    code: 'missing_client_capability',
    data: { requiredCapabilities: { elicitation: {} } },
  })
})

test('tells the model instead, where the revision has no such error', async () => {
  const { result, sent } = await reply({ sample, revision: '2025-11-25' })

  expect(result).toMatchObject({
    isError: true,
    content: [{ text: /needs a client with elicitation/ }],
  })
  expect(sent).toEqual([])
})
