import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { run } from '../run.ts'

/** A server that logs, and changes its list and a resource, all the time. */
async function startRestless() {
  const server = createServer({ name: 'restless', version: '1.0.0' })
  server.tool('first', {}, () => 'done')
  server.resource('note://a', { name: 'a' }, () => 'text')
  const service = await serveHttp(server, { port: 0, ownsProcess: false })
  let count = 0
  const timer = setInterval(() => {
    server.notifyChanged({ uri: 'note://a' })
    server.tool(`more-${(count += 1)}`, {}, () => 'done')
  }, 50)
  return {
    url: service.url.href,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await service.drain()
    },
  }
}

test('watch tells of lists and resources that change, until it has seen enough', async () => {
  await using server = await startRestless()

  const shown = await run(['watch', server.url, '--subscribe', 'note://a', '--count', '4'])
  const { code, stdout } = await run(['watch', server.url, '--count', '2', '--json'])

  expect(shown.code).toBe(0)
  expect(shown.stdout).toMatch(/list changed: tools/)
  expect(shown.stdout).toMatch(/changed: note:\/\/a/)
  expect(code).toBe(0)
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
  expect(events).toHaveLength(2)
  expect(events[0]).toMatchObject({ type: 'tools' })
})

test('watch ends after so long, and refuses a level that there is not', async () => {
  await using server = await startRestless()

  const ended = await run(['watch', server.url, '--for', '0.2'])
  const rejected = await run(['watch', server.url, '--logs', 'loud'])

  expect(ended.code).toBe(0)
  expect(rejected).toMatchObject({ code: 1 })
  expect(rejected.stderr).toContain('Use debug, info, notice')
})
