/** The official everything server asks our client for tasks, which its own SDK then follows. */

import { connect, type ConnectOptions } from '@parley/mcp/client'
import { clientTasks } from '@parley/mcp/tasks'
import { expect, test, vi } from 'vitest'

import { officialEverything } from './programs.ts'

const sampling = 'trigger-sampling-request-async'
const elicitation = 'trigger-elicitation-request-async'

async function call(
  options: ConnectOptions,
  name: string,
  args: object = {},
): Promise<{ readonly text: string; readonly reported: readonly unknown[] }> {
  const reported: unknown[] = []
  await using client = await connect(officialEverything, {
    protocolVersion: '2025-11-25',
    extensions: [clientTasks({ inputRequests: { pollIntervalMs: 100 } })],
    onError: (error) => reported.push(error),
    ...options,
  })
  // Some of its tools come a moment after the handshake.
  await vi.waitFor(async () => {
    const tools = await client.listTools({ fresh: true }).toArray()
    expect(tools.map((tool) => tool.name)).toContain(name)
  })
  const { content } = await client.callTool(name, args)
  const texts = content.map((block) => (block.type === 'text' ? block.text : ''))
  return { text: texts.join('\n'), reported }
}

test('our client samples as a task of the official server [N11-TASK-07, N11-TASK-13]', async () => {
  const content = { type: 'text', text: 'Forty-two.' } as const
  const sample = vi.fn(() => ({ role: 'assistant', content, model: 'scripted' }) as const)

  const { text, reported } = await call({ sample }, sampling, { prompt: 'Why?' })

  expect(text).toContain('[COMPLETED]')
  expect(text).toContain('Forty-two.')
  expect(sample).toHaveBeenCalledTimes(1)
  expect(reported).toEqual([])
})

test('our client fills in a form as a task of the official server', async () => {
  const { text, reported } = await call(
    { elicit: () => ({ action: 'accept', content: { name: 'Ada' } }) },
    elicitation,
  )

  expect(text).toContain('[COMPLETED]')
  expect(text).toContain('Ada')
  expect(reported).toEqual([])
})

test('a refusal is a task that failed, for the official server too', async () => {
  const sample = (): never => {
    throw new Error('a secret')
  }

  const { text, reported } = await call({ sample }, sampling, { prompt: 'Why?' })

  expect(text).toContain('[FAILED]')
  expect(text).toContain('the sampling request was refused')
  expect(text).not.toContain('secret')
  expect(reported).toHaveLength(1)
})
