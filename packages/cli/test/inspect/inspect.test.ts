import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { run, servers } from '../run.ts'

test('inspect starts the service, prints a link that lets a browser in, and ends with Ctrl+C [INSP-01]', async () => {
  const [command, ...args] = servers.everything
  const cwd = folderWith({
    'mcp.json': { mcpServers: { one: { command, args }, asks: { command: '${MISSING}' } } },
  })
  const controller = new AbortController()
  const env = { PARLEY_STATE: folderWith({}), XDG_STATE_HOME: folderWith({}) }

  const running = run(['inspect', '--no-open', '--port', '0', '--json'], {
    cwd,
    env,
    signal: controller.signal,
  })
  const direct = run(['inspect', '--no-open', '--port', '0', '--json', ...servers.everything], {
    env,
    signal: controller.signal,
  })
  setTimeout(() => controller.abort(new Error('enough')), 1_500)
  const refused = await run(['inspect', '--port', 'x', '--no-open'], { cwd, env })
  const { stdout } = await running
  const started = await direct

  expect(refused).toMatchObject({ code: 1 })
  expect(JSON.parse(started.stdout)).toMatchObject({ port: expect.any(Number) as unknown })
  expect(JSON.parse(stdout)).toMatchObject({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/#/) as unknown,
  })
})
