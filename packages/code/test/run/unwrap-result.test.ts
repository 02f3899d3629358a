import { ProgramCallError, shapeOf, unwrapResult } from '@parley/code'
import type { CallToolResult } from '@parley/mcp'
import { expect, test } from 'vitest'

const stored: string[] = []
const unwrap = (result: Partial<CallToolResult>) =>
  unwrapResult(
    { content: [], ...result },
    {
      server: 'crm',
      tool: 'get',
      storeMedia: (mimeType) => `media-${stored.push(mimeType)}`,
    },
  )
const text = (...texts: readonly string[]) =>
  texts.map((one) => ({ type: 'text', text: one }) as const)

test.each<[string, Partial<CallToolResult>, unknown]>([
  ['structured content', { content: text('x'), structuredContent: { a: 1 } }, { a: 1 }],
  ['an object in a text', { content: text(' {"a":[1]} ') }, { a: [1] }],
  ['a list in a text', { content: text('[1]') }, [1]],
  ['a text', { content: text('12') }, '12'],
  ['a text that looks like JSON', { content: text('{a}') }, '{a}'],
  [
    'several texts',
    { content: text('{}', 'b') },
    [
      { type: 'text', text: '{}' },
      { type: 'text', text: 'b' },
    ],
  ],
  ['nothing', {}, []],
])('gives a program %s', (_, result, expected) => {
  expect(unwrap(result)).toEqual(expected)
})

test('leaves binary content outside, and names it', () => {
  const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const

  expect(unwrap({ content: [image] })).toEqual([
    { type: 'image', mimeType: 'image/png', bytes: 3, ref: 'media-1' },
  ])
})

test('throws what a tool calls an error', () => {
  expect(() => unwrap({ isError: true, content: text('not found') })).toThrow(
    new ProgramCallError('failed', 'not found', { server: 'crm', tool: 'get' }),
  )
})

test('tells keys and types of a value, and nothing of what it holds', () => {
  const value = {
    items: [{ id: 'secret', tags: ['secret'], more: { deep: 'secret' } }],
    total: 3,
    none: null,
  }

  expect(shapeOf(value)).toBe(
    '{ items: { id: string; tags: string[]; more: object }[]; total: number; none: null }',
  )
})
