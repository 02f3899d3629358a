import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { execPath } from 'node:process'
import { json } from 'node:stream/consumers'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { folderWith } from '../../../test-support/temporary-folder.ts'
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

test.each(['har', 'otlp', 'markdown', 'test'])(
  'a trace is converted to %s harmlessly',
  async (to) => {
    const cwd = folderWith({})
    await run(['call', url, 'any', '--trace', 't.jsonl'], { cwd })

    const { code, stdout } = await run(['trace', 'convert', 't.jsonl', '--to', to], { cwd })

    expect(code).toBe(0)
    expect(stdout).toContain('tools/call')
    expect(stdout).not.toMatch(dangerous)
  },
)

test('what is escaped in a converted trace is still the same text', async () => {
  const cwd = folderWith({})
  await run(['call', url, 'any', '--trace', 't.jsonl'], { cwd })

  const { stdout } = await run(['trace', 'convert', 't.jsonl', '--to', 'har'], { cwd })

  expect(stdout).toContain('\\u202e')
  expect(JSON.stringify(JSON.parse(stdout))).toContain('\u202e')
})
