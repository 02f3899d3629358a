import { connect, toolOutput } from '@parley/mcp/client'
import { expect, test } from 'vitest'

import { createSupportDesk } from '../transforms.ts'

test('one tool of a tracker, in the words of the support team', async () => {
  await using client = await connect(createSupportDesk())

  const [tool, ...others] = await client.listTools().toArray()
  const result = await client.callTool('report_problem', { problem: 'No sound' })

  expect(others).toEqual([])
  expect(tool).toMatchObject({
    name: 'report_problem',
    inputSchema: {
      properties: { problem: {}, severity: { default: 'low' } },
      required: ['problem'],
    },
  })
  expect(toolOutput(result)).toBe('support: No sound (low)')
  await expect(client.callTool('delete_project', { project: 'x' })).rejects.toThrow('unknown tool')
})
