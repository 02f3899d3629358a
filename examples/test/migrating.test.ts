import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { McpServer as FirstServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { connect } from '@parley/mcp/client'
import { createServer } from '@parley/mcp/server'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'

import { findFreePort } from '../../test-support/free-port.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, '.parley/migrating')
const page = readFileSync(join(root, 'docs/migrating.md'), 'utf8')

describe('the server on the official SDK that the page shows', () => {
  beforeAll(() => mkdirSync(folder, { recursive: true }))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('runs, and our client works with it', async () => {
    const port = await findFreePort()
    const url = `http://127.0.0.1:${port}/mcp`
    const server = spawn(process.execPath, [writeProgram(port)], { stdio: 'inherit' })
    try {
      await vi.waitFor(() => fetch(url), { interval: 100 })

      await using client = await connect(url)
      const { structuredContent } = await client.callTool('add', { text: 'call Bob' })
      expect(structuredContent).toEqual({ id: '2' })
    } finally {
      server.kill()
    }
  })
})

describe.each([
  ['generation 1', makeFirst(FirstServer), new McpError(ErrorCode.InvalidParams, 'bad')],
  ['generation 2', McpServer, new ProtocolError(ProtocolErrorCode.InvalidParams, 'bad')],
])('the page says of %s', (generation, Official, protocolError) => {
  test('what it does otherwise', async () => {
    const server = new Official({ name: 'official', version: '1.0.0' })
    server.registerTool('first', {}, (...given) => ({ content: [text(String(given.length))] }))
    server.registerTool('plain', {}, () => {
      throw new Error('No such city')
    })
    server.registerTool('protocol', {}, () => {
      throw protocolError
    })
    const outputSchema = z.object({ sum: z.number() })
    server.registerTool('full', { outputSchema }, () => ({
      content: [text('one')],
      structuredContent: { sum: 1 },
    }))
    const [near, far] = InMemoryTransport.createLinkedPair()
    const client = new Client({ name: 'client', version: '1.0.0' })
    await Promise.all([server.connect(far), client.connect(near)])
    const call = (name: string) => client.callTool({ name, arguments: {} })

    expect((await call('first')).content).toEqual([text('1')])
    expect(await call('plain')).toMatchObject({ isError: true, content: [text('No such city')] })
    expect(await call('protocol')).toMatchObject({ isError: true })
    expect(await call('full')).toMatchObject({
      content: [text('one')],
      structuredContent: { sum: 1 },
    })
    if (generation === 'generation 1') expect(await call('none')).toMatchObject({ isError: true })
    else await expect(call('none')).rejects.toMatchObject({ code: ProtocolErrorCode.InvalidParams })
    await client.close()
  })
})

test('the page says what becomes of handlers and calls that are left as they were', async () => {
  const onError = vi.fn()
  const server = createServer({ name: 'ours', version: '1.0.0', onError })
  const outputSchema = z.object({ sum: z.number() })
  // As plain JavaScript has them: the compiler would refuse most.
  const tool = server.tool as (name: string, config: object, handler: () => unknown) => void
  tool('plain', {}, () => {
    throw new Error('No such city')
  })
  tool('full', { outputSchema }, () => ({ content: [text('one')], structuredContent: { sum: 1 } }))
  tool('failed', { outputSchema }, () => ({ content: [text('no')], isError: true }))
  tool('partial', { outputSchema: outputSchema.partial() }, () => ({
    content: [text('one')],
    structuredContent: { sum: 1 },
  }))
  await using client = await connect(server)

  for (const name of ['plain', 'full', 'failed']) {
    const { content } = await client.callTool(name)
    expect(content).toEqual([text(expect.stringMatching(/^internal error \(.*\)$/))])
  }
  expect((await client.callTool('partial')).structuredContent).toEqual({})
  const told = onError.mock.calls.map(([error]) => (error as Error).message)
  expect(told[0]).toBe('No such city')
  for (const message of told.slice(1)) expect(message).toContain('return toolResult({ … })')
  expect(told).toHaveLength(4)

  await expect(client.callTool({ name: 'full' } as never)).rejects.toMatchObject({
    code: 'invalid_params',
    message: expect.stringContaining('name: a string'),
  })
  await expect(client.callTool('none')).rejects.toMatchObject({ code: 'invalid_params' })
  expect(await Promise.resolve(client.listTools())).not.toHaveProperty('tools')
})

type Rejected = [kind: 'tool' | 'prompt' | 'resource', given: readonly unknown[], cure: string]

test.each<Rejected>([
  ['tool', ['t', { inputSchema: { city: z.string() } }, () => ''], 'z.object'],
  ['tool', ['t', 'description', { city: z.string() }, () => ''], 'write tool(name'],
  ['prompt', ['p', { argsSchema: z.object({}) }, () => ''], 'did you mean argumentsSchema?'],
  ['resource', ['note', 'notes://1', {}, () => ''], 'write resource(uri'],
])('the page says that a %s is refused at once (%#)', (kind, given, fix) => {
  const server = createServer({ name: 'ours', version: '1.0.0' })
  const register = server[kind] as (...args: readonly unknown[]) => void // as plain JavaScript calls it

  expect(() => register(...given)).toThrow(fix)
})

function text(value: string) {
  return { type: 'text' as const, text: value }
}

/** Both generations register tools alike; their types have nothing in common. */
function makeFirst(Server: typeof FirstServer): typeof McpServer {
  return Server as unknown as typeof McpServer
}

function writeProgram(port: number): string {
  const file = join(folder, 'server.mjs')
  const [, code = ''] = /^```js\n(.*?)^```$/ms.exec(page) ?? []
  writeFileSync(file, code.replaceAll('3000', String(port)))
  return file
}
