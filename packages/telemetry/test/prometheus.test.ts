import { request } from 'node:http'

import { connect } from '@parley/mcp/client'
import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { prometheus } from '@parley/telemetry/prometheus'
import { expect, onTestFinished, test } from 'vitest'

async function serveCounted(): Promise<URL> {
  const metrics = prometheus()
  const server = createServer({ name: 'counted', version: '1.0.0', observer: metrics })
  server.tool('hello', {}, () => 'hello')
  const service = await serveHttp(server, { port: 0, ownsProcess: false, metrics })
  onTestFinished(async () => void (await service.drain({ deadlineMs: 0 })))
  return service.url
}

/** The figures, asked for by a name. */
function readMetrics(url: URL, host = url.host): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const asking = request(new URL('/metrics', url), { headers: { host } }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    asking.on('error', reject).end()
  })
}

test('Prometheus reads durations and what the service has now', async () => {
  const url = await serveCounted()
  await using client = await connect(url, { protocolVersion: 'legacy' })
  await client.callTool('hello')
  await client.callTool('made-up').catch(() => undefined)

  const { status, text } = await readMetrics(url)

  expect(status).toBe(200)
  expect(text).toContain(
    'mcp_server_operation_duration_seconds_count{mcp_method_name="tools/call",name="hello",error_type=""} 1',
  )
  for (const name of ['request_size_bytes', 'response_size_bytes', 'request_wait_seconds']) {
    expect(text).toContain(`mcp_server_${name}_count{mcp_method_name="tools/call",name="hello"} 1`)
  }
  expect(text).toContain('mcp_server_sessions 1')
  expect(text).toContain('mcp_server_ready 1')
  expect(text).not.toContain('made-up')
})

test('a page that had a name bound to this machine reads nothing', async () => {
  const url = await serveCounted()

  expect(await readMetrics(url, 'evil.example')).toEqual({
    status: 403,
    text: 'Host evil.example is not allowed here; name it in allowedHosts if it should be',
  })
  expect((await readMetrics(url, '10.1.2.3:9090')).status).toBe(200)
})
