import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect, type Socket } from 'node:net'

import {
  createRegistry,
  type RegistryOptions,
  serveRegistry,
  type ServeRegistryOptions,
} from '@parley/registry'
import { expect, it, onTestFinished } from 'vitest'

import { adminKeys, documentOf } from './registry-under-test.ts'

/** A registry at a port of its own, until the test has ended. */
async function serve(serving: ServeRegistryOptions = {}, options: Partial<RegistryOptions> = {}) {
  const registry = await createRegistry({
    database: ':memory:',
    auth: { anonymous: true, keys: adminKeys },
    ...options,
  })
  const served = await serveRegistry(registry, { page: false, ...serving })
  onTestFinished(async () => {
    await served[Symbol.asyncDispose]()
    await registry.close()
  })
  return { served, registry, port: Number(served.url.port) }
}

/** A status and a body; `fetch` would not send a `Host` or an `Origin` of another. */
async function ask(
  port: number,
  path: string,
  { headers = {}, method = 'GET', body = '' } = {},
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { port, host: '127.0.0.1', path, method, headers, agent: false },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => (text += part))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

/** A connection that is open, and whether the registry has ended it. */
async function open(port: number, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => undefined) // the registry may end it
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

it('serves a caller while another one holds all connections that an address may have', async () => {
  const { port } = await serve()
  const idle: Socket[] = []
  for (let count = 0; count < 100; count += 1) {
    const socket = await open(port, '127.0.0.2')
    socket.write('GET /v0.1/ping HTTP/1.1\r\nHost: localh') // and no more
    idle.push(socket)
  }

  const further = await open(port, '127.0.0.2')
  let told = ''
  further.setEncoding('utf8').on('data', (text: string) => (told += text))
  await once(further, 'close')
  const other = await ask(port, '/v0.1/ping')

  expect(told).toBe('') // it was ended at once; one that is too slow is told so
  expect(other.status).toBe(200)
  expect(idle.filter(({ closed }) => closed)).toHaveLength(0)
})

it('gives callers behind a trusted proxy limits of their own', async () => {
  const rates = { read: { burst: 1, perMinute: 1 } }
  const statuses = async (serving: ServeRegistryOptions) => {
    const { port } = await serve(serving, { rates })
    const callers = ['192.0.2.1', '192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8::2']
    const found: number[] = []
    for (const caller of callers) {
      found.push((await ask(port, '/v0.1/ping', { headers: { 'x-forwarded-for': caller } })).status)
    }
    return found
  }

  // Without the option, anybody could name another caller each time. Two addresses of one IPv6 block are one caller.
  expect(await statuses({})).toEqual([200, 429, 429, 429, 429])
  expect(await statuses({ trustedProxies: ['127.0.0.0/8'] })).toEqual([200, 429, 200, 200, 429])
})

it('bounds the streams of one caller behind a proxy', async () => {
  const { port } = await serve({ trustedProxies: ['127.0.0.1'] })
  const stream = async (caller: string) => {
    const socket = await open(port)
    socket.write(
      `GET /v0.1/x/changes HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nX-Forwarded-For: ${caller}\r\n\r\n`,
    )
    const [head] = (await once(socket, 'data')) as [Buffer]
    return head.toString().slice(9, 12)
  }
  const first = new Set<string>()
  for (let count = 0; count < 100; count += 1) first.add(await stream('192.0.2.1'))

  expect([...first]).toEqual(['200'])
  expect(await stream('192.0.2.1')).toBe('429')
  expect(await stream('192.0.2.2')).toBe('200')
})

it.each([
  ['a page of another site', { origin: 'https://evil.example' }],
  ['a page without an origin', { origin: 'null' }],
  ['a page of another server on this machine', { origin: 'http://localhost:5173' }],
  ['a name that leads to this machine', { host: 'rebound.example' }],
])('lets %s neither sign in anonymously nor publish', async (_, headers) => {
  const { port } = await serve()
  const signedIn = await ask(port, '/v0.1/auth/none', { method: 'POST' })
  const { registry_token: token } = JSON.parse(signedIn.text) as { registry_token: string }
  const document = documentOf('io.modelcontextprotocol.anonymous/one', '1.0.0')
  const publish = (more: object) =>
    ask(port, '/v0.1/publish', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...more,
      },
      body: JSON.stringify(document),
    })

  expect((await ask(port, '/v0.1/auth/none', { method: 'POST', headers })).status).toBe(403)
  expect((await publish(headers)).status).toBe(403)
  expect((await publish({ origin: `http://127.0.0.1:${port}` })).status).toBe(200)
})

it('says whether it lives and whether it can answer', async () => {
  const { port, registry } = await serve()
  expect(await ask(port, '/healthz')).toEqual({ status: 200, text: 'ok' })
  expect(await ask(port, '/readyz')).toEqual({ status: 200, text: 'ready' })

  await registry.close()

  expect(await ask(port, '/healthz')).toEqual({ status: 200, text: 'ok' })
  expect(await ask(port, '/readyz')).toMatchObject({ status: 503 })
})

it('finishes a publication when it ends, and ends streams', async () => {
  const { port, served, registry } = await serve()
  const signedIn = await ask(port, '/v0.1/auth/none', { method: 'POST' })
  const { registry_token: token } = JSON.parse(signedIn.text) as { registry_token: string }
  const body = JSON.stringify(documentOf('io.modelcontextprotocol.anonymous/late', '1.0.0'))
  const stream = await open(port)
  stream.write(
    'GET /v0.1/x/changes HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n',
  )
  await once(stream, 'data')
  const publisher = await open(port)
  publisher.write(
    `POST /v0.1/publish HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  await once(publisher, 'data') // the registry reads the body now

  const ended = served[Symbol.asyncDispose]()
  await once(stream.resume(), 'close')
  publisher.write(body)
  const [answer] = (await once(publisher, 'data')) as [Buffer]
  await ended

  expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /)
  const listed = await registry.fetch(new Request('http://localhost/v0.1/servers'))
  expect(await listed.json()).toMatchObject({ metadata: { count: 1 } })
})
