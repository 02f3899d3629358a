import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { env, execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import type { ServerEntry } from '@parley/mcp/client'
import { describe, expect, onTestFinished, test } from 'vitest'

import { openPage } from './page-client.ts'

const program = fileURLToPath(
  new URL(
    '../../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
    import.meta.url,
  ),
)

/** The program on a free port, once it listens. */
async function listenOn(channel: string, path: string): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  const child = spawn(execPath, [program, channel], {
    env: { ...env, PORT: String(port) },
    stdio: 'ignore',
  })
  onTestFinished(async () => {
    child.kill()
    if (child.exitCode === null) await once(child, 'exit')
  })
  const url = `http://localhost:${port}${path}`
  const isUp = () =>
    fetch(url, { method: 'OPTIONS' }).then(
      () => true,
      () => false,
    )
  await expect.poll(isUp).toBe(true)
  return url
}

const entries: { readonly [channel: string]: () => Promise<ServerEntry> } = {
  stdio: async () => ({ command: execPath, args: [program, 'stdio'] }),
  streamableHttp: async () => ({ url: await listenOn('streamableHttp', '/mcp') }),
  sse: async () => ({ type: 'sse', url: await listenOn('sse', '/sse') }),
}

describe('the official everything server', () => {
  test.each(Object.entries(entries))(
    'over %s is listed, called, asked by and looked through',
    async (_, open) => {
      const entry = await open()
      await using page = await openPage({ servers: [{ name: 'official', entry }] })

      const { session } = await page.ask('servers/connect', { name: 'official' })
      const tools = await page.ask('lists/all', { server: 'official', kind: 'tools' })
      const resources = await page.ask('lists/all', { server: 'official', kind: 'resources' })
      const prompts = await page.ask('lists/all', { server: 'official', kind: 'prompts' })
      const echoed = await page.ask('runs/start', {
        server: 'official',
        run: 'echo',
        method: 'tools/call',
        params: { name: 'echo', arguments: { message: 'hello' } },
      })
      const running = page.ask('runs/start', {
        server: 'official',
        run: 'sample',
        method: 'tools/call',
        params: { name: 'trigger-sampling-request', arguments: { prompt: 'Why?', maxTokens: 10 } },
      })
      // It asks for roots, too, a moment after it was connected.
      const isSampling = ({ kind }: { readonly kind: string }) => kind === 'sampling'
      const { questions } = await page.next('questions/changed', (data) =>
        data.questions.some(isSampling),
      )
      await page.ask('questions/answer', {
        id: questions.find(isSampling)?.id ?? '',
        answer: {
          action: 'reply',
          result: { role: 'assistant', content: { type: 'text', text: 'Forty-two.' }, model: 'me' },
        },
      })
      const sampled = await running
      const long = await page.ask('runs/start', {
        server: 'official',
        run: 'long',
        method: 'tools/call',
        params: { name: 'trigger-long-running-operation', arguments: { duration: 1, steps: 4 } },
      })
      const warnings = await page.ask('servers/warnings', { name: 'official' })

      expect(session?.server.info).toHaveProperty('name')
      expect(tools.items.length).toBeGreaterThan(5)
      expect(resources.items.length + prompts.items.length).toBeGreaterThan(3)
      expect(JSON.stringify(echoed.result)).toContain('hello')
      expect(JSON.stringify(sampled.result)).toContain('Forty-two.')
      expect(long.error).toBeUndefined()
      expect(page.events.some(({ event }) => event === 'runs/progress')).toBe(true)
      expect(warnings.filter(({ level }) => level === 'error')).toEqual([])
    },
  )
})
