import { jsonSchema } from '@parley/mcp'
import { connect } from '@parley/mcp/client'
import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { expect, test, vi } from 'vitest'

import { openEndpoint, ping } from '../../support/http-endpoint.ts'
import { head, openSocket } from '../../support/raw-socket.ts'
import { createSampleServer } from '../../support/sample-server.ts'

/** A tool that tells one step and waits for all the others. */
function createMeeting() {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  const server = createServer({ name: 'meeting', version: '1.0.0' })
  const inputSchema = jsonSchema({
    type: 'object',
    properties: { number: { type: 'integer' } },
    required: ['number'],
  })
  server.tool('wait', { inputSchema }, async ({ number }, context) => {
    await context.progress({ progress: 1 })
    await released
    return `number ${number}`
  })
  server.tool('hello', {}, () => 'hello')
  return { server, release: () => release() }
}

const eras = ['legacy', 'modern'] as const

test.each(eras)(
  'one %s client has a thousand calls on streams at once, and each gets its own',
  async (protocolVersion) => {
    const { server, release } = createMeeting()
    // Without sessions all whom nobody verified are one caller.
    const limits = { inFlight: protocolVersion === 'modern' ? 2_000 : 1_000 }
    await using service = await serveHttp(server, { port: 0, ownsProcess: false, limits })
    await using client = await connect(service.url, { protocolVersion })
    await using other = await connect(service.url, { protocolVersion })
    let here = 0

    const calls = Array.from({ length: 1_000 }, (_, number) =>
      client.callTool('wait', { number }, { onProgress: () => void (here += 1) }),
    )
    await vi.waitFor(() => expect(here).toBe(1_000), 45_000)
    const meanwhile = await other.callTool('hello')
    expect(service.health()).toMatchObject({ streams: 1_000, inFlight: 1_000 })
    release()
    const answers = await Promise.all(calls)

    expect(meanwhile).toMatchObject({ content: [{ text: 'hello' }] })
    for (const [number, { content }] of answers.entries()) {
      expect(content).toMatchObject([{ text: `number ${number}` }])
    }
    await vi.waitFor(() => expect(service.health()).toMatchObject({ streams: 0, inFlight: 0 }))
  },
)

test('two hundred bodies that come a byte at a time are each answered by 408, and a client notices nothing', async () => {
  const { server, calls } = createSampleServer()
  await using endpoint = await openEndpoint('node', server, { bodyMs: 300 })
  await using client = await connect(`http://127.0.0.1:${endpoint.port}/mcp`, {
    protocolVersion: 'legacy',
  })
  const body = JSON.stringify(ping(1))
  const sockets = await Promise.all(Array.from({ length: 200 }, () => openSocket(endpoint.port)))
  for (const socket of sockets) socket.write(head({ 'content-length': 100_000 }))
  let at = 0
  const dripping = setInterval(() => {
    for (const socket of sockets) socket.write(body.charAt(at % body.length))
    at += 1
  }, 20)

  const answers = Promise.all(sockets.map(({ closed }) => closed))
  for (let count = 0; count < 50; count += 1) await client.callTool('count')
  const statuses = (await answers).map((text) => /HTTP\/1\.1 (\d+)/.exec(text)?.[1])
  clearInterval(dripping)

  expect(calls.count).toBe(50)
  expect(new Set(statuses)).toEqual(new Set(['408']))
  expect(endpoint.service.health()).toMatchObject({ sessions: 1, inFlight: 0 })
})

test.each(eras)(
  'two hundred %s clients come, call and leave, and none is taken for another',
  async (protocolVersion) => {
    const server = createServer({ name: 'names', version: '1.0.0' })
    server.tool('whoami', {}, (_, context) => context.client.info?.name ?? 'nobody')
    await using service = await serveHttp(server, {
      port: 0,
      ownsProcess: false,
      maxSessions: { total: 500, perPrincipal: 500 },
    })

    const names = Array.from({ length: 200 }, (_, index) => `client-${index}`)
    const answers = await Promise.all(
      names.map(async (name) => {
        await using client = await connect(service.url, {
          protocolVersion,
          info: { name, version: '1' },
        })
        const [first, second] = await Promise.all([
          client.callTool('whoami'),
          client.callTool('whoami'),
        ])
        return [first.content, second.content]
      }),
    )

    for (const [index, contents] of answers.entries()) {
      for (const content of contents) expect(content).toMatchObject([{ text: `client-${index}` }])
    }
    await vi.waitFor(() => expect(service.health().sessions).toBe(0))
  },
)
