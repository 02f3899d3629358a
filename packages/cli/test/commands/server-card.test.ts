import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { run } from '../run.ts'

test('info shows the card of a server, and where it says something else', async () => {
  const server = createServer({ name: 'clock', version: '2.0.0' })
  await using service = await serveHttp(server, {
    port: 0,
    ownsProcess: false,
    card: { name: 'com.example/clock' },
    url: 'http://localhost:1/mcp',
  })

  const told = await run(['info', service.url.href])
  const json = await run(['info', service.url.href, '--json'])

  expect(told.stdout).toMatch(/card +com\.example\/clock 2\.0\.0 \(names another address\)/)
  expect(JSON.parse(json.stdout)).toMatchObject({ card: { name: 'com.example/clock' } })
})

test('info says nothing of a card where there is none', async () => {
  const server = createServer({ name: 'clock', version: '2.0.0' })
  await using service = await serveHttp(server, { port: 0, ownsProcess: false })

  const { code, stdout } = await run(['info', service.url.href])

  expect(code).toBe(0)
  expect(stdout).not.toContain('card')
})
