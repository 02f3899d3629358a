import { once } from 'node:events'
import { createServer, connect, type AddressInfo } from 'node:net'
import { PassThrough, Readable, Writable } from 'node:stream'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'

import {
  isMcpError,
  OutgoingMessage,
  type RawMessage,
  type RpcError,
  type Transport,
} from '@parley/mcp'
import { createStdioTransport } from '@parley/mcp/stdio'
import * as fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'

import { tries } from '../../../../test-support/thorough.ts'

interface Received {
  readonly messages: (RawMessage | RpcError)[]
  readonly ended: Promise<unknown>
}

function receive(transport: Transport): Received {
  const messages: (RawMessage | RpcError)[] = []
  const ended = new Promise<unknown>((resolve) => {
    transport.receive?.({ message: (message) => void messages.push(message), end: resolve })
  })
  return { messages, ended }
}

/** A stream that keeps what it got and takes more only when told to. */
function createSlowOutput() {
  const written: string[] = []
  let proceed = (): void => {}
  const output = new Writable({
    highWaterMark: 16,
    decodeStrings: false,
    write(chunk: string, _, done) {
      written.push(chunk)
      proceed = done
    },
  })
  return { output, written, proceed: () => proceed() }
}

test('writes in a program whose timers are fake', async () => {
  const output = new PassThrough()
  await using transport = createStdioTransport({ input: new PassThrough(), output })
  vi.useFakeTimers({ toFake: ['setImmediate', 'setTimeout', 'nextTick'] })
  try {
    void transport.send(new OutgoingMessage({ jsonrpc: '2.0', id: 1, method: 'ping' }))

    const [line] = (await once(output, 'data')) as [Buffer]

    expect(line.toString()).toContain('"ping"')
  } finally {
    vi.useRealTimers()
  }
})

describe('reading', () => {
  test('keeps reading after a line that is not JSON [STDIO-03]', async () => {
    const input = new PassThrough()
    await using transport = createStdioTransport({ input, output: new PassThrough() })
    input.end('not json\n{"id":1}\n')

    const messages = []
    for await (const message of transport.messages) messages.push(message)

    expect(messages).toEqual(['not json', '{"id":1}'])
    expect(transport.kind).toBe('stdio')
  })

  test('delivers a half-written last line, then ends', async () => {
    const input = new PassThrough()
    await using transport = createStdioTransport({ input, output: new PassThrough() })
    const { messages, ended } = receive(transport)

    input.end('{"id":1}\n{"id":')

    expect(await ended).toBeUndefined()
    expect(messages).toEqual(['{"id":1}', '{"id":'])
  })

  test('delivers nothing while the sink is busy, and stops a stream that has much to say', async () => {
    const input = new PassThrough({ highWaterMark: 64 })
    const output = new PassThrough()
    await using transport = createStdioTransport({ input, output, bufferedBytes: 8 })
    const messages: unknown[] = []
    let release = (): void => {}
    const ended = new Promise<void>((resolve) => {
      transport.receive?.({
        message(message) {
          messages.push(message)
          return new Promise((free) => (release = free))
        },
        end: () => resolve(),
      })
    })
    input.write('1\n2\n')
    await setImmediate()
    expect(input.isPaused()).toBe(false)
    input.write('3\n4\n')
    await setImmediate()

    expect(messages).toEqual(['1'])
    expect(input.isPaused()).toBe(true)

    input.end('5\n')
    for (const count of [2, 3, 4, 5]) {
      release()
      await setImmediate()
      expect(messages).toHaveLength(count)
    }
    release()
    await ended
    expect(messages).toEqual(['1', '2', '3', '4', '5'])
  })

  test('ends with connection_lost when the stream fails or is destroyed', async () => {
    for (const cause of [new Error('EIO'), undefined]) {
      const input = new PassThrough()
      await using transport = createStdioTransport({
        input,
        output: new PassThrough(),
        peer: 'a box',
      })
      const { ended } = receive(transport)

      input.destroy(cause)

      const error = await ended
      expect(isMcpError(error, 'connection_lost')).toBe(true)
      expect(error).toMatchObject({ peer: 'a box', retryable: false })
    }
  })

  test('ends at once when the stream was over before anybody received', async () => {
    const input = Readable.from([])
    input.resume()
    await once(input, 'end')
    await using transport = createStdioTransport({ input, output: new PassThrough() })

    expect(await receive(transport).ended).toBeUndefined()
  })

  test('makes messages and a clean end of any bytes, and never throws', async () => {
    const chunk = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc
        .constantFrom('\n', '{"id":1}\n', '\r\n', '\uFEFF', 'x'.repeat(50))
        .map((text) => Buffer.from(text)),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(chunk, { maxLength: 12 }), fc.boolean(), async (chunks, isSlow) => {
        const input = new PassThrough()
        await using transport = createStdioTransport({
          input,
          output: new PassThrough(),
          messageBytes: 32,
        })
        const seen: unknown[] = []
        const ended = new Promise<unknown>((resolve) => {
          transport.receive?.({
            message(message) {
              seen.push(message)
              return isSlow ? setImmediate() : undefined
            },
            end: resolve,
          })
        })
        for (const part of chunks) input.write(part)
        input.end()

        expect(await ended).toBeUndefined()
        for (const message of seen) {
          if (typeof message === 'string')
            expect(Buffer.byteLength(message)).toBeLessThanOrEqual(32)
          else
            expect(message).toHaveProperty(
              'code',
              expect.stringMatching(/^(limit_exceeded|parse_error)$/),
            )
        }
      }),
      { numRuns: tries(150) },
    )
  })
})

describe('writing', () => {
  test('writes one message per line, whatever is in it [STDIO-03] [STDIO-04]', async () => {
    const output = new PassThrough()
    const transport = createStdioTransport({ input: new PassThrough(), output })

    void transport.send(new OutgoingMessage({ text: 'two\nlines\r\nand a lone \uD800' }))
    void transport.send(new OutgoingMessage('{\n  "pretty": true\r\n}'))
    await transport[Symbol.asyncDispose]()

    const lines = String(output.read()).split('\n')
    expect(lines.pop()).toBe('')
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { text: 'two\nlines\r\nand a lone \uD800' },
      { pretty: true },
    ])
  })

  test('puts the messages of one turn into one write', async () => {
    const { output, written } = createSlowOutput()
    const transport = createStdioTransport({ input: new PassThrough(), output })

    for (let id = 0; id < 64; id++) {
      await Promise.resolve()
      void transport.send(new OutgoingMessage({ id }))
    }
    await setImmediate()

    expect(written).toHaveLength(1)
    expect(written[0]?.split('\n')).toHaveLength(65)
  })

  test('asks to wait when too much is waiting, until there is room', async () => {
    const { output, written, proceed } = createSlowOutput()
    const transport = createStdioTransport({ input: new PassThrough(), output, bufferedBytes: 100 })
    expect(transport.send(new OutgoingMessage('x'.repeat(50)))).toBeUndefined()
    await setImmediate()
    expect(transport.send(new OutgoingMessage('y'.repeat(40)))).toBeUndefined()
    const drained = transport.send(new OutgoingMessage('z'.repeat(60)))
    expect(drained).toBeInstanceOf(Promise)
    let hasCapacity = false
    void Promise.resolve(drained).then(() => (hasCapacity = true))
    await setImmediate()
    expect(hasCapacity).toBe(false)

    proceed()
    await setImmediate()
    proceed()
    await drained

    expect(written.join('')).toBe(`${'x'.repeat(50)}\n${'y'.repeat(40)}\n${'z'.repeat(60)}\n`)
  })

  test('throws at what has no JSON and goes on', async () => {
    const output = new PassThrough()
    const transport = createStdioTransport({ input: new PassThrough(), output })

    expect(() => transport.send(new OutgoingMessage({ big: 1n }))).toThrow(TypeError)
    void transport.send(new OutgoingMessage({ id: 1 }))
    await transport[Symbol.asyncDispose]()

    expect(String(output.read())).toBe('{"id":1}\n')
  })

  test('ends once when the pipe breaks, after the last words of the peer', async () => {
    const input = new PassThrough()
    const output = new Writable({
      write: (_chunk, _encoding, done) => done(new Error('write EPIPE')),
    })
    const transport = createStdioTransport({ input, output })
    const { messages, ended } = receive(transport)

    expect(transport.send(new OutgoingMessage({ id: 1 }))).toBeUndefined()
    await setImmediate()
    input.write('"last words"\n')

    const error = await ended
    expect(isMcpError(error, 'connection_lost')).toBe(true)
    expect(error).toMatchObject({ message: expect.stringContaining('EPIPE') })
    expect(messages).toEqual(['"last words"'])
    await expect(transport.send(new OutgoingMessage({ id: 2 }))).rejects.toBe(error)
    await transport[Symbol.asyncDispose]()
  })

  test('tells a receiver that comes after the pipe broke', async () => {
    const output = new Writable({
      write: (_chunk, _encoding, done) => done(new Error('write EPIPE')),
    })
    const transport = createStdioTransport({ input: new PassThrough(), output })
    void transport.send(new OutgoingMessage({ id: 1 }))
    await sleep(20)

    expect(isMcpError(await receive(transport).ended, 'connection_lost')).toBe(true)
  })

  test('finds out that the output was closed before', async () => {
    const output = new PassThrough()
    output.destroy()
    await once(output, 'close')
    const transport = createStdioTransport({ input: new PassThrough(), output })
    const { ended } = receive(transport)

    void transport.send(new OutgoingMessage({ id: 1 }))

    expect(isMcpError(await ended, 'connection_lost')).toBe(true)
  })
})

describe('disposing', () => {
  test('writes what is waiting, ends the output, stops reading, and twice is once [LIFE-10]', async () => {
    const input = new PassThrough()
    const output = new PassThrough()
    const transport = createStdioTransport({ input, output })
    const { messages, ended } = receive(transport)
    void transport.send(new OutgoingMessage({ id: 1 }))

    const first = transport[Symbol.asyncDispose]()
    const second = transport[Symbol.asyncDispose]()
    input.write('{"late":true}\n')
    await Promise.all([first, second])

    expect(await ended).toBeUndefined()
    expect(messages).toEqual([])
    expect(String(output.read())).toBe('{"id":1}\n')
    expect(output.writableFinished).toBe(true)
    expect(input.destroyed).toBe(true)
    await expect(transport.send(new OutgoingMessage({ id: 2 }))).rejects.toMatchObject({
      code: 'closed',
    })
  })

  test('ends exactly once a receiver that comes with it or after it', async () => {
    const ends: string[] = []
    const before = createStdioTransport({ input: new PassThrough(), output: new PassThrough() })
    before.receive?.({ message() {}, end: () => void ends.push('before') })
    void before[Symbol.asyncDispose]()
    const after = createStdioTransport({ input: new PassThrough(), output: new PassThrough() })
    void after[Symbol.asyncDispose]()
    after.receive?.({ message() {}, end: () => void ends.push('after') })

    await Promise.all([before[Symbol.asyncDispose](), after[Symbol.asyncDispose]()])

    expect(ends.toSorted()).toEqual(['after', 'before'])
  })

  test('works over a socket, both ways [N07-STDIO-06]', async () => {
    const server = createServer((socket) => {
      const transport = createStdioTransport({ input: socket, output: socket })
      transport.receive?.({
        message: (message) => transport.send(new OutgoingMessage(message)),
        end() {},
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    const transport = createStdioTransport({ input: socket, output: socket })
    const { messages } = receive(transport)

    void transport.send(new OutgoingMessage({ id: 1, text: 'é'.repeat(100_000) }))
    while (messages.length === 0) await sleep(5)
    await transport[Symbol.asyncDispose]()

    expect(messages).toEqual([JSON.stringify({ id: 1, text: 'é'.repeat(100_000) })])
    expect(socket.destroyed).toBe(true)
    server.close()
  })
})
