import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { serveHttp } from '@parley/mcp/node'
import { createEverythingServer } from '@parley/server-everything'
import { describe, expect, onTestFinished, test } from 'vitest'

import { codeOfVariable } from '../../src/protocol/code-variables.ts'
import { everythingCommand, foreignCommand, serveEverything } from './everything.ts'
import { nextLine, openPage, type PageClient } from './page-client.ts'
import { troubledEntry } from './troubled-server.ts'

describe('servers of the page', () => {
  test('an address is added, connected, restarted, disconnected and removed [INSP-02]', async () => {
    await using everything = await serveEverything()
    await using page = await openPage()

    const added = await page.ask('servers/add', { name: 'web', entry: everything.entry })
    const connected = await page.ask('servers/connect', { name: 'web' })
    const restarted = await page.ask('servers/restart', { name: 'web' })
    const off = await page.ask('servers/disconnect', { name: 'web' })
    await page.ask('servers/remove', { name: 'web' })

    expect([added.state, connected.state, restarted.state, off.state]).toEqual([
      'off',
      'ready',
      'ready',
      'off',
    ])
    expect(off.session).toBeUndefined()
    expect((await page.ask('state/get', {})).servers).toEqual([])
  })

  test('a command is run only after its exact words were confirmed [ARCH-02]', async () => {
    await using page = await openPage()
    const { command, args } = everythingCommand

    const added = await page.ask('servers/add', { name: 'mine', entry: everythingCommand })
    const early = page.ask('servers/connect', { name: 'mine' })
    await expect(early).rejects.toThrow('not_confirmed')
    const other = page.ask('servers/confirm', { name: 'mine', argv: [command, 'something else'] })
    await expect(other).rejects.toThrow('not_confirmed')
    const confirmed = await page.ask('servers/confirm', { name: 'mine', argv: [command, ...args] })

    expect(added.state).toBe('blocked')
    expect(confirmed.state).toBe('ready')
  })

  test('what decides what code is run is shown, and confirmed with the words [INSP-02]', async () => {
    await using page = await openPage()
    const { command, args } = foreignCommand
    const env = { NODE_OPTIONS: '--no-warnings', API_KEY: 'k-1234567890' }
    const entry = { ...foreignCommand, env, cwd: tmpdir() }
    const shown = { NODE_OPTIONS: '--no-warnings', API_KEY: '••••••' }
    const added = await page.ask('servers/add', { name: 'mine', entry })
    const words = { name: 'mine', argv: [command, ...args] }

    for (const seen of [
      {},
      { env: shown },
      { cwd: tmpdir() },
      { env: { ...shown, NODE_OPTIONS: '' }, cwd: tmpdir() },
      { env: shown, cwd: '/' },
    ]) {
      await expect(page.ask('servers/confirm', { ...words, ...seen })).rejects.toThrow(
        'not_confirmed',
      )
    }
    const confirmed = await page.ask('servers/confirm', { ...words, env: shown, cwd: tmpdir() })

    expect(added.entry).toMatchObject({ env: shown })
    expect(confirmed.state).toBe('ready')
  })

  test.each([
    'PATH',
    'NODE_OPTIONS',
    'LD_PRELOAD',
    'DYLD_INSERT_LIBRARIES',
    'PYTHONPATH',
    'PERL5OPT',
    'BASH_ENV',
  ])('the variable %s is worth a second look [SECX-09]', (name) => {
    expect(codeOfVariable(name)).toMatch(/\w/)
  })

  test.each(['API_KEY', 'NODE_ENV', 'LANG', 'PATHS', 'MY_LD_PRELOAD', 'npm_config__authToken'])(
    'the variable %s is data',
    (name) => {
      expect(codeOfVariable(name)).toBeUndefined()
    },
  )

  test('what is shown of an entry has its secrets masked', async () => {
    await using page = await openPage()

    const view = await page.ask('servers/add', {
      name: 'secret',
      entry: { ...foreignCommand, env: { API_KEY: 'k-1234567890', NODE_ENV: 'test' } },
    })
    const remote = await page.ask('servers/add', {
      name: 'remote',
      entry: { url: 'https://x.example/mcp?api_key=abcdefgh', headers: { 'x-token': 'tttttttt' } },
    })

    expect(view.entry).toMatchObject({ env: { API_KEY: '••••••', NODE_ENV: 'test' } })
    expect(JSON.stringify(remote.entry)).not.toMatch(/abcdefgh|tttttttt/)
  })

  test('names are unique', async () => {
    await using page = await openPage({ servers: [{ name: 'a', entry: foreignCommand }] })

    const again = page.ask('servers/add', { name: 'a', entry: foreignCommand })

    await expect(again).rejects.toThrow('duplicate_name')
  })

  test('they are there again after a restart, and commands wait to be confirmed again', async () => {
    await using first = await openPage()
    await first.ask('servers/add', { name: 'kept', entry: foreignCommand })
    await first.ask('servers/settings', { name: 'kept', settings: { era: '2025-06-18' } })
    await first.ask('preferences/save', { theme: 'dark' })
    await first.inspector.close()

    await using second = await openPage({ stateDirectory: first.stateDirectory })
    const { servers, preferences } = await second.ask('state/get', {})

    expect(servers).toMatchObject([
      { name: 'kept', state: 'blocked', settings: { era: '2025-06-18' } },
    ])
    expect(preferences).toEqual({ theme: 'dark' })
    await expect(second.ask('servers/connect', { name: 'kept' })).rejects.toThrow('not_confirmed')
  })
})

describe('connections', () => {
  test('one that fails says why, and what to do', async () => {
    await using page = await openPage({
      servers: [{ name: 'gone', entry: { command: 'no-such-program-anywhere' } }],
    })

    await expect(page.ask('servers/connect', { name: 'gone' })).rejects.toThrow('spawn_failed')
    const { servers, logs } = await page.ask('state/get', {})

    expect(servers[0]).toMatchObject({ state: 'failed', problem: { code: 'spawn_failed' } })
    expect(logs).toContainEqual(expect.objectContaining({ from: 'inspector', server: 'gone' }))
  })

  test('one that is being made can be given up', async () => {
    await using page = await openPage({
      servers: [
        {
          name: 'slow',
          entry: {
            ...everythingCommand,
            args: [...everythingCommand.args, '--slow-start', '20000'],
          },
        },
      ],
    })
    const connecting = page.ask('servers/connect', { name: 'slow' })
    await page.next('servers/changed', ({ servers }) => servers[0]?.state === 'connecting')

    const view = await page.ask('servers/disconnect', { name: 'slow' })

    await expect(connecting).rejects.toThrow()
    expect(view.state).toBe('off')
  })

  test('a server that ends is seen to be gone', async () => {
    await using page = await openPage({
      servers: [
        {
          name: 'short',
          entry: { command: process.execPath, args: ['-e', shortLived] },
        },
      ],
    })
    await page.ask('servers/connect', { name: 'short' })

    const { servers } = await page.next(
      'servers/changed',
      (data) => data.servers[0]?.state === 'ended',
    )

    const { records } = await page.ask('trace/page', { after: 0, limit: 100 })
    expect(servers[0]).toMatchObject({ ended: 'ended with code 0', session: expect.anything() })
    expect(records.filter(({ kind }) => kind === 'process').map(({ text }) => text)).toEqual([
      expect.stringContaining('start '),
      'ended with 0',
    ])
    await expect(page.ask('ping', { server: 'short' })).rejects.toThrow('not_connected')
  })

  test('one that dies in mid-call says how, in its view and in the logs, and what it was stays [HOST-10]', async () => {
    await using page = await openPage({
      servers: [{ name: 'a', entry: troubledEntry }],
    })
    await page.ask('servers/connect', { name: 'a' })

    const params = { name: 'die', arguments: {} }
    const run = { server: 'a', run: '1', method: 'tools/call', params }
    const outcome = await page.ask('runs/start', run)
    const { servers } = await page.next(
      'servers/changed',
      (data) => data.servers[0]?.state === 'ended',
    )

    expect(outcome.error).toMatchObject({ code: 'connection_lost' })
    expect(servers[0]).toMatchObject({
      ended: 'ended with code 3',
      problem: { hint: expect.stringContaining('about to give up') },
      session: { server: { info: { name: 'troubled' } } },
    })
    const { logs } = await page.ask('state/get', {})
    expect(logs).toContainEqual(
      expect.objectContaining({ from: 'inspector', level: 'error', data: 'ended with code 3' }),
    )
    expect(await page.ask('servers/restart', { name: 'a' })).toMatchObject({ state: 'ready' })
    const off = await page.ask('servers/disconnect', { name: 'a' })
    expect([off.state, off.session]).toEqual(['off', undefined])
  })

  test('one of another version is said to be so, with its version and ours [HOST-10]', async () => {
    const args = ['-e', shortLived.replace('2025-06-18', '1999-01-01')]
    await using page = await openPage({
      servers: [{ name: 'strange', entry: { command: process.execPath, args } }],
    })

    await expect(page.ask('servers/connect', { name: 'strange' })).rejects.toThrow('1999-01-01')

    const [server] = (await page.ask('state/get', {})).servers
    expect(server?.state).toBe('failed')
    for (const version of ['1999-01-01', '2025-11-25']) {
      expect(server?.problem?.message).toContain(version)
    }
  })

  test('one that takes too long names the field that sets the limit', async () => {
    const entry = { ...troubledEntry, args: [...troubledEntry.args, '--hang'] }
    await using page = await openPage({ servers: [{ name: 'a', entry }] })
    await page.ask('servers/settings', { name: 'a', settings: { connectTimeoutMs: 300 } })

    const connecting = page.ask('servers/connect', { name: 'a' })
    const { servers } = await page.next(
      'servers/changed',
      (data) => data.servers[0]?.state === 'connecting',
    )

    await expect(connecting).rejects.toThrow('timeout')
    expect(servers[0]?.connectingSince).toBeTypeOf('number')
    const [server] = (await page.ask('state/get', {})).servers
    expect(server?.problem?.hint).toContain('“Time limit of connecting” in Settings')
    expect(server?.connectingSince).toBeUndefined()
  })

  test('what a program writes to standard output is shown, in the logs and as a warning', async () => {
    await using page = await openPage({ servers: [{ name: 'a', entry: troubledEntry }] })
    await page.ask('servers/connect', { name: 'a' })

    const params = { name: 'chatter', arguments: {} }
    await page.ask('runs/start', { server: 'a', run: '1', method: 'tools/call', params })

    const text = 'Listening on port 3000'
    const { servers, logs } = await page.ask('state/get', {})
    const [warning] = await page.ask('servers/warnings', { name: 'a' })
    expect(servers[0]?.noise).toEqual({ count: 1, text })
    expect(logs.map(({ data }) => data)).toContain(
      `wrote something other than messages to standard output: ${text}`,
    )
    expect(warning).toMatchObject({ about: 'stdout', message: expect.stringContaining(text) })
  })

  test('a diagnosis is made only of what may be started, by what was given for it', async () => {
    const seen: unknown[] = []
    const step = { title: 'start', state: 'bad', seen: 'it ended', fix: 'mend it' } as const
    await using page = await openPage({
      servers: [{ name: 'a', entry: troubledEntry }],
      async *diagnose(entry, { name }) {
        seen.push([entry, name])
        yield await Promise.resolve(step)
      },
    })
    await page.ask('servers/add', { name: 'b', entry: { command: 'nothing', args: [] } })

    const steps = await page.ask('servers/diagnose', { name: 'a' })

    expect(steps).toEqual([step])
    expect(seen).toEqual([[troubledEntry, 'a']])
    await expect(page.ask('servers/diagnose', { name: 'b' })).rejects.toThrow('not_confirmed')
    expect((await page.ask('state/get', {})).may.diagnose).toBe(true)
  })

  test('one that is lost is made again, and shown so', async () => {
    const before = await serveHttp(createEverythingServer(), { port: 0, ownsProcess: false })
    const { url } = before
    await using page = await openPage({ servers: [{ name: 'web', entry: { url: url.href } }] })
    await page.ask('servers/settings', { name: 'web', settings: { era: '2025-11-25' } })
    await page.ask('servers/connect', { name: 'web' })
    await before.drain()
    const after = await serveHttp(createEverythingServer(), {
      port: Number(url.port),
      ownsProcess: false,
    })
    onTestFinished(async () => void (await after.drain()))
    let count = 0
    const listed = async () => {
      const run = `list-${(count += 1)}`
      const list = { server: 'web', run, method: 'tools/list', params: {} }
      return (await page.ask('runs/start', list)).result?.['tools']
    }

    // What was under way when it was lost is not sent twice; what comes after is answered.
    await expect.poll(listed).toBeDefined()
    const { servers } = await page.ask('state/get', {})

    expect(servers[0]).toMatchObject({ state: 'ready', session: { revision: '2025-11-25' } })
  })

  test('no program is left behind', async () => {
    const page = await openPage({ servers: [{ name: 'a', entry: foreignCommand }] })
    await page.ask('servers/connect', { name: 'a' })
    const outcome = await page.ask('runs/start', {
      server: 'a',
      run: 'pid',
      method: 'tools/call',
      params: { name: 'pid', arguments: {} },
    })
    const pid = Number(/"text":"(\d+)"/.exec(JSON.stringify(outcome.result))?.[1])
    expect(() => process.kill(pid, 0)).not.toThrow()

    await page[Symbol.asyncDispose]()

    await expect.poll(() => isRunning(pid)).toBe(false)
  })

  test('a configured server connects by itself if asked to', async () => {
    await using page = await openPage({
      servers: [{ name: 'a', entry: foreignCommand, connect: true }],
    })

    await page.next('servers/changed', ({ servers }) => servers[0]?.state === 'ready')
  })

  test('why a revision was agreed on is said', async () => {
    await using everything = await serveEverything()
    await using page = await openPage({
      servers: [
        { name: 'foreign', entry: foreignCommand },
        { name: 'ours', entry: everything.entry },
      ],
    })

    const foreign = await page.ask('servers/connect', { name: 'foreign' })
    const ours = await page.ask('servers/connect', { name: 'ours' })

    expect(foreign.session?.why).toContain('initialize')
    expect(ours.session?.why).toContain('server/discover')
  })

  test('what is not offered is not declared', async () => {
    await using everything = await serveEverything()
    await using page = await openPage({ servers: [{ name: 'all', entry: everything.entry }] })
    const offers = {
      elicitForm: false,
      elicitUrl: false,
      sampling: false,
      roots: false,
      tasks: false,
      skills: false,
      apps: false,
    }
    await page.ask('servers/settings', { name: 'all', settings: { offers } })

    const { session } = await page.ask('servers/connect', { name: 'all' })

    expect(Object.keys(session?.client.capabilities ?? {})).toEqual([])
  })

  test('roots and the log level change while connected', async () => {
    await using page = await openPage({ servers: [{ name: 'all', entry: everythingCommand }] })
    await page.ask('servers/settings', { name: 'all', settings: { era: '2025-06-18' } })
    await page.ask('servers/connect', { name: 'all' })

    await page.ask('servers/settings', {
      name: 'all',
      settings: { roots: ['/tmp/somewhere'], logLevel: 'debug' },
    })
    const outcome = await page.ask('runs/start', {
      server: 'all',
      run: 'roots',
      method: 'tools/call',
      params: { name: 'get-roots-list', arguments: {} },
    })

    expect(JSON.stringify(outcome.result)).toContain('file:///tmp/somewhere')
  })

  test('an unknown revision is refused', async () => {
    await using page = await openPage({ servers: [{ name: 'a', entry: foreignCommand }] })

    const set = page.ask('servers/settings', { name: 'a', settings: { era: '1999-01-01' } })

    await expect(set).rejects.toThrow('invalid_era')
  })
})

test('standard error and log messages come in one list [OBS-06, INSP-07]', async () => {
  await using page = await openPage({ servers: [{ name: 'all', entry: everythingCommand }] })
  await page.ask('servers/settings', {
    name: 'all',
    settings: { era: '2025-06-18', logLevel: 'debug' },
  })
  await page.ask('servers/connect', { name: 'all' })
  await page.ask('logging/level', { server: 'all', level: 'debug' })
  await page.ask('runs/start', {
    server: 'all',
    run: 'log',
    method: 'tools/call',
    params: { name: 'toggle-simulated-logging', arguments: {} },
  })

  const line = await nextLine(page, 'server')

  expect(line).toMatchObject({ server: 'all', level: expect.any(String) })
})

test('a line of standard error is a log line [OBS-06]', async () => {
  await using page = await openPage({
    servers: [{ name: 'a', entry: foreignCommand, connect: true }],
  })

  const line = await nextLine(page, 'stderr')

  expect(line).toMatchObject({ server: 'a', data: 'foreign server is up' })
})

test('a flood of standard error is cut, counted, and told in few messages', async () => {
  await using page = await openPage({
    servers: [{ name: 'a', entry: troubledEntry, connect: true }],
  })
  await page.next('servers/changed', ({ servers }) => servers[0]?.state === 'ready')
  const flooded = 30_000

  await page.ask('runs/start', {
    server: 'a',
    run: 'flood',
    method: 'tools/call',
    params: { name: 'flood', arguments: { value: String(flooded) } },
  })
  await page.ask('servers/disconnect', { name: 'a' })
  await page.next('logs/lines', ({ lines }) => lines.some(({ data }) => data === 'that was all'))

  const { logs } = await page.ask('state/get', {})
  const texts = logs.filter(({ from }) => from === 'stderr').map(({ data }) => String(data))
  const counts = texts.flatMap((text) => /^\((\d+) lines left out/.exec(text)?.[1] ?? [])
  const leftOut = counts.reduce((sum, count) => sum + Number(count), 0)
  expect(leftOut).toBeGreaterThan(0)
  expect(texts.length - counts.length + leftOut).toBe(flooded + 1)
  const told = page.events.filter(({ event }) => event === 'logs/lines')
  expect(told.length).toBeLessThan(flooded / 100)
  const { last } = await page.ask('trace/page', { after: 0, limit: 1 })
  expect(last).toBeLessThan(flooded / 10)
})

describe('the log level', () => {
  const sentLevels = async (page: PageClient) => {
    const { records } = await page.ask('trace/page', { after: 0, limit: 1000 })
    return records.flatMap(({ direction, message }) => {
      const { method, params } = { method: '', params: {}, ...(message as object) }
      return direction === 'out' && method === 'logging/setLevel' ? [params] : []
    })
  }

  test('is sent to the server however it is set [OBS-07]', async () => {
    await using page = await openPage({ servers: [{ name: 'a', entry: foreignCommand }] })
    await page.ask('servers/settings', { name: 'a', settings: { logLevel: 'error' } })
    await page.ask('servers/connect', { name: 'a' })
    await page.ask('servers/settings', { name: 'a', settings: { logLevel: 'debug' } })
    await page.ask('logging/level', { server: 'a', level: 'notice' })

    const levels = await sentLevels(page)

    expect(levels).toEqual([{ level: 'error' }, { level: 'debug' }, { level: 'notice' }])
  })

  test('is asked for with each request where there is no handshake [OBS-07]', async () => {
    const everything = await serveEverything()
    onTestFinished(() => everything[Symbol.asyncDispose]())
    await using page = await openPage({ servers: [{ name: 'a', entry: everything.entry }] })
    await page.ask('servers/settings', { name: 'a', settings: { era: '2026-07-28' } })
    await page.ask('servers/connect', { name: 'a' })

    await page.ask('logging/level', { server: 'a', level: 'notice' })
    await page.ask('runs/start', { server: 'a', run: '1', method: 'tools/list', params: {} })

    const { records } = await page.ask('trace/page', { after: 0, limit: 1000 })
    const sent = records.filter(({ direction, kind }) => direction === 'out' && kind === 'message')
    expect(JSON.stringify(sent.at(-1)?.message)).toContain('"notice"')
  })
})

test('lists that change are told to have changed', async () => {
  await using everything = await serveEverything()
  await using page = await openPage({ servers: [{ name: 'all', entry: everything.entry }] })
  await page.ask('servers/connect', { name: 'all' })

  await page.ask('runs/start', {
    server: 'all',
    run: 'gzip',
    method: 'tools/call',
    params: {
      name: 'gzip-file-as-resource',
      arguments: { data: 'data:text/plain,hello', name: 'a.gz' },
    },
  })

  expect(await page.next('lists/changed')).toEqual({ server: 'all', kind: 'resources' })
})

test('a list that never ends is given up, and what came is shown', async () => {
  await using page = await openPage({ servers: [{ name: 'a', entry: foreignCommand }] })
  await page.ask('servers/connect', { name: 'a' })

  const { pages, problem } = await page.ask('lists/all', { server: 'a', kind: 'resources' })

  expect(problem).toMatchObject({ code: 'endless_list' })
  expect(pages).toBeGreaterThan(1)
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Answers the handshake, and is gone a moment later. */
const shortLived = `
process.stdin.on('data', (data) => {
  for (const line of String(data).split('\\n').filter(Boolean)) {
    const { id, method } = JSON.parse(line)
    if (method === 'initialize') {
      const result = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 's', version: '1' } }
      console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
    } else if (method === 'notifications/initialized') setTimeout(() => process.exit(0), 200)
    else if (id !== undefined) {
      console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }))
    }
  }
})`

describe('a server of the page that is edited', () => {
  const secret = 'a-value-nobody-may-see'

  test('keeps what it was shown masked, and has to be confirmed again [INSP-02]', async () => {
    await using page = await openPage()
    const entry = { command: 'node', args: ['a.js'], env: { API_KEY: secret, OTHER: 'x' } }
    const { entry: shown } = await page.ask('servers/add', { name: 'a', entry })
    if (!('command' in shown)) throw new Error('it is a command')

    const edited = await page.ask('servers/edit', {
      name: 'a',
      entry: { ...shown, args: ['b.js'], env: { ...shown.env, OTHER: 'y' } },
    })
    await page.inspector.close()

    expect(JSON.stringify(edited)).not.toContain(secret)
    expect(edited).toMatchObject({ state: 'blocked', entry: { args: ['b.js'] } })
    const kept = await readFile(join(page.stateDirectory, 'inspector.json'), 'utf8')
    expect(JSON.parse(kept)).toMatchObject({
      servers: [{ name: 'a', entry: { args: ['b.js'], env: { API_KEY: secret, OTHER: 'y' } } }],
    })
  })

  test('takes its secrets to no other origin', async () => {
    await using page = await openPage()
    const headers = { authorization: `Bearer ${secret}`, accept: 'text/plain' }
    const { entry: shown } = await page.ask('servers/add', {
      name: 'a',
      entry: { url: 'https://one.example/mcp', headers },
    })
    if (!('url' in shown)) throw new Error('it is an address')
    const moved = { ...shown, url: 'https://one.example/other' }
    const elsewhere = { ...shown, url: 'https://two.example/mcp' }

    await page.ask('servers/edit', { name: 'a', entry: moved })
    await page.ask('servers/add', { name: 'b', entry: { url: 'https://one.example/mcp', headers } })
    await page.ask('servers/edit', { name: 'b', entry: elsewhere })
    await page.inspector.close()

    const kept = await readFile(join(page.stateDirectory, 'inspector.json'), 'utf8')
    expect(JSON.parse(kept)).toMatchObject({
      servers: [
        { name: 'a', entry: { url: 'https://one.example/other', headers } },
        { name: 'b', entry: { url: 'https://two.example/mcp', headers: { accept: 'text/plain' } } },
      ],
    })
    expect(JSON.parse(kept).servers[1].entry.headers).not.toHaveProperty('authorization')
  })

  test('is not one that a file or the command line named', async () => {
    await using page = await openPage({
      servers: [{ name: 'named', entry: { command: 'node', args: [] } }],
    })
    const entry = { command: 'sh', args: [] }

    await expect(page.ask('servers/edit', { name: 'named', entry })).rejects.toThrow('not_of_page')
  })

  test('becomes no command where commands are not taken', async () => {
    await using page = await openPage({ noSpawn: true })
    await page.ask('servers/add', { name: 'a', entry: { url: 'https://one.example/mcp' } })
    const entry = { command: 'sh', args: [] }

    await expect(page.ask('servers/edit', { name: 'a', entry })).rejects.toThrow('no_spawn')
  })
})
