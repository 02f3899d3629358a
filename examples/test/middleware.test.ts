import { toolOutput } from '@parley/mcp/client'
import { createTestClient } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { createWorkbench } from '../middleware.ts'

test('serves its own tools and those of what is mounted, under a prefix', async () => {
  const { server } = createWorkbench(() => undefined)
  await using client = await createTestClient(server)

  const tools = await client.listTools().toArray()

  expect(tools.map(({ name }) => name)).toEqual(['saw', 'files_where'])
  expect(toolOutput(await client.callTool('files_where'))).toBe('/srv')
})

test('answers in place of a tool', async () => {
  const { server } = createWorkbench(() => undefined)
  await using client = await createTestClient(server)

  const wood = await client.callTool('saw', { material: 'oak' })
  const steel = await client.callTool('saw', { material: 'steel' })

  expect(toolOutput(wood)).toBe('sawed oak')
  expect(steel).toMatchObject({ isError: true, content: [{ text: 'The saw is for wood.' }] })
})

test('writes down every operation', async () => {
  const lines: string[] = []
  const { server } = createWorkbench((line) => lines.push(line))
  await using client = await createTestClient(server)

  await client.listTools().toArray()
  await client.callTool('saw', { material: 'oak' })
  await client.callTool('hammer').catch(() => undefined)

  expect(lines).toEqual(['tools/list: done', 'tools/call saw: done', 'tools/call hammer: failed'])
})

test('tells clients when a tool comes and goes', async () => {
  const { server, startNightShift } = createWorkbench(() => undefined)
  await using client = await createTestClient(server)
  const seen = client.watch('tools', { debounceMs: 0 })[Symbol.asyncIterator]()
  const names = async () => (await seen.next()).value?.map(({ name }: { name: string }) => name)

  const before = await names()
  const stop = startNightShift()
  const during = await names()
  stop()
  const after = await names()

  expect(before).toEqual(['saw', 'files_where'])
  expect(during).toEqual(['saw', 'files_where', 'night_shift'])
  expect(after).toEqual(before)
})
