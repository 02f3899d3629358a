import { PassThrough } from 'node:stream'

import { serveTransport } from '@parley/mcp/server'
import { createStdioTransport } from '@parley/mcp/stdio'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { tries } from '../../../../test-support/thorough.ts'
import type { Raw } from '../support/raw-channel.ts'
import { createSampleServer } from '../support/sample-server.ts'

const messageBytes = 4_096

/** Our server on two streams, fed with bytes. */
function serve() {
  const input = new PassThrough()
  const output = new PassThrough()
  const service = serveTransport(
    createSampleServer().server,
    createStdioTransport({ input, output, messageBytes }),
    { onError: () => undefined },
  )
  let written = ''
  output.setEncoding('utf8').on('data', (chunk: string) => (written += chunk))

  /** Everything that came out, where each line must be JSON. */
  function lines(): Raw[] {
    return written
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Raw)
  }

  /** Rejects if neither an answer nor the end comes. */
  async function answerTo(id: string | number): Promise<Raw | 'closed'> {
    let isClosed = false
    void service.closed.then(() => (isClosed = true))
    for (let turn = 0; turn < 500; turn += 1) {
      const answer = lines()
        .flat()
        .find((line) => line.id === id)
      if (answer !== undefined) return answer
      if (isClosed) return 'closed'
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    throw new Error('neither answered nor closed')
  }
  return { input, service, lines, answerTo }
}

const unhandled: unknown[] = []
const keep = (error: unknown): void => void unhandled.push(error)
beforeAll(() => {
  process.on('unhandledRejection', keep)
})
afterAll(() => {
  process.off('unhandledRejection', keep)
  expect(unhandled).toEqual([])
})

const messages = [
  {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-03-26',
      capabilities: {},
      clientInfo: { name: 'fuzz', version: '1' },
    },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'count', arguments: {} } },
  { jsonrpc: '2.0', id: 3, method: 'tools/list', params: {} },
  { jsonrpc: '2.0', id: 4, method: 'prompts/get', params: { name: 'greet', arguments: {} } },
  { jsonrpc: '2.0', id: 5, method: 'resources/read', params: { uri: 'note://one' } },
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 77 } },
  { jsonrpc: '2.0', id: 6, result: {} },
  [{ jsonrpc: '2.0', id: 7, method: 'ping' }],
].map((message) => JSON.stringify(message))

/** A valid line with some of its bytes changed, cut out or repeated. */
const mutated = fc
  .tuple(
    fc.constantFrom(...messages),
    fc.array(
      fc.record({
        at: fc.nat(300),
        cut: fc.nat(5),
        put: fc.uint8Array({ maxLength: 4 }),
      }),
      { maxLength: 4 },
    ),
  )
  .map(([text, changes]) => {
    let bytes = Buffer.from(`${text}\n`)
    for (const { at, cut, put } of changes) {
      const start = at % bytes.length
      bytes = Buffer.concat([bytes.subarray(0, start), put, bytes.subarray(start + cut)])
    }
    return bytes
  })

const noise = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.string({ unit: 'binary', maxLength: 100 }).map((text) => Buffer.from(`${text}\n`)),
  fc.json().map((text) => Buffer.from(`${text}\r\n`)),
  fc.constantFrom('\n', '\r\n', '\n\n\n', '\ufeff{}\n', '[\n', '"\n', '\0\n').map(Buffer.from),
  fc.nat(10_000).map((length) => Buffer.alloc(length, 'x')),
)

describe('any bytes', () => {
  test.each([
    ['noise', noise],
    ['messages with faults in them', mutated],
    ['both', fc.oneof(noise, mutated)],
  ])('end in an answer, an error or a clean close: %s [BASE-21]', async (_, chunk) => {
    await fc.assert(
      fc.asyncProperty(fc.array(chunk, { maxLength: 12 }), async (chunks) => {
        const { input, service, answerTo, lines } = serve()
        for (const bytes of chunks) input.write(bytes)

        input.write('\n{"jsonrpc":"2.0","id":"alive","method":"ping"}\n')

        expect(await answerTo('alive')).toEqual({ jsonrpc: '2.0', id: 'alive', result: {} })
        for (const line of lines().flat()) expect(line.jsonrpc).toBe('2.0')
        input.end()
        await service.closed
      }),
      { numRuns: tries(40) },
    )
  })

  test('mean the same however they are cut', async () => {
    const text = `${messages.join('\n')}\n{"jsonrpc":"2.0","id":"ü🦉","method":"ping"}\n`
    const bytes = Buffer.from(text)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 10 }), async (cuts) => {
        const { input, service, answerTo, lines } = serve()
        let start = 0
        for (const cut of [...cuts.toSorted((a, b) => a - b), bytes.length]) {
          input.write(bytes.subarray(start, cut))
          start = cut
        }

        for (const id of [1, 2, 3, 4, 5, 7, 'ü🦉']) await answerTo(id)
        const ids = lines()
          .flat()
          .map(({ id }) => String(id))
        expect(ids.toSorted()).toEqual(['1', '2', '3', '4', '5', '7', 'ü🦉'])
        input.end()
        await service.closed
      }),
      { numRuns: tries(20) },
    )
  })

  test('of one line without an end are refused once', async () => {
    const { input, service, answerTo, lines } = serve()

    for (let part = 0; part < 200; part += 1) {
      if (!input.write(Buffer.alloc(64 * 1024, 'x'))) {
        await new Promise((resolve) => input.once('drain', resolve))
      }
    }
    input.write('\n{"jsonrpc":"2.0","id":"alive","method":"ping"}\n')

    expect(await answerTo('alive')).toHaveProperty('result')
    expect(lines()[0]).toEqual({
      jsonrpc: '2.0',
      error: {
        code: 413,
        message:
          'a message of 13107200 bytes is over the limit of 4096; raise limits.messageBytes to accept it',
        data: {
          limit: 'messageBytes',
          allowed: messageBytes,
          seen: 200 * 64 * 1024,
          reason: 'limit_exceeded',
        },
      },
    })
    expect(lines()).toHaveLength(2)
    input.end()
    await service.closed
  })

  test('that end in the middle of a message end the session', async () => {
    const { input, service, lines } = serve()

    input.end('{"jsonrpc":"2.0","id":1,"met')
    await service.closed

    expect(lines().length).toBeLessThanOrEqual(1)
  })
})
