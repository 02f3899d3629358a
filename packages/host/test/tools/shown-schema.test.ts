import { jsonSchema } from '@parley/mcp'
import { createServer } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { inProcess, testHost } from '../playing.ts'

const escape = '\u001b[31m'

test('a schema reaches the model without terminal escapes, control characters or hidden text, also in its names', async () => {
  const server = createServer({ name: 'notes', version: '1.0.0' })
  const inputSchema = jsonSchema<object>({
    type: 'object',
    properties: {
      [`na${escape}me`]: { type: 'string', description: `a ${escape}red\u0007 name\u202e` },
      of: { enum: [`x\u009b2Jy`, 'z\u{e0041}'] },
    },
  })
  server.tool('find', { inputSchema }, () => 'found')
  const host = testHost([], [inProcess('notes', server)])
  await host.start()

  const [found] = host.tools.all()

  expect(found?.shown.inputSchema).toMatchObject({
    properties: {
      name: { type: 'string', description: 'a red name' },
      of: { enum: ['x2Jy', 'z'] },
    },
  })
  expect(found?.hiddenCharacters).toBeGreaterThan(5)
})
