import { connect } from '@parley/mcp/client'
import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { expect, onTestFinished, test } from 'vitest'

import { run } from '../run.ts'
import { watchSpans } from '../span-names.ts'

test.each([
  [[], 'no server given'],
  [['--to', 'pigeon'], '--to pigeon is unknown: use http, sse, ws or stdio'],
  [['--to', 'http', '--mode', 'wild', '--', 'node'], '--mode wild is unknown'],
  [['--to', 'http', '--session-timeout', '4000', '--', 'node'], 'write 4000ms or 4000s'],
  [['--to', 'http', '--port', '70000', '--', 'node'], 'port 70000 is out of range'],
  [['--to', 'http'], 'no server given'],
  [['--to', 'http', '--http', 'http://a', '--', 'node'], 'more than one server was given'],
  [['--to', 'http', '--oauth', '--', 'node'], '--oauth has no effect: a command has no address'],
  [['--to', 'http', '--host', '0.0.0.0', '--', 'node'], 'needs --url and --allow-anonymous'],
] as const)('%j is refused with the cure', async (words, told) => {
  const { code, stderr } = await run(['bridge', ...words])

  expect(stderr).toContain(told)
  expect(code).toBe(1)
})

test('--telemetry tells OpenTelemetry of what arrives and what is sent on', async () => {
  const spans = watchSpans()
  const server = createServer({ name: 'hello', version: '1.0.0' })
  server.tool('hello', {}, () => 'hello')
  const service = await serveHttp(server, { port: 0, ownsProcess: false })
  onTestFinished(async () => void (await service.drain({ deadlineMs: 0 })))
  const controller = new AbortController()
  let called: Promise<unknown> | undefined

  const words = ['bridge', '--to', 'http', '--port', '0', '--http', service.url.href]
  const ran = await run([...words, '--telemetry', '--json'], {
    signal: controller.signal,
    onStdout: (text) => {
      const { url } = JSON.parse(text) as { readonly url: string } // as it says with --json
      called = callHello(url).finally(() => controller.abort())
    },
  })

  expect(await called, ran.stderr).toMatchObject({ content: [{ text: 'hello' }] })
  expect(spans.filter((span) => span.includes('tools/call'))).toEqual([
    'SERVER tools/call hello',
    'CLIENT tools/call hello',
  ])
})

async function callHello(url: string): Promise<unknown> {
  await using client = await connect(url)
  return await client.callTool('hello')
}
