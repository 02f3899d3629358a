import { expect, test } from 'vitest'

import { officialV1, officialV2 } from './programs.ts'
import { open, startTestBridge, textOf } from './running.ts'

test.each([
  ['v1', 'legacy', officialV1],
  ['v1', 'modern', officialV1],
  ['v2', 'legacy', officialV2],
  ['v2', 'modern', officialV2],
] as const)(
  'a server on the official SDK %s serves a client of the %s era through the bridge',
  async (_, protocolVersion, from) => {
    await using bridge = await startTestBridge({ from })
    const asked: string[] = []
    await using client = await open(bridge, {
      protocolVersion,
      elicit: ({ message }) => {
        asked.push(message)
        return { action: 'accept', content: { name: 'Ada' } }
      },
      sample: () => ({
        role: 'assistant',
        content: { type: 'text', text: 'Forty-two.' },
        model: 'mine',
      }),
      roots: ['file:///home/ada'],
    })
    const told: number[] = []

    const tools = await client.listTools().toArray()
    const echoed = await client.callTool('echo', { message: 'hello' })
    await client.callTool(
      'trigger-long-running-operation',
      { duration: 0.2, steps: 2 },
      { onProgress: ({ progress }) => told.push(progress) },
    )
    const sampled = await client.callTool('trigger-sampling-request', { prompt: 'Why?' })
    const answered = await client.callTool('trigger-elicitation-request')
    const roots = await client.callTool('get-roots-list')
    const prompt = await client.getPrompt('args-prompt', { city: 'Oslo' })

    expect(tools.map(({ name }) => name)).toContain('echo')
    expect(textOf(echoed)).toBe('Echo: hello')
    expect(told).toEqual([1, 2])
    expect(JSON.stringify(sampled.content)).toContain('Forty-two.')
    expect(JSON.stringify(answered.content)).toContain('Ada')
    expect(asked.length).toBe(1)
    expect(JSON.stringify(roots.content)).toContain('file:///home/ada')
    expect(JSON.stringify(prompt.messages)).toContain('Oslo')
  },
)
