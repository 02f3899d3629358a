import { connect } from '@parley/mcp/client'
import { serveHttp, type ServeHttpOptions } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { afterEach, expect, test, vi } from 'vitest'

import { askByHand } from '../../support/http-endpoint.ts'

afterEach(() => vi.unstubAllEnvs())

function serveClock(options: ServeHttpOptions) {
  const server = createServer({ name: 'clock', version: '1.0.0' })
  return serveHttp(server, { ownsProcess: false, onError: () => undefined, ...options })
}

test('routes answer on paths of their own, and leave the others to us', async () => {
  await using service = await serveClock({
    port: 0,
    routes: async (request) => {
      const { pathname, searchParams } = new URL(request.url)
      if (pathname !== '/echo') return undefined
      return new Response(`${searchParams.get('a')} ${await request.text()}`, { status: 201 })
    },
  })

  const echo = await fetch(new URL('/echo?a=1', service.url), { method: 'POST', body: 'two' })
  expect([echo.status, await echo.text()]).toEqual([201, '1 two'])
  const other = await fetch(new URL('/other', service.url))
  expect(other.status).toBe(404)
  expect(await other.text()).toContain('MCP is at /mcp')
  expect((await fetch(new URL('/healthz', service.url))).status).toBe(200)
})

test('routes are not asked by a name that is not ours, and what they throw is an error of ours', async () => {
  const routes = vi.fn(() => {
    throw new Error('a secret')
  })
  const onError = vi.fn()
  await using service = await serveClock({ port: 0, routes, onError })
  const port = Number(service.url.port)

  const foreign = await askByHand(port, { path: '/page', headers: { host: 'evil.example' } })
  expect(foreign.status).toBe(403)
  expect(routes).not.toHaveBeenCalled()
  const failed = await fetch(new URL('/page', service.url))
  expect(failed.status).toBe(500)
  expect(await failed.text()).not.toContain('secret')
  expect(onError).toHaveBeenCalledWith(
    expect.objectContaining({ message: 'a secret' }),
    expect.anything(),
  )
})

test.each([
  [{ live: '/up' }, [200, 404, 200]],
  [{ live: '/up', ready: '/serving' }, [200, 404, 404]],
  [false, [404, 404, 404]],
  [true, [404, 200, 200]],
] as const)('health is at %o', async (healthRoutes, expected) => {
  await using service = await serveClock({ port: 0, healthRoutes })

  const paths = ['/up', '/healthz', '/readyz']
  const answers = await Promise.all(paths.map((path) => fetch(new URL(path, service.url))))

  expect(answers.map(({ status }) => status)).toEqual(expected)
})

test('a platform says by PORT and HOST where to listen, and options go before', async () => {
  vi.stubEnv('PORT', '0')
  vi.stubEnv('HOST', '127.0.0.2')

  await using service = await serveClock({})
  expect(service.url.hostname).toBe('127.0.0.2')
  expect(service.url.port).not.toBe('3000')
  await using own = await serveClock({ host: '127.0.0.1' })
  expect(own.url.hostname).toBe('127.0.0.1')
})

test('HOST alone, which some shells set, and a PORT that is a pipe change nothing', async () => {
  vi.stubEnv('HOST', '0.0.0.0')

  await using service = await serveClock({ port: 0 })
  expect(service.url.hostname).toBe('127.0.0.1')
  vi.stubEnv('PORT', String.raw`\\.\pipe\iisnode`)
  await using behind = await serveClock({ port: 0 })
  expect(behind.url.hostname).toBe('127.0.0.1')
})

test('a public address of the platform is as guarded as any', async () => {
  vi.stubEnv('PORT', '0')
  vi.stubEnv('HOST', '0.0.0.0')

  await expect(serveClock({})).rejects.toThrow('listening on 0.0.0.0 needs url')
})

test('old clients find HTTP+SSE at /sse, beside /mcp', async () => {
  await using service = await serveClock({ port: 0, legacySse: '/sse' })
  const old = { type: 'sse', url: new URL('/sse', service.url).href } as const

  await using client = await connect(old)
  expect(client.server.info?.name).toBe('clock')
  await using other = await connect(service.url)
  expect(other.server.info?.name).toBe('clock')
  expect((await fetch(new URL('/mcp/sse', service.url))).status).toBe(404)
})

test.each(['sse', '/old', '/sse/', '/a sse'])('%s is no path for HTTP+SSE', async (legacySse) => {
  await expect(serveClock({ port: 0, legacySse })).rejects.toThrow(
    'is not a path that ends in /sse',
  )
})
