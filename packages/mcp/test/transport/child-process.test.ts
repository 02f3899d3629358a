import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { isMcpError, OutgoingMessage } from '@parley/mcp'
import type { CommandEntry } from '@parley/mcp/client'
import { type SpawnOptions, spawnTransport } from '@parley/mcp/command'
import { describe, expect, test } from 'vitest'

import { spawnTransport as unsupported } from '../../src/transport/stdio/child-process-unsupported.ts'

function fixture(name: string, ...args: string[]): CommandEntry {
  const file = fileURLToPath(new URL(`fixtures/${name}.mjs`, import.meta.url))
  return { command: process.execPath, args: [file, ...args] }
}

/** Starts a child and collects what it says. */
async function start(entry: CommandEntry, options: SpawnOptions = {}) {
  const transport = await spawnTransport(entry, options)
  const messages: unknown[] = []
  let wake = (): void => {}
  const ended = new Promise<unknown>((resolve) => {
    transport.receive?.({
      message(message) {
        messages.push(typeof message === 'string' ? tryParse(message) : message)
        wake()
      },
      end: resolve,
    })
  })
  async function next(count: number): Promise<unknown[]> {
    while (messages.length < count) await new Promise<void>((resolve) => (wake = resolve))
    return messages
  }
  async function ask(what: string): Promise<unknown> {
    void transport.send(new OutgoingMessage({ ask: what }))
    return (await next(messages.length + 1)).at(-1)
  }
  return { transport, messages, ended, next, ask }
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function untilGone(pid: number): Promise<void> {
  while (isAlive(pid)) await sleep(10)
}

describe('starting a server', () => {
  test('speaks with it over its standard streams [STDIO-01] [STDIO-02] [STDIO-03]', async () => {
    const { transport, next } = await start(fixture('echo'))

    void transport.send(new OutgoingMessage({ id: 1, text: 'two\nlines é' }))
    void transport.send(new OutgoingMessage('{"id":2}'))

    expect(await next(2)).toEqual([{ echo: { id: 1, text: 'two\nlines é' } }, { echo: { id: 2 } }])
    expect(transport.kind).toBe('stdio')
    expect(transport.peer).toMatch(/^node .*echo\.mjs$/)
    await transport[Symbol.asyncDispose]()
  })

  test('hands over arguments as they are, without a shell, in the folder given', async () => {
    const args = ['$(touch x)', 'a b', '"', '*', ';exit 1']
    const entry = { ...fixture('echo', ...args), cwd: tmpdir() }
    const { transport, ask } = await start(entry)

    expect(await ask('args')).toEqual({ args })
    expect(await ask('cwd')).toEqual({ cwd: tmpdir() })
    await transport[Symbol.asyncDispose]()
  })

  test('gives it a minimal environment, and what its entry says on top [STDIO-09]', async () => {
    process.env['PARLEY_TEST_SECRET'] = 'hidden'
    process.env['https_proxy'] = 'http://proxy.example'
    const entry = { ...fixture('echo'), env: { API_KEY: 'given', LANG: 'eo' } }
    const { transport, ask } = await start(entry)

    const { env } = (await ask('env')) as { env: Record<string, string> }

    expect(env).toMatchObject({
      PATH: process.env['PATH'],
      https_proxy: 'http://proxy.example',
      API_KEY: 'given',
      LANG: 'eo',
    })
    expect(env).not.toHaveProperty('PARLEY_TEST_SECRET')
    delete process.env['PARLEY_TEST_SECRET']
    delete process.env['https_proxy']
    await transport[Symbol.asyncDispose]()
  })

  test('names the command and the places searched when it is not there', async () => {
    const entry = {
      command: 'no-such-server',
      args: ['secret'],
      env: { PATH: '/nowhere:/elsewhere' },
    }

    const error: unknown = await spawnTransport(entry).catch((reason: unknown) => reason)

    expect(isMcpError(error, 'spawn_failed')).toBe(true)
    expect(error).toMatchObject({
      message: expect.stringMatching(/no-such-server.*\/nowhere:\/elsewhere/),
      hint: expect.stringContaining('PATH'),
    })
  })

  test('names the folder when that is not there, and the file when it cannot be run', async () => {
    await expect(spawnTransport({ ...fixture('echo'), cwd: '/nowhere' })).rejects.toThrow(
      '/nowhere',
    )
    const notExecutable = fileURLToPath(new URL('fixtures/echo.mjs', import.meta.url))
    await expect(spawnTransport({ command: notExecutable })).rejects.toMatchObject({
      code: 'spawn_failed',
      message: expect.stringContaining(notExecutable),
    })
  })

  test('rejects where there are no child processes', async () => {
    await expect(unsupported(fixture('echo'))).rejects.toMatchObject({
      code: 'unsupported_runtime',
    })
  })

  test('keeps arguments out of its name, which may be secrets', async () => {
    const node = process.execPath
    const { transport } = await start({ command: node, args: ['-e', '0', '--token=abc'] })

    expect(transport.peer).toBe('node')
    await transport[Symbol.asyncDispose]()
  })
})

describe('what a server writes elsewhere', () => {
  test('reports stray lines on stdout and goes on; 1 MiB of stderr does not stall [STDIO-06]', async () => {
    const noise: string[] = []
    const errors: string[] = []
    const { transport, next } = await start(fixture('noisy'), {
      onError: (error) => {
        if (isMcpError(error, 'invalid_message')) noise.push(error.details.excerpt)
      },
      onStderr: (line) => errors.push(line),
    })

    expect(await next(2)).toEqual(['[not json', { id: 1 }])
    await transport[Symbol.asyncDispose]()

    expect(noise[0]).toBe('Server starting…')
    expect(noise[1]).toHaveLength(500)
    expect(errors).toHaveLength(1024)
    expect(transport.stderr()).toHaveLength(64 * 1024)
  })

  test('does not take stderr for a failure, nor a throwing listener [N11-STDIO-02]', async () => {
    const { transport, next } = await start(fixture('noisy'), {
      onStderr() {
        throw new Error('listener')
      },
      onError() {
        throw new Error('listener')
      },
    })

    expect(await next(2)).toContainEqual({ id: 1 })
    await transport[Symbol.asyncDispose]()
  })
})

describe('a server that ends by itself', () => {
  test('is spawn_failed before its first message, with code and stderr', async () => {
    const { ended, transport } = await start(fixture('crash'))

    const error = await ended

    expect(isMcpError(error, 'spawn_failed')).toBe(true)
    expect(error).toMatchObject({
      message: expect.stringContaining('exited with code 3'),
      details: { exitCode: 3, exitSignal: null, stderr: expect.stringContaining('no database') },
      hint: expect.stringContaining('no database'),
      retryable: false,
    })
    expect(await transport.exited).toMatchObject({ exitCode: 3 })
    await transport[Symbol.asyncDispose]()
  })

  test('is connection_lost when it is killed in the middle [N07-STDIO-05]', async () => {
    const { ended, transport, ask } = await start(fixture('echo'))
    await ask('pid')

    process.kill(transport.pid, 'SIGKILL')

    const error = await ended
    expect(isMcpError(error, 'connection_lost')).toBe(true)
    expect(error).toMatchObject({ details: { exitCode: null, exitSignal: 'SIGKILL', sent: true } })
    await expect(
      Promise.resolve(transport.send(new OutgoingMessage({ id: 1 }))),
    ).rejects.toMatchObject({
      name: 'McpError',
    })
  })

  test('is connection_lost when it closes its stdout, and is then ended [LIFE-14]', async () => {
    const { ended, messages, transport } = await start(fixture('half-line'))

    expect(await ended).toMatchObject({ code: 'connection_lost' })
    expect(messages).toEqual([{ id: 1 }, '{"id":'])
    expect(await transport.exited).toMatchObject({ exitCode: 0 })
  })

  test('ends although a process that escaped from its tree holds its streams', async () => {
    const { ended, next, transport } = await start(fixture('family', 'escape'))
    const [said] = (await next(2)) as [{ grandchild: number }]

    process.kill(transport.pid, 'SIGKILL')

    expect(await ended).toMatchObject({ code: 'connection_lost' })
    process.kill(said.grandchild, 'SIGKILL')
  })
})

describe('disposing', () => {
  const stop = { stdinMs: 300, termMs: 300 }

  test('closes stdin first, and a server that exits then gets no signal [LIFE-11] [N07-STDIO-04]', async () => {
    const { transport, ended, ask } = await start(fixture('echo'))
    await ask('pid')

    await Promise.all([transport[Symbol.asyncDispose](), transport[Symbol.asyncDispose]()])

    expect(await ended).toBeUndefined()
    expect(await transport.exited).toEqual({
      exitCode: 0,
      exitSignal: null,
      stderr: 'end of input',
    })
    expect(isAlive(transport.pid)).toBe(false)
  })

  test('sends SIGTERM, then SIGKILL, to a server that hears neither [LIFE-12] [LIFE-13]', async () => {
    const { transport, next } = await start(fixture('stubborn'), { stop })
    await next(1)

    await transport[Symbol.asyncDispose]()

    expect(await transport.exited).toEqual({
      exitCode: null,
      exitSignal: 'SIGKILL',
      stderr: 'end of input\ngot SIGTERM\n',
    })
  })

  test('ends the whole tree, also when its head exits and leaves a process behind', async () => {
    const { transport, next } = await start(fixture('family'), { stop })
    const [first] = (await next(2)) as [{ grandchild: number }]
    expect(isAlive(first.grandchild)).toBe(true)

    await transport[Symbol.asyncDispose]()

    expect(await transport.exited).toMatchObject({ exitCode: 0 })
    await untilGone(first.grandchild)
  })

  test('ends what a server leaves behind when it dies by itself', async () => {
    const { transport, next, ended } = await start(fixture('family'), { stop })
    const [first] = (await next(2)) as [{ grandchild: number }]

    process.kill(transport.pid, 'SIGKILL')

    expect(await ended).toMatchObject({ code: 'connection_lost' })
    await untilGone(first.grandchild)
  })

  test('resolves for a child that cannot take what is waiting for it', async () => {
    const { transport, next } = await start(fixture('stubborn'), { stop })
    await next(1)
    process.kill(transport.pid, 'SIGSTOP')
    void transport.send(new OutgoingMessage({ text: 'x'.repeat(4 * 1024 * 1024) }))

    await transport[Symbol.asyncDispose]()

    expect(await transport.exited).toMatchObject({ exitSignal: 'SIGKILL' })
  })

  test('leaves no hook on this process when the last child has gone', async () => {
    const events = ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP']
    const before = events.map((name) => process.listenerCount(name))
    const one = await start(fixture('echo'))
    const two = await start(fixture('echo'))
    expect(process.listenerCount('exit')).toBe((before[0] ?? 0) + 1)

    await one.transport[Symbol.asyncDispose]()
    await two.transport[Symbol.asyncDispose]()

    expect(events.map((name) => process.listenerCount(name))).toEqual(before)
  })
})

describe('when this process ends first', () => {
  test.each([
    ['by itself', 'exit', { code: 7, signal: null }],
    ['by a signal', 'SIGTERM', { code: null, signal: 'SIGTERM' }],
    ['by an interrupt', 'SIGINT', { code: null, signal: 'SIGINT' }],
  ] as const)('its children end with it: %s', async (_, how, expected) => {
    const host = spawn(fixture('host').command, [...(fixture('host').args ?? []), how], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [pid] = (await once(host.stdout, 'data')) as [Buffer]
    if (how !== 'exit') host.kill(how)
    const [code, signal] = (await once(host, 'exit')) as [number | null, string | null]

    expect({ code, signal }).toEqual(expected)
    await untilGone(Number(pid))
  })

  test('a signal that the application handles, even once, is left to it', async () => {
    const { command, args = [] } = fixture('host')
    const host = spawn(command, [...args, 'SIGTERM', 'handled'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [pid] = (await once(host.stdout, 'data')) as [Buffer]
    host.kill('SIGTERM')

    expect(await once(host, 'exit')).toEqual([0, null])
    await untilGone(Number(pid))
  })
})
