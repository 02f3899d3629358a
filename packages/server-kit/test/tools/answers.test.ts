import { ToolError } from '@parley/mcp'
import { connect } from '@parley/mcp/client'
import { createServer, defineTool } from '@parley/mcp/server'
import { decodeCursor, encodeCursor, explainErrors, prettyResult } from '@parley/server-kit/tools'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'

test('a cursor gives back the place it was made of', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.integer())), (place) => {
      expect(decodeCursor(encodeCursor(...place))).toEqual(place)
    }),
  )
})

test.each(['', 'x', '%%%', Buffer.from('{"a":1}').toString('base64url')])(
  'a text that is no cursor is no place: %j',
  (text) => {
    expect(decodeCursor(text)).toEqual([])
  },
)

test('an error for the model becomes the answer of a tool, with its cause', async () => {
  const error = new RangeError('Only from 1 on.')
  const explained = explainErrors((one) => one instanceof RangeError)

  const told = await explained(() => Promise.reject(error)).catch((reason: unknown) => reason)

  expect(told).toBeInstanceOf(ToolError)
  expect(told).toMatchObject({ message: 'Only from 1 on.', cause: error })
})

test('other errors, and those that are told already, stay what they are', async () => {
  const explained = explainErrors((one) => one instanceof ToolError)

  for (const error of [new Error('secret'), new ToolError('told'), 'no error']) {
    await expect(explained(() => Promise.reject(error))).rejects.toBe(error)
  }
  expect(await explained(() => Promise.resolve(1))).toBe(1)
})

test('a pretty result is data, and JSON with two spaces of it or of a part of it', async () => {
  const server = createServer({ name: 'answers', version: '1' })
  server.add(
    defineTool('all', { outputSchema }, () => prettyResult({ a: [1] })),
    defineTool('part', { outputSchema }, () => prettyResult({ a: [1] }, [])),
  )
  await using client = await connect(server)

  expect(await client.callTool('all')).toMatchObject({
    structuredContent: { a: [1] },
    content: [{ type: 'text', text: '{\n  "a": [\n    1\n  ]\n}' }],
  })
  expect(await client.callTool('part')).toMatchObject({
    structuredContent: { a: [1] },
    content: [{ text: '[]' }],
  })
})

const outputSchema = z.object({ a: z.array(z.int()) })
