import { expect, test } from 'vitest'

import { ToolError } from '../../src/rpc/errors/tool-error.ts'
import { createServer } from '../../src/server/create-server.ts'
import { createTestClient } from '../../src/testing/test-client.ts'

test('a ToolError of middleware is for the model, like one of the tool', async () => {
  const server = createServer({ name: 'guarded', version: '1.0.0' })
  server.tool('delete', {}, () => 'deleted')
  server.use('tools/call', async (call, next) => {
    if (call.params.name === 'delete') throw new ToolError('Not on a Friday.')
    return next()
  })
  await using client = await createTestClient(server)

  const result = await client.callTool('delete')

  expect(result).toEqual({ content: [{ type: 'text', text: 'Not on a Friday.' }], isError: true })
})

test('elsewhere it is a fault, and masked', async () => {
  const server = createServer({ name: 'guarded', version: '1.0.0', onError: () => undefined })
  server.prompt('ask', {}, () => 'hello')
  server.use('prompts/get', async () => {
    throw new ToolError('a secret')
  })
  await using client = await createTestClient(server)

  const got = client.getPrompt('ask')

  await expect(got).rejects.toMatchObject({ code: 'internal_error' })
  await expect(got).rejects.not.toMatchObject({
    message: expect.stringContaining('secret') as string,
  })
})
