import { PassThrough } from 'node:stream'

import type { Limits } from '@parley/mcp'
import { type Client, connect } from '@parley/mcp/client'
import { createServer } from '@parley/mcp/server'
import { createStdioTransport, serveStdio } from '@parley/mcp/stdio'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const quiet = { onError: () => undefined }
const long = 'x'.repeat(5_000)

/** A client and a server over pipes, each with limits of its own. */
async function open(era: string, ours: Limits, theirs: Limits): Promise<Client> {
  const [there, back] = [new PassThrough(), new PassThrough()]
  const server = createServer({ name: 'test', version: '1.0.0' })
  server.tool('count', { inputSchema: z.object({ text: z.string() }) }, ({ text }) => text.length)
  server.tool('long', {}, () => long)
  serveStdio(server, { input: there, output: back, limits: theirs, ...quiet })
  const transport = createStdioTransport({ input: back, output: there, ...ours })
  return connect(transport, { protocolVersion: era as '2025-06-18', limits: ours, ...quiet })
}

describe.each(['2024-11-05', '2025-11-25', '2026-07-28'])('in %s', (era) => {
  test('a call with too long arguments is refused, and the next is not', async () => {
    await using client = await open(era, {}, { messageBytes: 4_000 })

    await expect(client.callTool('count', { text: long })).rejects.toMatchObject({
      name: 'RpcError',
      code: 'limit_exceeded',
      data: { limit: 'messageBytes', allowed: 4_000 },
    })
    expect(await client.callTool('count', { text: 'x' })).toMatchObject({
      content: [{ text: '1' }],
    })
  })

  test('a call with too long an answer rejects, and the next does not', async () => {
    await using client = await open(era, { messageBytes: 4_000 }, {})

    await expect(client.callTool('long')).rejects.toMatchObject({
      name: 'McpError',
      code: 'limit_exceeded',
      details: { limit: 'messageBytes', allowed: 4_000 },
    })
    expect(await client.callTool('count', { text: 'x' })).toMatchObject({
      content: [{ text: '1' }],
    })
  })
})
