import { expect, test } from 'vitest'

import { run } from '../run.ts'

test.each([
  [[], '--to is missing'],
  [['--to', 'pigeon'], '--to pigeon is unknown: use http, sse, ws or stdio'],
  [['--to', 'http', '--mode', 'wild', '--', 'node'], '--mode wild is unknown'],
  [['--to', 'http', '--session-timeout', '4000', '--', 'node'], 'write 4000ms or 4000s'],
  [['--to', 'http', '--port', '70000', '--', 'node'], 'port 70000 is out of range'],
  [['--to', 'http'], 'which server? none was given'],
  [['--to', 'http', '--http', 'http://a', '--', 'node'], 'more than one server was given'],
  [['--to', 'http', '--oauth', '--', 'node'], '--oauth has no effect: a command has no address'],
  [['--to', 'http', '--host', '0.0.0.0', '--', 'node'], 'needs --url and --allow-anonymous'],
  [['--compat', 'wings', '--stdio', 'a'], 'use supergateway, mcp-proxy, mcp-remote'],
] as const)('%j is refused with the cure', async (words, told) => {
  const { code, stderr } = await run(['bridge', ...words])

  expect(stderr).toContain(told)
  expect(code).toBe(1)
})
