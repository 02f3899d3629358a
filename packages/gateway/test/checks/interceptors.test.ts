import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { loadGatewayConfig } from '@parley/gateway'
import type { JsonObject } from '@parley/mcp'
import { expect, onTestFinished, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { httpInterceptor } from '../../src/checks/interceptors/http-interceptor.ts'
import { moduleInterceptor } from '../../src/checks/interceptors/module-interceptor.ts'
import { readChecks } from '../../src/checks/read-checks.ts'
import { callOf, toolOf } from './requests.ts'

const module = join(import.meta.dirname, 'fixtures/interceptor.mjs')

function moduleWith(failMode: 'open' | 'closed', timeoutMs = 30_000) {
  const told: string[] = []
  const check = moduleInterceptor({
    name: 'tickets',
    module,
    failMode,
    timeoutMs,
    onProblem: (text) => told.push(text),
  })
  return { told, ask: (given: JsonObject) => check.before?.(callOf(toolOf('t'), given)), check }
}

test('a module changes arguments and results, and refuses', async () => {
  const { ask, check } = moduleWith('closed')
  const given = { do: 'change' }

  expect(await ask(given)).toEqual({ do: 'change', touched: true, added: 1 })
  expect(given).toEqual({ do: 'change' })
  expect(await ask({})).toBeUndefined()
  expect(await ask({ do: 'refuse' })).toEqual({
    rejected: true,
    rule: 'interceptor: tickets',
    message: 'not on a Friday',
  })
  const result = { content: [] }
  expect(await check.after?.(callOf(toolOf('t')), result)).toEqual({ content: [], seen: true })
  expect(result).toEqual({ content: [] })
})

test.each(['throw', 'misspell', 'text'])(
  'failing by %s refuses or passes as it was said, and is told',
  async (how) => {
    const closed = moduleWith('closed')
    const open = moduleWith('open')

    expect(await closed.ask({ do: how })).toMatchObject({
      rejected: true,
      message: expect.stringMatching(/^the interceptor "tickets" .*Try again later/),
    })
    expect(await open.ask({ do: how })).toBeUndefined()
    expect(closed.told[0]).toContain('the request was refused')
    expect(open.told[0]).toContain('the request was let through')
  },
)

test('is not waited for longer than it may take', async () => {
  expect(await moduleWith('closed', 5).ask({ do: 'hang' })).toMatchObject({
    message: expect.stringContaining('did not answer within 5 ms'),
  })
  expect(await moduleWith('open', 5).ask({ do: 'hang' })).toBeUndefined()
})

test('a caller that goes away ends the waiting, whatever the fail mode', async () => {
  const leaving = new AbortController()
  const check = moduleInterceptor({ name: 'x', module, failMode: 'open', timeoutMs: 600_000 })
  const waiting = check.before?.({ ...callOf(toolOf('t'), { do: 'hang' }), signal: leaving.signal })

  leaving.abort()

  await expect(waiting).rejects.toBe(leaving.signal.reason)
})

test('a module that cannot be loaded fails as it was said', async () => {
  const check = moduleInterceptor({ name: 'x', module: `${module}.none`, failMode: 'closed' })

  expect(await check.before?.(callOf(toolOf('t')))).toMatchObject({
    message: expect.stringContaining('cannot be loaded'),
  })
})

async function serve(
  answer: (body: JsonObject, response: ServerResponse, request: IncomingMessage) => void,
) {
  const seen: JsonObject[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString()) as JsonObject
      seen.push(body)
      answer(body, response, request)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/check`, seen }
}

test('a service is told who asks for what, and changes or refuses it', async () => {
  const { url, seen } = await serve((body, response, request) => {
    if (request.headers['x-key'] !== 'k') return response.writeHead(401).end()
    const answer =
      body['stage'] === 'before' ? { arguments: { safe: true } } : { refuse: 'too much' }
    return response.end(JSON.stringify(answer))
  })
  const check = httpInterceptor({ name: 'dlp', url, failMode: 'closed', headers: { 'x-key': 'k' } })
  const request = callOf(toolOf('send'), { text: 'x' })

  expect(await check.before?.(request)).toEqual({ safe: true })
  expect(await check.after?.(request, { content: [] })).toMatchObject({ message: 'too much' })
  expect(seen[0]).toEqual({
    stage: 'before',
    request: {
      method: 'tools/call',
      caller: { principal: 'ada', isAnonymous: false, scopes: [], claims: {} },
      subject: { kind: 'tool', upstream: 'git', name: 'send', exposedName: 'git__send' },
      arguments: { text: 'x' },
    },
  })
  expect(seen[1]).toMatchObject({ stage: 'after', result: { content: [] } })
})

test.each([
  [
    'a redirect',
    (response: ServerResponse) =>
      response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
    'status 307',
  ],
  ['an error', (response: ServerResponse) => response.writeHead(500).end(), 'status 500'],
  ['no JSON', (response: ServerResponse) => response.end('<html>'), 'JSON'],
  [
    'too much',
    (response: ServerResponse) => response.end(`"${'x'.repeat(3_000_000)}"`),
    'more than 1048576 bytes',
  ],
  ['endless nesting', (response: ServerResponse) => response.end('['.repeat(100_000)), 'nested'],
  [
    'another shape',
    (response: ServerResponse) => response.end('{"allow":true}'),
    'answered with "allow"',
  ],
  [
    'arguments that are a list',
    (response: ServerResponse) => response.end('{"arguments":[]}'),
    'not an object',
  ],
])('a service that answers with %s has failed', async (_, answer, message) => {
  const { url } = await serve((body, response) => answer(response))
  const check = httpInterceptor({ name: 'dlp', url, failMode: 'closed' })

  expect(await check.before?.(callOf(toolOf('t')))).toMatchObject({
    rejected: true,
    message: expect.stringContaining(message),
  })
})

test('a service that says nothing, or is not there, has failed', async () => {
  const { url } = await serve(() => undefined)
  const silent = httpInterceptor({ name: 'dlp', url, failMode: 'closed', timeoutMs: 50 })
  const absent = httpInterceptor({ name: 'dlp', url: 'http://127.0.0.1:1/', failMode: 'open' })

  expect(await silent.before?.(callOf(toolOf('t')))).toMatchObject({ rejected: true })
  expect(await absent.before?.(callOf(toolOf('t')))).toBeUndefined()
})

test('reads interceptors, and tells mistakes', () => {
  const folder = join(import.meta.dirname, 'fixtures')
  const good = readChecks(
    {
      interceptors: [
        { module: './interceptor.mjs', failMode: 'closed', timeout: '2s', stages: ['before'] },
        { name: 'dlp', url: 'https://dlp.example/', failMode: 'open', headers: { 'x-key': 'k' } },
      ],
    },
    { folder },
  )
  expect(good.problems).toEqual([])
  expect(good.checks.map(({ name, after }) => [name, after !== undefined])).toEqual([
    ['interceptor: 1', false],
    ['interceptor: dlp', true],
  ])

  const { problems } = readChecks(
    {
      interceptors: [
        { module: './interceptor.mjs' },
        { failMode: 'open' },
        { failMode: 'open', module: 'a.mjs', url: 'https://x.example' },
        { failMode: 'open', url: 'http://dlp.example/' },
        { failMode: 'open', url: 'https://a:b@dlp.example/' },
        { failMode: 'open', url: 'file:///etc/passwd' },
        { failMode: 'open', url: 'https://x.example', stages: ['around'] },
        { failMode: 'open', url: 'https://x.example', command: 'sh' },
      ],
    },
    { folder },
  )
  expect(problems.map(({ path }) => path.slice(1).join('.'))).toEqual([
    '0',
    '1',
    '2',
    '3.url',
    '4.url',
    '5.url',
    '6.stages.0',
    '7.command',
  ])
  const absent = readChecks(
    { interceptors: [{ failMode: 'open', module: './none.mjs' }] },
    { folder },
  )
  expect(absent.problems).toMatchObject([{ path: ['interceptors', 0, 'module'] }])
})

test('headers may name variables of the environment, which have to be set', async () => {
  const { url, seen } = await serve((_, response, request) => {
    response.end(JSON.stringify({ refuse: request.headers['x-key'] }))
  })
  const headers = '{ x-key: "a ${KEY}" }'
  const text = `interceptors:\n  - { url: "${url}", failMode: closed, headers: ${headers} }\n`
  const folder = folderWith({ 'gateway.yaml': `servers: {}\n${text}` })
  const read = (env: { readonly [name: string]: string }) =>
    loadGatewayConfig(join(folder, 'gateway.yaml'), { env })
  expect((await read({})).problems).toMatchObject([{ key: 'interceptors.0.headers.x-key' }])

  const { config } = await read({ KEY: 'secret' })
  const outcome = await config.checks[0]?.before?.(callOf(toolOf('t')))

  expect(outcome).toMatchObject({ message: 'a secret' })
  expect(seen).toHaveLength(1)
})
