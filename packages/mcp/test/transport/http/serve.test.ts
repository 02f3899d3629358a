import { expect, test, vi } from 'vitest'

import { serve } from '../../../src/transport/serve.ts'
import { createSampleServer } from '../../support/sample-server.ts'

test.each([
  [['--http', '0'], /^http:\/\/127\.0\.0\.1:\d+\/mcp$/],
  [['--http', '0', '--path', '/tools'], /\/tools$/],
  [['--host', '::1', '--http', '0'], /^http:\/\/\[::1\]:\d+\/mcp$/],
  [['other', '--http', '0', '--verbose'], /\/mcp$/],
])('%o serves HTTP and says where', async (args, where) => {
  const log = vi.spyOn(console, 'error').mockReturnValue()

  await using service = await serve(createSampleServer().server, {
    args,
    http: { ownProcess: false },
  })

  const [line = ''] = log.mock.calls[0] ?? []
  log.mockRestore()
  expect(String(line)).toMatch(/^sample listens on /)
  expect(String(line).split(' ').at(-1)).toMatch(where)
  expect(service.drain).toBeDefined()
})

test('what is public is refused here as well', async () => {
  const args = ['--http', '0', '--host', '0.0.0.0']

  await expect(serve(createSampleServer().server, { args })).rejects.toThrow(/needs url/)
})
