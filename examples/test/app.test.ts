import { clientApps } from '@parley/mcp/apps'
import { createTestClient } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { createColourServer, findApps } from '../app.ts'

test('a host finds the page of a tool', async () => {
  await using client = await createTestClient(createColourServer(), { extensions: [clientApps()] })

  const { forModel, pages } = await findApps(client)

  expect(forModel).toEqual(['mix-colour'])
  expect(pages.get('mix-colour')).toMatchObject({ uri: 'ui://colours/mixer', rejected: [] })
  expect(pages.get('mix-colour')?.html).toContain('ui/initialize')
})

test('a host without apps has words', async () => {
  await using client = await createTestClient(createColourServer())

  const { content } = await client.callTool('mix-colour', { red: 1, green: 2, blue: 3 })

  expect(content).toEqual([{ type: 'text', text: 'rgb(1, 2, 3)' }])
})
