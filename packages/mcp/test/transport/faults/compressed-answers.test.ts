import { brotliCompressSync, createGzip, constants, deflateSync, gzipSync } from 'node:zlib'

import { connect } from '@parley/mcp/client'
import { describe, expect, test } from 'vitest'

import {
  openScriptedServer,
  progress,
  result,
  said,
  type Script,
} from '../http-client/scripted-server.ts'

const mebibyte = 1024 * 1024

/** Answers a call by bytes that are said to be coded in some way. */
function coded(coding: string, bytes: (text: string) => Uint8Array): Script {
  return ({ response, message }) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': coding }
    response.writeHead(200, headers).end(bytes(JSON.stringify(result(message.id, said('small')))))
  }
}

/** A text of so many spaces and nothing else, a thousandth of it on the wire. */
const bombs = new Map(
  (['gzip', 'deflate', 'br'] as const).map((coding) => {
    const spaces = Buffer.alloc(200 * mebibyte, ' ')
    const pack = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }[coding]
    const quick =
      coding === 'br' ? { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } } : { level: 1 }
    return [coding, pack(spaces, quick)] as const
  }),
)

describe.each([
  ['our own requests', undefined],
  ['fetch', fetch],
])('a packed answer, by %s', (_, ownFetch) => {
  test.each([
    ['gzip', gzipSync],
    ['GZip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['identity', Buffer.from],
  ] as const)('is read if it is honest %s', async (coding, pack) => {
    await using server = await openScriptedServer({ 'tools/call': coded(coding, pack) })
    await using client = await connect(server.url, { fetch: ownFetch })

    expect(await client.callTool('do')).toEqual(said('small'))
    expect(await client.callTool('do')).toEqual(said('small'))
  })

  test('is read as a stream while it is written', async () => {
    await using server = await openScriptedServer({
      'tools/call'({ response, message }) {
        response.writeHead(200, {
          'content-type': 'text/event-stream',
          'content-encoding': 'gzip',
        })
        const packed = createGzip()
        packed.pipe(response)
        packed.write(`data: ${JSON.stringify(progress(message.id, 1))}\n\n`)
        packed.flush()
        finish = () => packed.end(`data: ${JSON.stringify(result(message.id, said('over')))}\n\n`)
      },
    })
    let finish = (): unknown => undefined
    await using client = await connect(server.url, { fetch: ownFetch })

    const answer = await client.callTool('do', {}, { onProgress: () => void finish() })

    expect(answer).toEqual(said('over'))
  })

  test.each([...bombs])(
    'that unpacks to 200 MiB by %s ends at the limit, and others are served',
    async (coding, bomb) => {
      await using server = await openScriptedServer({
        'tools/call'({ response, message }) {
          const type =
            message.params?.['name'] === 'json' ? 'application/json' : 'text/event-stream'
          response.writeHead(200, { 'content-type': type, 'content-encoding': coding }).end(bomb)
        },
        'resources/read': ({ response }) =>
          response.writeHead(500, { 'content-encoding': coding }).end(bomb),
      })
      await using client = await connect(server.url, {
        fetch: ownFetch,
        limits: { messageBytes: mebibyte },
      })
      const before = process.memoryUsage().arrayBuffers

      const failures = await Promise.all(
        ['json', 'json', 'json', 'json', 'stream', 'stream', 'stream', 'stream'].map((name) =>
          client.callTool(name).catch((error: unknown) => error),
        ),
      )
      const rejected = await client.readResource('x:').catch((error: unknown) => error)

      for (const failure of failures) {
        expect(failure).toMatchObject({
          code: 'limit_exceeded',
          details: { limit: 'messageBytes', allowed: mebibyte },
        })
      }
      expect(rejected).toMatchObject({ code: 'http_error', details: { status: 500 } })
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * mebibyte)
      await expect(client.ping()).resolves.toBeGreaterThan(0)
    },
  )
})

test('nothing packed is asked for', async () => {
  await using server = await openScriptedServer()
  await using client = await connect(server.url)
  await client.callTool('do')

  for (const { headers } of server.seen) expect(headers).not.toHaveProperty('accept-encoding')
})

test.each([
  ['gzip', 'not valid gzip', () => Buffer.from('{"jsonrpc":"2.0"}')],
  ['gzip', 'not valid gzip', (text: string) => gzipSync(text).subarray(0, -9)],
  ['br', 'not valid br', () => Buffer.from('nothing of the kind')],
  ['zstd', 'coded as "zstd"', () => Buffer.from('x')],
  ['gzip, gzip', 'coded as "gzip, gzip"', (text: string) => gzipSync(gzipSync(text))],
  ['__proto__', 'coded as "__proto__"', () => Buffer.from('x')],
])('a body said to be %s that is not is refused: %s', async (coding, why, pack) => {
  await using server = await openScriptedServer({ 'tools/call': coded(coding, pack) })
  await using client = await connect(server.url)

  const failure = await client.callTool('do').catch((error: unknown) => error)

  expect(failure).toMatchObject({ code: 'invalid_message' })
  expect(String(failure)).toContain(why)
  server.scripts['tools/call'] = coded('gzip', gzipSync)
  expect(await client.callTool('do')).toEqual(said('small'))
})

test('a packed answer that is cut off is a lost connection', async () => {
  await using server = await openScriptedServer({
    'tools/call'({ response }) {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      response.write(gzipSync('{"jsonrpc":').subarray(0, 20))
      setTimeout(() => response.socket?.destroy(), 5)
    },
  })
  await using client = await connect(server.url)

  await expect(client.callTool('do')).rejects.toMatchObject({
    code: 'connection_lost',
    details: { sent: true },
  })
})
