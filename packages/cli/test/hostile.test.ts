import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { execPath } from 'node:process'
import { json } from 'node:stream/consumers'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { folderWith } from '../../../test-support/temporary-folder.ts'
import { openHttpLink } from '../src/probe/http-link.ts'
import { openStdioLink } from '../src/probe/stdio-link.ts'
import { answer } from './fixtures/hostile-answers.mjs'
import { repositoryFile, run } from './run.ts'

const program = [execPath, repositoryFile('packages/cli/test/fixtures/hostile-server.mjs')]

const http = createServer(async (request, response) => {
  const said = request.method === 'POST' ? answer(await json(request)) : undefined
  if (said === undefined)
    return void response.writeHead(request.method === 'POST' ? 202 : 405).end()
  response.setHeader('content-type', 'application/json').end(JSON.stringify(said))
})
let url = ''
beforeAll(async () => {
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp` // listening on an address, not a pipe
})
afterAll(() => http.close())

/** What a terminal would act on, and what hides or turns text. */
// oxlint-disable-next-line no-control-regex
const dangerous = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069]/

const commands = [
  ['list'],
  ['list', '--tokens'],
  ['info'],
  ['call', 'any'],
  ['call', 'fail'],
  ['call', 'missing', 'a=1'],
  ['call', 'any', '--assert', 'content.0.text == x'],
  ['read', 'x:1'],
  ['prompt', 'p'],
  ['complete', 'p', 'a', 'b'],
]

describe.each([[[]], [['--json']], [['--verbose']]])('with %j', (flags) => {
  test.each(commands)('%s %s shows what a hostile server says, harmlessly', async (...command) => {
    const [name = '', ...words] = command
    const { stdout, stderr } = await run([name, url, ...words, ...flags])

    expect(stdout + stderr).not.toBe('')
    expect(stdout).not.toMatch(dangerous)
    expect(stderr).not.toMatch(dangerous)
  })
})

test('JSON keeps what was sent, to the letter', async () => {
  const { stdout } = await run(['read', url, 'x:1', '--json'])
  const { contents } = JSON.parse(stdout) as { contents: [{ text: string }] }

  expect(contents[0].text).toContain('\u001b]52;c;')
  expect(contents[0].text).toContain('\u202e')
})

test('a line of a megabyte is cut, and says by how much', async () => {
  const { stdout } = await run(['call', url, 'huge'])

  expect(stdout).toContain('… (990000 more characters)')
  expect(stdout.length).toBeLessThan(20_000)
})

test('what a command writes to standard error is shown harmlessly too', async () => {
  const { stderr } = await run(['call', 'any', '--verbose', '--', ...program])

  expect(stderr).toContain('on stderr')
  expect(stderr).not.toMatch(dangerous)
})

test.each(['otlp', 'test'])('a trace is converted to %s harmlessly', async (to) => {
  const cwd = folderWith({})
  await run(['call', url, 'any', '--trace', 't.jsonl'], { cwd })

  const { code, stdout } = await run(['trace', 'convert', 't.jsonl', '--to', to], { cwd })

  expect(code).toBe(0)
  expect(stdout).toContain('tools/call')
  expect(stdout).not.toMatch(dangerous)
})

test('what is escaped in a converted trace is still the same text', async () => {
  const cwd = folderWith({})
  await run(['call', url, 'any', '--trace', 't.jsonl'], { cwd })

  const { stdout } = await run(['trace', 'convert', 't.jsonl', '--to', 'test'], { cwd })

  const [, shown = ''] = /toMatchObject\((.*)\)$/m.exec(stdout) ?? []
  expect(shown).toContain('\\u202e')
  expect(JSON.stringify(JSON.parse(shown))).toContain('\u202e')
})

/** Answers `tools/list` and `initialize` as told, and refuses the rest. */
async function startScripted(results: { readonly [method: string]: string }) {
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const { id, method } = (await json(request)) as { id?: number; method: string } // our own client's
    asked.push(method)
    if (id === undefined) return void response.writeHead(202).end()
    const result = results[method]
    const rest =
      result === undefined ? '"error":{"code":-32601,"message":"no"}' : `"result":${result}`
    response.setHeader('content-type', 'application/json')
    response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${rest}}`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    asked,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, // listening on an address
    [Symbol.dispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const welcome = (instructions = '') =>
  JSON.stringify({
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'scripted', version: '1' },
    instructions,
  })

test('list --page stops where a cursor comes again, and goes no further than a list may be long', async () => {
  using server = await startScripted({
    initialize: welcome(),
    'tools/list': '{"tools":[],"nextCursor":"same"}',
  })

  const again = await run(['list', server.url, 'tools', '--page', '50'])
  const far = await run(['list', server.url, 'tools', '--page', '1001'])

  expect(again).toMatchObject({ code: 1 })
  expect(again.stderr).toContain('the list does not end: the server sent the cursor "same" twice')
  expect(server.asked.filter((method) => method === 'tools/list')).toHaveLength(2)
  expect(far.stderr).toContain('--page 1001 is out of range: use 1 to 1000')
})

test('auth debug leaves out an answer that is too long or too deep to be shown', async () => {
  using long = await startScripted({ initialize: welcome('x'.repeat(2 * 1024 * 1024)) })
  using deep = await startScripted({
    initialize: welcome(),
    ping: `{"a":${'['.repeat(200)}${']'.repeat(200)}}`,
  })

  const env = { PARLEY_STATE: folderWith({}) }
  const shown = [
    await run(['auth', 'debug', long.url], { env }),
    await run(['auth', 'debug', deep.url], { env }),
  ]

  expect(shown.map(({ stdout }) => stdout.length < 10_000)).toEqual([true, true])
  expect(shown[0]?.stdout).toContain('(more than 1 MiB: not shown)')
  expect(shown[1]?.stdout).toContain('(nested deeper than limits.depth (128) allows: not shown)')
})

test('probes take what is nested without end for noise', async () => {
  const nested = `{"a":${'['.repeat(200)}${']'.repeat(200)}}`
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  using server = await startScripted({ ping: nested })
  const line = `{"jsonrpc":"2.0","id":1,"result":${nested}}`
  const script = `process.stdin.once('data', () => console.log('${line}')).resume()`

  await using web = openHttpLink(server.url)
  await using stdio = await openStdioLink({ command: execPath, args: ['-e', script] })

  for (const link of [web, stdio]) {
    const { messages, noise } = await link.exchange(ping, { waitMs: 2_000 })
    expect(messages).toEqual([])
    expect(noise).toEqual([line.slice(0, 200)])
  }
})
