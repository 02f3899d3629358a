import { createTestClient } from '@parley/mcp/testing'
import { expect, test, vi } from 'vitest'

import { createReturnsServer } from '../tools.ts'

test.each([
  ['text', [{ type: 'text', text: 'hello' }]],
  ['number', [{ type: 'text', text: '42' }]],
  ['nothing', []],
  ['rows', [{ type: 'text', text: '{"rows":[1,2,3]}' }]],
  ['picture', [{ type: 'image', data: 'iVBORw==', mimeType: 'image/png' }]],
  ['blob', [{ type: 'text', text: 'col,umn' }]],
])('%s becomes content', async (name, content) => {
  await using client = await createTestClient(createReturnsServer())

  expect(await client.callTool(name)).toEqual({ content })
})

test('a list of strings and blocks becomes their content, in order', async () => {
  await using client = await createTestClient(createReturnsServer())

  const { content } = await client.callTool('blocks')

  expect(content.map(({ type }) => type)).toEqual([
    'text',
    'text',
    'audio',
    'resource',
    'resource_link',
  ])
})

test('a value with an output schema is structured content and its text', async () => {
  await using client = await createTestClient(createReturnsServer())

  expect(await client.callTool('divide', { number: 7, by: 2 })).toEqual({
    structuredContent: { quotient: 3, remainder: 1 },
    content: [{ type: 'text', text: '{"quotient":3,"remainder":1}' }],
  })
  expect(await client.callTool('explain')).toEqual({
    structuredContent: { quotient: 3, remainder: 1 },
    content: [{ type: 'text', text: '7 is 3 times 2, and 1 is left.' }],
  })
})

test('what goes wrong in the work is a result', async () => {
  await using client = await createTestClient(createReturnsServer())

  const byZero = await client.callTool('divide', { number: 7, by: 0 })
  const wrong = await client.callTool('divide', { number: 'seven', by: 2 })

  expect(byZero).toMatchObject({ isError: true, content: [{ text: /divided by 0/ }] })
  expect(wrong).toMatchObject({ isError: true, content: [{ text: /^Invalid arguments/ }] })
})

test('what goes wrong inside is told to onError alone, which prints it', async () => {
  const print = vi.spyOn(console, 'error').mockReturnValue(undefined)
  await using client = await createTestClient(createReturnsServer())

  const result = await client.callTool('broken')

  expect(result.isError).toBe(true)
  expect(print.mock.lastCall).toContainEqual(new Error('the password is swordfish'))
  expect(JSON.stringify(client.frames)).not.toContain('swordfish')
})
