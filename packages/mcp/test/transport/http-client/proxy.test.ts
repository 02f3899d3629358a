import { createServer, request as sendRequest, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect as connectSocket, type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

import { connect } from '@parley/mcp/client'
import { afterEach, describe, expect, test, vi } from 'vitest'

import { certificate, privateKey } from '../../../../../test-support/certificate.ts'
import { proxyFor } from '../../../src/transport/http-client/request/proxy.ts'
import { openScriptedServer, result, serverInfo } from './scripted-server.ts'

afterEach(() => void vi.unstubAllEnvs())

describe('which proxy', () => {
  const proxies = { HTTPS_PROXY: 'http://secure.proxy:8080', HTTP_PROXY: 'plain.proxy:3128' }

  test.each([
    ['https://example.com/mcp', proxies, 'http://secure.proxy:8080/'],
    ['http://example.com/mcp', proxies, 'http://plain.proxy:3128/'],
    ['http://example.com/mcp', { http_proxy: 'http://lower:1/', ...proxies }, 'http://lower:1/'],
    ['https://example.com/mcp', { HTTP_PROXY: 'http://plain:1' }, undefined],
    ['https://example.com/mcp', { HTTPS_PROXY: '' }, undefined],
    ['https://example.com/mcp', {}, undefined],
    ['http://localhost:3000/mcp', proxies, undefined],
    ['http://127.0.0.1/mcp', proxies, undefined],
    ['http://[::1]:80/mcp', proxies, undefined],
    ['https://a.example.com/', { ...proxies, NO_PROXY: 'example.com' }, undefined],
    ['https://example.com/', { ...proxies, NO_PROXY: 'x, .example.com' }, undefined],
    ['https://b.example.com/', { ...proxies, no_proxy: '*.example.com' }, undefined],
    [
      'https://notexample.com/',
      { ...proxies, NO_PROXY: 'example.com' },
      'http://secure.proxy:8080/',
    ],
    [
      'https://example.com/',
      { ...proxies, NO_PROXY: 'example.com:8443' },
      'http://secure.proxy:8080/',
    ],
    ['https://example.com:8443/', { ...proxies, NO_PROXY: 'example.com:8443' }, undefined],
    ['https://example.com/', { ...proxies, NO_PROXY: '*' }, undefined],
  ])('%s with %j: %s', (url, environment, expected) => {
    expect(proxyFor(new URL(url), environment)?.href).toBe(expected)
  })

  test.each(['::::', 'socks5://user:secret@proxy:1080', 'http://user:secret@:80'])(
    'a variable that names none, as %s, is told by its name and not by what it says',
    (proxy) => {
      const target = new URL('https://example.com/mcp')
      expect(() => proxyFor(target, { HTTPS_PROXY: proxy })).toThrow(
        expect.objectContaining({
          code: 'invalid_target',
          message: 'the variable https_proxy names no proxy of HTTP',
          details: { target: 'https_proxy' },
        }),
      )
    },
  )
})

test('a broken variable ends connecting with its name', async () => {
  vi.stubEnv('http_proxy', 'socks5://user:secret@127.0.0.1:1')

  const error: unknown = await connect('http://example.invalid/mcp').catch((e: unknown) => e)

  expect(error).toMatchObject({ code: 'invalid_target', details: { target: 'http_proxy' } })
  expect(String(error)).not.toContain('secret')
})

/** A proxy that sends everything to one port of this machine, whatever name was asked for. */
async function openProxy(port: number) {
  const seen: { readonly target: string; readonly authorization: string | undefined }[] = []
  const tunnels = new Set<Duplex>()
  const proxy = createServer((request, response) => {
    seen.push({ target: request.url ?? '', authorization: request.headers['proxy-authorization'] })
    const { method = 'GET', headers } = request
    const { pathname } = new URL(request.url ?? '')
    const onwards = sendRequest({ port, host: '127.0.0.1', method, headers, path: pathname })
    onwards.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    request.pipe(onwards)
  })
  proxy.on('connect', (request, socket) => {
    seen.push({ target: request.url ?? '', authorization: request.headers['proxy-authorization'] })
    if (request.url?.startsWith('refused')) return void socket.end('HTTP/1.1 403 No\r\n\r\n')
    const onwards = connectSocket(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      onwards.pipe(socket).pipe(onwards)
    })
    for (const end of [socket, onwards]) {
      tunnels.add(end)
      end.on('error', () => undefined)
    }
    return undefined
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://us%C3%A9r:p%40ss@127.0.0.1:${portOf(proxy)}`,
    seen,
    async [Symbol.asyncDispose]() {
      for (const end of tunnels) end.destroy()
      proxy.closeAllConnections()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}

const authorization = `Basic ${Buffer.from('usér:p@ss').toString('base64')}`

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port // a TCP server
}

test('plain HTTP goes through the proxy of the environment, with its credentials', async () => {
  await using server = await openScriptedServer()
  await using proxy = await openProxy(Number(new URL(server.url).port))
  vi.stubEnv('HTTP_PROXY', proxy.url)
  vi.stubEnv('http_proxy', undefined)
  vi.stubEnv('NO_PROXY', 'other.test')
  vi.stubEnv('no_proxy', undefined)
  await using client = await connect('http://mcp.test/mcp')

  await client.ping()

  expect(proxy.seen[0]).toEqual({ target: 'http://mcp.test/mcp', authorization })
  expect(server.sent('ping')[0]?.headers.host).toBe('mcp.test')
})

test('HTTPS goes through a tunnel, which is kept for the next request', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  vi.stubEnv('https_proxy', undefined)
  let connections = 0
  const secure = createSecureServer({ cert: certificate, key: privateKey }, (request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const { id, method } = JSON.parse(body) as { id?: number; method: string }
      response.writeHead(id === undefined ? 202 : 200, { 'content-type': 'application/json' })
      const value = method === 'initialize' ? serverInfo : {}
      response.end(id === undefined ? '' : JSON.stringify(result(id, value)))
    })
  })
  secure.on('secureConnection', () => (connections += 1))
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
  await using proxy = await openProxy(portOf(secure))
  vi.stubEnv('HTTPS_PROXY', proxy.url)
  const client = await connect('https://mcp.test/mcp')

  await client.ping()
  await client.ping()
  await client.close()

  expect(proxy.seen).toEqual([{ target: 'mcp.test:443', authorization }])
  expect(connections).toBe(1)
  secure.closeAllConnections()
  await new Promise((resolve) => secure.close(resolve))
})

test('a proxy that refuses is why the server cannot be reached', async () => {
  await using proxy = await openProxy(1)
  vi.stubEnv('https_proxy', undefined)
  vi.stubEnv('HTTPS_PROXY', proxy.url)

  await expect(connect('https://refused.test/mcp')).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringContaining('answered 403 to CONNECT'),
  })
})

test('a certificate nobody trusts is why the server cannot be reached, with a hint', async () => {
  const secure = createSecureServer({ cert: certificate, key: privateKey })
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))

  await expect(connect(`https://127.0.0.1:${portOf(secure)}/mcp`)).rejects.toMatchObject({
    code: 'unreachable',
    details: { systemCode: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    hint: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
  })
  secure.close()
})
