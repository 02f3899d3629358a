import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { execPath } from 'node:process'

import { describe, expect, onTestFinished, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { repositoryFile, run, servers } from '../run.ts'
import { brokenServer, listenBroken } from './broken-server.ts'

const check = (...words: readonly string[]) => run(['check', '--era', 'legacy', ...words])

/** The command line goes on with the address of a server that has these faults. */
async function behind(...problems: readonly string[]): Promise<string> {
  const server = await listenBroken(...problems)
  onTestFinished(() => server[Symbol.asyncDispose]())
  return server.url
}

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` // an address, no pipe
}

test('a server that keeps the rules: one line, 0 [ROAD-06]', async () => {
  const { code, stdout, stderr } = await run(['check', '--', execPath, brokenServer])

  expect(code).toBe(0)
  expect(stdout).toMatch(/^\d+ passed, 0 failed, \d+ not tried, in 2025-11-25 and 2026-07-28\n$/)
  expect(stderr).toBe('')
})

test('a broken MUST: what was seen and what to do, 6', async () => {
  const { code, stdout, stderr } = await check(await behind('chatty-ping'))

  expect(code).toBe(6)
  expect(stderr).toBe('error: 1 requirement is broken: PING-01\n')
  expect(stdout.split('\n').slice(0, 4)).toEqual([
    '✗ ping is answered with an empty result MUST PING-01 (2025-11-25)',
    '  seen: a result (HTTP 200)',
    '  got:  {"jsonrpc":"2.0","id":2,"result":{"pong":true}}',
    '  fix: Answer ping with {}.',
  ])
})

test('a broken SHOULD fails with --strict only', async () => {
  const lenient = await check(await behind('any-level'))
  const strict = await check('--strict', await behind('any-level'))

  expect(lenient.code).toBe(0)
  expect(lenient.stdout).toMatch(/^! an unknown log level is refused with -32602 SHOULD LOG-07/)
  expect(strict.code).toBe(6)
})

test('--all shows what is kept and what was not tried', async () => {
  const { stdout } = await check('--all', await behind('undeclared-tools'))

  expect(stdout).toContain('✓ ping is answered with an empty result PING-01 (2025-11-25)\n')
  expect(stdout).toContain(
    '– an unknown tool is refused: the server has no tools TOOL-18 (2025-11-25)\n',
  )
})

test('--json is one object with every finding, and an error line', async () => {
  const { code, stdout, stderr } = await check('--json', await behind('chatty-ping'))

  const { findings, broken } = JSON.parse(stdout) as { findings: readonly object[]; broken: number } // its shape is the test
  expect(code).toBe(6)
  expect(broken).toBe(1)
  expect(findings.length).toBeGreaterThan(30)
  expect(findings).toContainEqual({
    ids: ['PING-01'],
    level: 'MUST',
    rule: 'ping is answered with an empty result',
    revision: '2025-11-25',
    verdict: {
      kind: 'broken',
      seen: 'a result (HTTP 200)',
      fix: 'Answer ping with {}.',
      got: { jsonrpc: '2.0', id: 2, result: { pong: true } },
    },
  })
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'invalid' } })
})

test('--era speaks one revision', async () => {
  const { code, stdout } = await run(['check', '--era', '2025-06-18', await behind()])

  expect(code).toBe(0)
  expect(stdout).toMatch(/ not tried, in 2025-06-18\n$/)
})

test('--root is told to a server that asks', async () => {
  const cwd = folderWith({})
  const words = ['check', '--era', 'legacy', '--root', 'here', '--trace', 't.jsonl', '--']

  const { code, stderr } = await run([...words, ...servers.everything], { cwd })

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const trace = readFileSync(join(cwd, 't.jsonl'), 'utf8')
  expect(trace).toContain('"method":"roots/list"')
  expect(trace).toContain(`{"roots":[{"uri":"file://${cwd}/here"}]}`)
})

describe('what cannot be tried', () => {
  test.each([
    [['--', 'parley-no-such-program'], 'the command parley-no-such-program was not found'],
    [['--', execPath, '-e', 'console.error("no key")'], 'neither initialize nor server/discover'],
    [['http://127.0.0.1:1/mcp'], 'it cannot be reached: '],
  ])('%j ends with 4', async (words, said) => {
    const { code, stderr } = await run(['check', ...words])

    expect(code).toBe(4)
    expect(stderr).toContain(said)
    expect(stderr).toContain('parley doctor')
  })

  test('a server that wants a token ends with 3', async () => {
    const url = await listen((_, response) => void response.writeHead(401).end())

    const { code, stderr } = await run(['check', url])

    expect(code).toBe(3)
    expect(stderr).toContain('--header')
  })

  test('a server of the old transport is known as one', async () => {
    const url = await listen((request, response) => {
      if (request.method !== 'GET') return void response.writeHead(405).end()
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('event: endpoint\ndata: /messages?id=1\n\n')
    })

    const { code, stderr } = await run(['check', url])

    expect(code).toBe(4)
    expect(stderr).toContain('only the old HTTP+SSE transport')
    expect(stderr).toContain('--transport sse')
  })

  test.each([
    [['--era', 'soon', 'http://127.0.0.1:1/mcp'], 'Use auto, legacy, modern'],
    [['http://127.0.0.1:1/mcp', 'more'], 'too many arguments: more'],
    [['ws://127.0.0.1:1/mcp'], 'not reached by Streamable HTTP or a command'],
  ])('%j is a mistake', async (words, said) => {
    const { code, stderr } = await run(['check', ...words])

    expect(code).toBe(1)
    expect(stderr).toContain(said)
  })
})

test.each([[[]], [['--json']], [['--all']]])(
  'what a hostile server says is harmless with %j',
  async (flags) => {
    const server = repositoryFile('packages/cli/test/fixtures/hostile-server.mjs')

    const { code, stdout, stderr } = await check(...flags, '--', execPath, server)

    expect(code).toBe(6)
    // oxlint-disable-next-line no-control-regex
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
  },
)
