import { connect } from '@parley/mcp/client'
import { createServer } from '@parley/mcp/server'
import {
  type ProgramSurroundings,
  runServer,
  UsageError,
  withoutWriting,
} from '@parley/server-kit/program'
import { expect, test } from 'vitest'

import { readArguments } from '../../src/program/arguments.ts'
import { listenOptions } from '../../src/program/listen.ts'

function createNotes() {
  const server = createServer({ name: 'notes', version: '1.2.3' })
  server.tool('look', { annotations: { readOnlyHint: true } }, () => 'seen')
  server.tool('write', { annotations: { readOnlyHint: false } }, () => 'written')
  server.tool('unsaid', {}, () => 'done')
  return server
}

/** Runs the program with what it would print caught. */
async function run(args: readonly string[], environment: ProgramSurroundings['environment'] = {}) {
  const said = { printed: '', logged: '', status: 0 }
  const runs: unknown[] = []
  const service = await runServer(
    {
      name: 'notes',
      version: '1.2.3',
      summary: 'Keeps notes.',
      options: {
        depth: { type: 'string', default: '3', value: 'N', about: 'how deep' },
        loud: { type: 'boolean', about: 'say more' },
      },
      positionals: { name: '[FOLDER...]', about: 'where' },
      create(given) {
        const depth: string = given.values.depth
        runs.push({ depth, loud: given.values.loud, positionals: given.positionals })
        if (depth === 'wrong') throw new UsageError('depth is wrong')
        return createNotes()
      },
    },
    {
      args,
      environment,
      ownsProcess: false,
      print: (text) => void (said.printed += text),
      log: (line) => void (said.logged += line),
      exit: (status) => void (said.status = status),
    },
  )
  return { ...said, service, runs }
}

/** Serves on a free port until the test ends, and says where. */
async function serveNotes(args: readonly string[], environment?: Record<string, string>) {
  const { service, logged, runs } = await run(['--port', '0', ...args], environment)
  if (service === undefined) throw new Error(logged)
  return { service, runs, url: logged.replace('notes listens on ', '') }
}

function says(text: string) {
  return { content: [{ type: 'text', text }] }
}

test('prints its usage, own options first, for --help', async () => {
  const { printed, status } = await run(['--help'])

  expect(printed).toMatch(
    /^Usage: parley-server-notes \[options\] \[FOLDER\.\.\.\]\n\nKeeps notes\./,
  )
  expect(printed.indexOf('--depth N')).toBeLessThan(printed.indexOf('--transport KIND'))
  expect(status).toBe(0)
})

test('prints its version', async () => {
  expect(await run(['--version'])).toMatchObject({ printed: '1.2.3', status: 0 })
})

test.each([
  ['--dept', 'Unknown option --dept. Did you mean --depth?'],
  ['--raed-only', 'Unknown option --raed-only. Did you mean --read-only?'],
  ['--xyzzy', 'Unknown option --xyzzy.\n'],
  ['-q', 'Unknown option -q.'],
  ['--loud=yes', "'--loud' does not take an argument"],
  ['--transport=carrier-pigeon', '--transport must be stdio, http, sse or ws'],
  ['--depth=wrong', 'depth is wrong'],
  ['--auth-token=secret', 'stdio has no sign-in'],
  ['--port=3000', '--port needs --transport http, sse or ws: stdio does not listen.'],
  ['--allowed-host=example.org', '--allowed-host needs --transport http'],
  ['--processes=2', '--processes needs --transport http, sse or ws: stdio does not listen.'],
])('refuses %s with a reason and status 1', async (argument, reason) => {
  const { logged, printed, status, service } = await run([argument])

  expect(logged).toContain(reason)
  expect(logged).toContain('Usage: parley-server-notes')
  expect({ printed, status, service }).toEqual({ printed: '', status: 1, service: undefined })
})

test.each([['0.0.0.0'], ['::'], ['192.168.1.5'], ['example.org'], ['127.0.0.1.example.org']])(
  'does not listen on %s without a token, and says how to',
  async (host) => {
    const { logged, status } = await run(['--http', '0', '--host', host])

    expect(logged).toContain('--auth-token TOKEN or NOTES_AUTH_TOKEN')
    expect(status).toBe(1)
  },
)

test.each([
  [['--processes', '0'], '--processes takes a number from 1 to 1024 or auto, not "0".'],
  [['--processes', '1025'], '--processes takes a number from 1 to 1024 or auto, not "1025".'],
  [['--processes', 'many'], '--processes takes a number from 1 to 1024 or auto, not "many".'],
  [['--transport', 'sse', '--processes', '2'], 'sse is bound to one process'],
])('refuses to serve from %j', async (args, reason) => {
  const { logged, status } = await run(['--http', '0', ...args])

  expect(logged).toContain(reason)
  expect(status).toBe(1)
})

test('an empty token is refused', async () => {
  expect((await run(['--http', '0', '--auth-token', ''])).logged).toContain('must not be empty')
})

test.each([
  [['--http'], { transport: 'http', port: undefined, positionals: [] }],
  [['--http', '8080', 'a'], { transport: 'http', port: '8080', positionals: ['a'] }],
  [['--http', 'a'], { transport: 'http', port: undefined, positionals: ['a'] }],
  [['--http=81'], { transport: 'http', port: '81', positionals: [] }],
  [['a', '--', '--http', '5'], { transport: 'stdio', positionals: ['a', '--http', '5'] }],
  [['--transport', 'ws', '--port', '5'], { transport: 'ws', port: '5' }],
])('reads %j', (args, expected) => {
  const read = readArguments(args, {}, true)
  if (read.kind !== 'serve') throw new Error(read.kind)

  expect({ ...read, port: read.common.port }).toMatchObject(expected)
})

test('a public address comes with a guard, its own name, and the names that were allowed', () => {
  const options = listenOptions({
    transport: 'http',
    common: { host: '0.0.0.0', port: '80', 'allowed-host': ['notes.example'] },
    token: 'secret',
    tokenVariable: 'NOTES_AUTH_TOKEN',
  })

  expect(options).toMatchObject({ url: 'http://0.0.0.0:80/mcp', allowedHosts: ['notes.example'] })
  expect(options.auth).toBeDefined()
})

test.each([['http'], ['sse'], ['ws']])('serves over %s with its options', async (transport) => {
  const served = await serveNotes(['--transport', transport, '--depth', '7', 'one', 'two'])
  await using _ = served.service
  await using client = await connect(
    transport === 'sse' ? { url: served.url, type: 'sse' } : served.url,
  )

  expect(await client.callTool('write')).toMatchObject(says('written'))
  expect(served.runs).toEqual([{ depth: '7', positionals: ['one', 'two'] }])
})

test.each([
  ['--auth-token', ['--auth-token', 'secret'], {}],
  ['the environment', [], { NOTES_AUTH_TOKEN: 'secret' }],
])('asks for the token given by %s', async (_name, args, environment) => {
  const { service, url } = await serveNotes(['--http', ...args], environment)
  await using _ = service
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  async function statusWith(authorization?: string): Promise<number> {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(authorization !== undefined && { authorization }),
    }
    return (await fetch(url, { method: 'POST', body, headers })).status
  }

  expect(await statusWith()).toBe(401)
  expect(await statusWith('Bearer secre')).toBe(401)
  expect(await statusWith('Bearer secrets')).toBe(401)
  expect(await statusWith('Basic secret')).toBe(401)
  await using client = await connect({ url, headers: { authorization: 'Bearer secret' } })
  expect(await client.callTool('look')).toMatchObject(says('seen'))
})

test('with --read-only a tool that may write is not there', async () => {
  const { service, url } = await serveNotes(['--http', '--read-only'])
  await using _ = service
  await using client = await connect(url)

  const names: string[] = []
  for await (const { name } of client.listTools()) names.push(name)
  expect(names).toEqual(['look'])
  expect(await client.callTool('look')).toMatchObject(says('seen'))
  await expect(client.callTool('write')).rejects.toThrow('unknown tool: write')
  await expect(client.callTool('unsaid')).rejects.toThrow('unknown tool: unsaid')
})

test('what is mounted or added later is judged like the rest', async () => {
  const server = createServer({ name: 'outer', version: '1' })
  server.mount('inner', createNotes())
  withoutWriting(server)
  server.tool('later', {}, () => 'done')
  await using client = await connect(server)

  await expect(client.callTool('later')).rejects.toThrow('unknown tool: later')
  await expect(client.callTool('inner_write')).rejects.toThrow('unknown tool: inner_write')
  expect(await client.callTool('inner_look')).toMatchObject(says('seen'))
})

test('every tool there is can be looked at', () => {
  const server = createServer({ name: 'outer', version: '1' })
  server.mount('inner', createNotes())
  server.tool('own', { visible: () => false }, () => '')

  expect(server.tools().map(({ name }) => name)).toEqual([
    'inner_look',
    'inner_write',
    'inner_unsaid',
    'own',
  ])
})
