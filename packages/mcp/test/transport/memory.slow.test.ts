import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request as openRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'

import { metaKeys } from '../../src/wire/request-meta.ts'

// What docs/limits.md says a process can be made to hold. Each attack asks for several times what the heap of the child
// may be; with the limits it holds `totalBytes`, stays alive, and answers somebody else.

const megabyte = 1024 * 1024
const limits = { callerBytes: 12 * megabyte, totalBytes: 32 * megabyte, messageBytes: 3 * megabyte }
const heapMegabytes = 224 // the runner that loads the sources takes a good part of it

/** Less than a megabyte of text, within `limits.values`, that becomes fifteen when it is parsed. */
const hostile = `[${Array.from({ length: 10 }, () => `[${'{},'.repeat(24_000)}{}]`).join(',')}]`

function start(...args: readonly string[]): ChildProcessWithoutNullStreams {
  const run = fileURLToPath(new URL('fixtures/run-source.mjs', import.meta.url))
  const heap = `--max-old-space-size=${heapMegabytes}`
  const child = spawn(process.execPath, [heap, run, 'memory-server.mjs', ...args])
  child.stderr.resume()
  return child
}

const call = (id: number, name: string, more = '{}', meta = '') =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":${more}${meta}}}`
const hello = (id: number, capabilities = '{}') =>
  `{"jsonrpc":"2.0","id":${id},"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":${capabilities},"clientInfo":{"name":"x","version":"1"}}}`
const initialized = '{"jsonrpc":"2.0","method":"notifications/initialized"}'
const newest = `,"_meta":{"${metaKeys.version}":"2026-07-28","${metaKeys.client}":{"name":"x","version":"1"},"${metaKeys.capabilities}":{}}`

describe('a child with a small heap over HTTP', () => {
  const child = start(
    'http',
    JSON.stringify({
      limits,
      legacySse: true,
      websocket: true,
      trustedProxies: ['127.0.0.1'],
    }),
  )
  const agent = new Agent({ keepAlive: true, maxSockets: 500 })
  let url = new URL('http://127.0.0.1')
  let exit: number | string | undefined
  child.once('exit', (code, signal) => (exit = code ?? signal ?? 'unknown'))

  beforeAll(async () => {
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
    url = new URL(line)
  })

  afterAll(() => {
    agent.destroy()
    child.kill('SIGKILL')
  })

  interface Answer {
    readonly status: number
    readonly session: string
    readonly text: string
  }

  /** One POST from an address; an answer that breaks off has status 0. */
  function post(
    address: string,
    body: string,
    headers: Record<string, string> = {},
    path = '/mcp',
  ): Promise<Answer> {
    return new Promise((resolve) => {
      const broken = (): void => resolve({ status: 0, session: '', text: '' })
      const request = openRequest(
        {
          agent,
          host: url.hostname,
          port: url.port,
          path,
          method: 'POST',
          headers: {
            accept: 'application/json, text/event-stream',
            'content-type': 'application/json',
            'x-forwarded-for': address,
            ...headers,
          },
        },
        async (response) => {
          let text = ''
          response.on('data', (chunk: Buffer) => (text += chunk.toString()))
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              session: String(response.headers['mcp-session-id'] ?? ''),
              text,
            }),
          )
          response.on('error', broken)
        },
      )
      request.on('error', broken)
      request.end(body)
    })
  }

  async function open(address: string, capabilities?: string): Promise<string> {
    const { session } = await post(address, hello(0, capabilities))
    await post(address, initialized, { 'mcp-session-id': session })
    return session
  }

  /** Somebody else is served, in its own session, and the child has not grown out of proportion. */
  async function expectServed(): Promise<number> {
    const session = await open('198.51.100.7')
    const { text } = await post('198.51.100.7', call(1, 'memory'), { 'mcp-session-id': session })
    const [, usage = '{}'] = /"text":"(\{.*?\})"/.exec(text) ?? []
    const { external, rss, usedBytes } = JSON.parse(usage.replaceAll('\\', '')) as Record<
      string,
      number
    >

    expect(exit).toBeUndefined()
    expect(usedBytes).toBeLessThanOrEqual(limits.totalBytes)
    expect(external).toBeLessThan(8 * limits.totalBytes)
    expect(rss).toBeLessThan((heapMegabytes + 400) * megabyte)
    return usedBytes ?? 0
  }

  async function release(): Promise<void> {
    const session = await open('198.51.100.8')
    await post('198.51.100.8', call(1, 'release'), { 'mcp-session-id': session })
  }

  /** A connection that sends this and never reads. */
  function sendUnread(text: string): Socket {
    const socket = connect(Number(url.port), url.hostname)
    socket.on('error', () => undefined)
    socket.pause()
    socket.write(text)
    return socket
  }

  const rawPost = (body: string, more = '') =>
    `POST /mcp HTTP/1.1\r\nhost: localhost\r\naccept: application/json, text/event-stream\r\ncontent-type: application/json\r\n${more}content-length: ${body.length}\r\n\r\n${body}`

  test('holds no more sessions of a stranger than callerBytes has room for', async () => {
    const capabilities = `{"experimental":{"x":{"y":[${'{},'.repeat(9_000)}{}]}}}`

    for (let round = 0; round < 6; round += 1) {
      const opening = Array.from({ length: 40 }, () => open('192.0.2.1', capabilities))
      expect(await Promise.all(opening)).not.toContain('') // each finds room: an older one ends
    }

    await expectServed()
  })

  test.each([
    ['a session', ''],
    ['2026-07-28', newest],
  ])('holds no more calls of a stranger than callerBytes has room for, in %s', async (_, meta) => {
    const session = meta === '' ? await open('192.0.2.2') : ''
    const headers: Record<string, string> =
      meta === ''
        ? { 'mcp-session-id': session }
        : { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'hang' }
    const body = (id: number) => call(id, 'hang', `{"x":${hostile}}`, meta)

    const statuses = await Promise.all(
      Array.from(
        { length: 15 },
        async (__, id) => (await post('192.0.2.2', body(id), headers)).status,
      ),
    )

    expect(new Set(statuses)).toEqual(new Set([429]))
    await expectServed()
  })

  test('holds no more calls of all callers than totalBytes has room for', async () => {
    const text = JSON.stringify('x'.repeat(2_000_000))
    const asks = Array.from({ length: 24 }, async (_, index) => {
      const address = `203.0.113.${index % 10}`
      const session = await open(address)
      const body = call(1, 'hang', `{"x":${text}}`)
      return (await post(address, body, { 'mcp-session-id': session })).status
    })
    const rejected = Promise.any(
      asks.map(async (ask) =>
        [429, 503].includes(await ask) ? 'yes' : Promise.reject(new Error('no')),
      ),
    )

    expect(await rejected).toBe('yes')
    await expectServed()
    await release()
    const statuses = await Promise.all(asks)
    expect(statuses.every((status) => [200, 429, 503].includes(status))).toBe(true)
  })

  test('holds no more answers that nobody reads than callerBytes has room for', async () => {
    const session = await open('192.0.2.3')
    const more = `mcp-session-id: ${session}\r\nx-forwarded-for: 192.0.2.3\r\n`
    const sockets = Array.from({ length: 30 }, (_, id) =>
      sendUnread(rawPost(call(id, 'large'), more)),
    )
    await once(sockets.at(-1) ?? child, 'connect')

    await expectServed()
    for (const socket of sockets) socket.destroy()
  })

  test('holds no more events for resuming than callerBytes has room for', async () => {
    const session = await open('192.0.2.4')
    const before = await expectServed()

    for (let id = 1; id <= 20; id += 1) {
      await post('192.0.2.4', call(id, 'tell'), { 'mcp-session-id': session })
    }

    expect((await expectServed()) - before).toBeLessThan(limits.callerBytes)
  })

  test('holds no more messages behind an HTTP+SSE stream than callerBytes has room for', async () => {
    const get =
      'GET /mcp/sse HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\nx-forwarded-for: 192.0.2.5\r\n\r\n'
    const socket = connect(Number(url.port), url.hostname)
    socket.on('error', () => undefined)
    socket.write(get)
    let seen = ''
    while (!seen.includes('sessionId=')) seen += String((await once(socket, 'data'))[0])
    const path = /data: (\S+)/.exec(seen)?.[1] ?? ''
    await post('192.0.2.5', hello(0), {}, path)
    await post('192.0.2.5', initialized, {}, path)
    socket.pause()
    await post('192.0.2.5', call(1, 'large'), {}, path)

    const text = JSON.stringify('x'.repeat(500_000))
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async (_, id) => {
        return (await post('192.0.2.5', call(id + 10, 'hang', `{"x":${text}}`), {}, path)).status
      }),
    )

    expect(statuses.filter((status) => status === 429 || status === 404).length).toBeGreaterThan(40)
    await expectServed()
    socket.destroy()
    await release()
  })

  test('holds no more of messages that arrive over WebSockets than callerBytes has room for', async () => {
    const sockets = await Promise.all(
      Array.from({ length: 24 }, async () => {
        const socket = new WebSocket(`ws://${url.host}/mcp`, ['mcp'], {
          headers: { 'x-forwarded-for': '192.0.2.6' },
        })
        socket.on('error', () => undefined)
        await once(socket, 'open')
        return socket
      }),
    )
    const part = 'x'.repeat(3_000_000)

    const closed = sockets.map((socket) => once(socket, 'close'))
    for (const socket of sockets) socket.send(part, { fin: false })
    const [code] = (await Promise.any(closed)) as [number]

    expect(code).toBe(1013)
    await expectServed()
    for (const socket of sockets) socket.terminate()
  })
})

test('a child with a small heap over stdio holds no more calls than totalBytes has room for', async () => {
  const child = start('stdio', JSON.stringify({ limits }))
  const lines = createInterface(child.stdout)
  const answers = new Map<number, string>()
  let check = (): void => undefined
  lines.on('line', (line) => {
    answers.set(Number(/"id":(\d+)/.exec(line)?.[1]), line)
    check()
  })
  const until = (isDone: () => boolean) =>
    new Promise<void>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`ended with ${code}`)))
      check = () => void (isDone() && resolve())
      check()
    })
  child.stdin.write(`${hello(0)}\n`)
  await until(() => answers.has(0))
  child.stdin.write(`${initialized}\n`)

  for (let id = 1; id <= 8; id += 1) child.stdin.write(`${call(id, 'hang', `{"x":${hostile}}`)}\n`)
  child.stdin.write(`${call(99, 'count')}\n`)
  await until(() => answers.has(99))

  expect(answers.get(99)).toContain('"one"')
  expect(answers.get(8)).toContain('limits.totalBytes allows')
  child.kill('SIGKILL')
})
