import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { expect, test } from 'vitest'

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

test('a process that watches lasts as long as it was told, also where the server has no stream [HGET-03]', async () => {
  const server = createServer({ name: 'quiet', version: '1.0.0' })
  server.tool('idle', {}, () => 'done')
  const service = await serveHttp(server, { port: 0, ownsProcess: false, sessions: 'off' })
  const words = ['watch', service.url.href, '--era', 'legacy', '--for', '1']
  const child = spawn(execPath, [main, ...words], { stdio: 'ignore' })

  const [code] = (await once(child, 'exit')) as [number | null] // as Node says it
  await service.drain()

  expect(code).toBe(0)
})

test('and goes on when the server comes back', async () => {
  const server = createServer({ name: 'restarted', version: '1.0.0' })
  server.tool('idle', {}, () => 'done')
  const first = await serveHttp(server, { port: 0, ownsProcess: false })
  const { port } = first.url
  const words = ['watch', first.url.href, '--count', '1']
  const child = spawn(execPath, [main, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  await once(child.stderr, 'data') // it watches
  await first.drain({ deadlineMs: 0 })
  const second = await serveHttp(server, { port: Number(port), ownsProcess: false })

  const [line] = (await once(child.stdout, 'data')) as [Buffer] // of a pipe
  const [code] = (await once(child, 'exit')) as [number | null]
  await second.drain({ deadlineMs: 0 })

  expect(String(line)).toContain('some changes may have been missed')
  expect(code).toBe(0)
})
