import { createMcpHandler, type HttpOptions } from '@parley/mcp/http'
import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { expect, test } from 'vitest'

const browser = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8',
}

async function open(headers: Record<string, string>, options: HttpOptions = {}) {
  const server = createServer({ name: 'clock', title: 'Clock & <b>more</b>', version: '1.0.0' })
  await using handler = createMcpHandler(server, options)
  const response = await handler.fetch(new Request('http://localhost/mcp', { headers }))
  return { response, text: await response.text() }
}

test('who opens the endpoint in a browser reads what it is', async () => {
  const { response, text } = await open(browser, { url: 'http://localhost/mcp' })

  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(response.headers.get('content-security-policy')).toBe("default-src 'none'")
  expect(text).toContain('<h1>Clock &amp; &lt;b&gt;more&lt;/b&gt;</h1>')
  expect(text).toContain('<pre>http://localhost/mcp</pre>')
})

test.each([
  ['a client that listens', { accept: 'text/event-stream' }, 400],
  [
    'a client that takes anything',
    { ...browser, accept: `${browser.accept}, text/event-stream` },
    400,
  ],
  ['a client of a session', { ...browser, 'mcp-session-id': 'none' }, 404],
  ['somebody at another name', { ...browser, host: 'evil.example' }, 403],
])('%s gets the answer of the protocol', async (_, headers, status) => {
  const { response } = await open(headers)

  expect(response.headers.get('content-type')).toBe('application/json')
  expect(response.status).toBe(status)
})

test('where callers need a token the page does not name the server', async () => {
  const auth = {
    authenticate: () =>
      ({ kind: 'deny', status: 401, headers: {}, message: 'this request needs a token' }) as const,
  }

  const { response, text } = await open(browser, { url: 'http://localhost/mcp', auth })

  expect(response.status).toBe(200)
  expect(text).toContain('<h1>MCP server</h1>')
  expect(text).not.toContain('Clock')
})

test('at another path the page says where the endpoint is', async () => {
  const server = createServer({ name: 'clock', version: '1.0.0' })
  await using service = await serveHttp(server, { port: 0, ownsProcess: false })

  const response = await fetch(new URL('/', service.url), { headers: browser })

  expect(response.status).toBe(404)
  expect(await response.text()).toContain('<pre>/mcp</pre>')
})
