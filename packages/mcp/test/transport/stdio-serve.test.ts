import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { PassThrough, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'

import { OutgoingMessage } from '@parley/mcp'
import { spawnTransport } from '@parley/mcp/command'
import { createServer } from '@parley/mcp/server'
import { serveStdio } from '@parley/mcp/stdio'
import { describe, expect, test } from 'vitest'

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1.0.0' },
  },
}
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' }

function call(id: number, name: string): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name } }
}

function toolText(id: number, text: string): object {
  const result = expect.objectContaining({ content: [{ type: 'text', text }] })
  return expect.objectContaining({ id, result })
}

function command(options: object, ...rest: string[]): [string, ...string[]] {
  const file = fileURLToPath(new URL('fixtures/run-source.mjs', import.meta.url))
  return [process.execPath, file, 'stdio-server.mjs', JSON.stringify(options), ...rest]
}

/** Runs the server, shakes hands, and collects what it writes. */
async function start(options: object = {}, ...rest: string[]) {
  const [file, ...args] = command(options, ...rest)
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => (said[name] += text))
  }
  const closed = once(child, 'close') as Promise<[number | null, string | null]>
  function send(...messages: object[]): void {
    child.stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''))
  }
  async function says(name: 'stdout' | 'stderr', text: string): Promise<void> {
    while (!said[name].includes(text)) await once(child[name], 'data')
  }
  send(initialize, initialized)
  await says('stdout', '"id":0')
  return {
    child,
    send,
    says,
    stderr: () => said.stderr,
    /** Every line has to parse by itself. */
    messages: () =>
      said.stdout
        .split('\n')
        .slice(0, -1)
        .map((line): unknown => JSON.parse(line)),
    end: async () => {
      const [code, signal] = await closed
      return code ?? signal
    },
  }
}

describe('serving standard streams', () => {
  test('answers, and writes nothing to stdout but messages [STDIO-02] [STDIO-04] [STDIO-07] [SDKS-05]', async () => {
    const server = await start()

    server.send(call(1, 'text'), call(2, 'chatty'), call(3, 'big'))
    server.child.stdin.end()

    expect(await server.end()).toBe(0)
    expect(server.messages().slice(1)).toEqual([
      toolText(1, 'two\nlines é'),
      toolText(2, 'done'),
      toolText(3, 'x'.repeat(1024 * 1024)),
    ])
    expect(server.stderr()).toMatch(/stray\n(?:.|\n)*stray too\n/)
  })

  test('reports the first stray write with the stack of who made it', async () => {
    const server = await start()

    server.send(call(1, 'chatty'), call(2, 'chatty'))
    server.child.stdin.end()
    await server.end()

    expect(server.stderr().match(/something wrote to stdout/g)).toHaveLength(1)
    expect(server.stderr()).toMatch(/chattyHandler/)
  })

  test('answers a broken line and goes on', async () => {
    const server = await start({ limits: { messageBytes: 300 } })

    server.child.stdin.write(`{"jsonrpc"\n${'x'.repeat(400)}\n`)
    server.send(call(1, 'text'))
    server.child.stdin.end()
    await server.end()

    expect(server.messages().slice(1)).toEqual([
      expect.objectContaining({ error: expect.objectContaining({ code: -32700 }) }),
      expect.objectContaining({
        error: expect.objectContaining({
          message: expect.stringContaining('limits.messageBytes'),
          data: expect.objectContaining({ limit: 'messageBytes', allowed: 300, seen: 400 }),
        }),
      }),
      toolText(1, 'two\nlines é'),
    ])
  })
})

describe('the end of the process', () => {
  test('finishes calls at the end of input, then exits, whatever was forgotten [N07-STDIO-03]', async () => {
    const server = await start({}, 'forget')
    server.send(call(1, 'slow'))

    server.child.stdin.end()

    expect(await server.end()).toBe(0)
    expect(server.messages().at(-1)).toEqual(toolText(1, 'slow'))
    expect(server.stderr()).toMatch(/slow ended\n(?:.|\n)*clean-up/)
  })

  test('aborts at the deadline what does not finish', async () => {
    const server = await start({ drainMs: 100 })
    server.send(call(1, 'endless'))

    server.child.stdin.end()

    expect(await server.end()).toBe(0)
    expect(server.stderr()).toContain('aborted: drain')
    expect(server.messages().at(-1)).toMatchObject({ id: 1, error: { code: 503 } })
  })

  test.each(['SIGTERM', 'SIGINT'] as const)('does the same on %s', async (signal) => {
    const server = await start()
    server.send(call(1, 'slow'))
    await server.says('stderr', 'slow began')

    server.child.kill(signal)

    expect(await server.end()).toBe(0)
    expect(server.messages().at(-1)).toEqual(toolText(1, 'slow'))
  })

  test('exits at once on a second signal', async () => {
    const server = await start()
    server.send(call(1, 'endless'))
    await server.says('stderr', 'endless began')

    server.child.kill('SIGTERM')
    setTimeout(() => server.child.kill('SIGTERM'), 100)

    expect(await server.end()).toBe(143)
  })

  test('exits when nobody reads its output any more', async () => {
    const server = await start({}, 'forget')

    server.child.stdout.destroy()
    server.send(call(1, 'big'), call(2, 'big'))

    expect(await server.end()).toBe(0)
  })

  test('exits although nobody reads its stderr any more', async () => {
    const server = await start()
    server.child.stderr.destroy()

    server.send(call(1, 'chatty'), call(2, 'text'))
    await server.says('stdout', '"id":2')
    server.child.stdin.end()

    expect(await server.end()).toBe(0)
  })

  test('is the whole of it: a client closes its stdin and the server is gone [LIFE-10] [LIFE-11]', async () => {
    const [file, ...args] = command({}, 'forget')
    const transport = await spawnTransport({ command: file, args })
    const first = new Promise<unknown>((resolve) => {
      transport.receive?.({ message: (message) => resolve(message), end() {} })
    })
    void transport.send(new OutgoingMessage(initialize))
    expect(await first).toContain('"serverInfo"')

    await transport[Symbol.asyncDispose]()

    expect(await transport.exited).toMatchObject({ exitCode: 0, exitSignal: null })
  })
})

describe('serving other streams', () => {
  test('drains at the end of input and leaves this process alone', async () => {
    const listeners = ['SIGTERM', 'SIGINT', 'exit'].map((name) => process.listenerCount(name))
    const { write } = process.stdout
    const input = new PassThrough()
    const output = new PassThrough()
    const server = createServer({ name: 'test', version: '1.0.0' })
    server.tool('soon', {}, async () => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      return 'soon'
    })
    const service = serveStdio(server, { input, output })
    expect(process.stdout.write).toBe(write)
    expect(['SIGTERM', 'SIGINT', 'exit'].map((name) => process.listenerCount(name))).toEqual(
      listeners,
    )

    for (const message of [initialize, initialized, call(1, 'soon')]) {
      input.write(`${JSON.stringify(message)}\n`)
    }
    input.end()
    await service.closed

    const lines = String(output.read()).trimEnd().split('\n')
    expect(lines.map((line): unknown => JSON.parse(line)).at(-1)).toEqual(toolText(1, 'soon'))
    expect(output.writableFinished).toBe(true)
  })

  test('stops at the deadline for a peer that has ended and does not read [N07-STDIO-03]', async () => {
    const input = new PassThrough()
    const output = new Writable({ write: () => undefined })
    const server = createServer({ name: 'test', version: '1.0.0' })
    const reasons: unknown[] = []
    const aborted = new Promise<void>((resolve) => {
      server.tool('endless', {}, async (_, { signal }) => {
        await once(signal, 'abort')
        reasons.push(signal.reason)
        resolve()
      })
    })
    server.tool('long', {}, () => 'x'.repeat(100_000))
    const limits = { bufferedBytes: 50_000 }
    const service = serveStdio(server, { input, output, drainMs: 50, limits })

    const calls = [call(1, 'endless'), call(2, 'long'), call(3, 'long'), call(4, 'long')]
    for (const message of [initialize, initialized, ...calls]) {
      input.write(`${JSON.stringify(message)}\n`)
    }
    input.end()
    await aborted
    output.destroy()
    await service.closed

    expect(reasons).toMatchObject([{ code: 'cancelled', details: { by: 'drain' } }])
  })

  test('writes progress at once, and the answer apart from it', async () => {
    const input = new PassThrough()
    const chunks: string[] = []
    const said = new EventEmitter()
    const output = new Writable({
      write(chunk: Buffer, _, done) {
        chunks.push(chunk.toString())
        if (chunks.at(-1)?.includes('"id":1')) said.emit('answer')
        done()
      },
    })
    const server = createServer({ name: 'test', version: '1.0.0' })
    const seen: number[] = []
    const written = () => chunks.filter((chunk) => chunk.includes('/progress')).length
    server.tool('work', {}, async (_, { progress }) => {
      for (const step of [1, 2]) {
        await progress({ progress: step, total: 2 })
        seen.push(written()) // in the same turn, as if it went on to compute
      }
      return 'done'
    })
    await using service = serveStdio(server, { input, output })

    const params = { name: 'work', _meta: { progressToken: 7 } }
    const work = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const answer = once(said, 'answer')
    for (const message of [initialize, initialized, work]) {
      input.write(`${JSON.stringify(message)}\n`)
    }
    await answer

    expect(seen).toEqual([1, 2])
    expect(chunks.filter((chunk) => chunk.includes('"id":1'))).toEqual([
      expect.not.stringContaining('/progress'),
    ])
    await service.drain()
  })

  test('ends both streams when it is disposed', async () => {
    const input = new PassThrough()
    const output = new PassThrough()
    const service = serveStdio(createServer({ name: 'test', version: '1.0.0' }), { input, output })

    await service[Symbol.asyncDispose]()
    await service.closed

    expect(input.destroyed).toBe(true)
    expect(output.writableFinished).toBe(true)
  })
})
