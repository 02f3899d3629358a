import { connect, toolOutput } from '@parley/mcp/client'
import { expect, test } from 'vitest'

import { createExchange } from '../tool-search.ts'

test('ninety tools behind three', async () => {
  await using client = await connect(createExchange(() => 2))

  const listed = await client.listTools().toArray()
  const found = await client.callTool('find_tools', { query: 'yen JPY from euro EUR', limit: 1 })
  const called = await client.callTool('call_tool', {
    name: 'convert_EUR_to_JPY',
    arguments: { amount: 3 },
  })

  expect(listed.map(({ name }) => name)).toEqual([
    'find_tools',
    'describe_tool',
    'call_tool',
    'currencies',
  ])
  expect(String(toolOutput(found))).toMatch(/convert_(EUR_to_JPY|JPY_to_EUR)/)
  expect(toolOutput(called)).toBe('6.00 JPY')
})
