import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'

import { beforeEach, expect, test, vi } from 'vitest'

interface Answer {
  readonly id: number
  readonly result?: object
  readonly error?: { readonly code: number; readonly data?: object }
}

/** As a process that has just started. */
beforeEach(() => vi.resetModules())

async function serveNew(revisions?: readonly ['2026-07-28' | '2025-06-18']) {
  const { createServer } = await import('../../src/server/create-server.ts')
  const { serveStdio } = await import('../../src/transport/stdio/serve-stdio.ts')
  const server = createServer({ name: 'echo', version: '1.0.0' })
  server.tool('echo', {}, () => 'hello')
  const input = new PassThrough()
  const output = new PassThrough()
  const service = serveStdio(server, { input, output, revisions })
  return { input, service, answers: text(output).then(parseLines) }
}

function parseLines(output: string): Answer[] {
  return output.split('\n').flatMap((line) => (line === '' ? [] : (JSON.parse(line) as Answer)))
}

function lines(...requests: readonly (readonly [method: string, params: object])[]): string {
  return requests
    .map(([method, params], id) => `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    .join('')
}

function hello(protocolVersion: string): readonly [string, object] {
  return [
    'initialize',
    { protocolVersion, capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  ]
}

const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}
const call = { name: 'echo', arguments: {} }

test.each([
  ['2025-11-25', [hello('2025-11-25'), ['tools/list', {}], ['tools/call', call]]],
  ['2024-11-05', [hello('2024-11-05'), ['tools/list', {}], ['tools/call', call]]],
  [
    '2026-07-28',
    [
      ['tools/list', { _meta }],
      ['ping', {}],
      ['tools/call', { ...call, _meta }],
    ],
  ],
  ['both', [hello('2025-06-18'), ['tools/call', { ...call, _meta }], ['tools/call', call]]],
] as const)(
  'all that a first client sends at once is answered in order, although its input has ended: %s',
  async (_, requests) => {
    const { input, answers } = await serveNew()

    input.end(lines(...requests))

    const all = await answers
    expect(all.map(({ id }) => id)).toEqual([0, 1, 2])
    expect(all.filter(({ result }) => result === undefined)).toEqual([])
  },
)

test('initialize agrees on what was asked for', async () => {
  const { input, answers } = await serveNew()

  input.end(lines(hello('2025-03-26')))

  expect(await answers).toMatchObject([{ result: { protocolVersion: '2025-03-26' } }])
})

test('where only modern revisions are served, the first initialize hears so', async () => {
  const { input, answers } = await serveNew(['2026-07-28'])

  input.end(lines(hello('2025-11-25')))

  expect(await answers).toMatchObject([
    { error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2025-11-25' } } },
  ])
})
