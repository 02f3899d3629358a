import { loggingLevels } from '@parley/mcp'
import { createVirtualClock } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { describeMatrix } from '../support/matrix.ts'

describeMatrix('log messages', ({ rawServer }) => {
  test('reach onLog as they were sent, at every level [LOG-02, SCH-19]', async () => {
    const seen: unknown[] = []
    const server = rawServer({ onLog: (message) => seen.push(message) })
    const client = await server.accept()
    const sent = loggingLevels.map((level) => ({ level, logger: 'disk', data: { of: [level] } }))

    for (const params of sent) log(server, params)
    await server.quiet()

    expect(seen).toEqual(sent)
    await client.close()
  })

  test('of a level or form of their own are dropped [DEC-21]', async () => {
    const seen: unknown[] = []
    const server = rawServer({ onLog: (message) => seen.push(message) })
    const client = await server.accept()

    for (const level of ['INFO', 'WARN', 'trace', 'fatal']) log(server, { level, data: 'x' })
    log(server, { level: 'info' })
    server.send({ jsonrpc: '2.0', method: 'logging/message', params: { level: 'info', data: '' } })
    log(server, { level: 'info', data: null })
    await server.quiet()

    expect(seen).toEqual([{ level: 'info', data: null }])
    await client.close()
  })

  test('are taken as soon as the handshake is answered [DEC-18]', async () => {
    const seen: unknown[] = []
    const server = rawServer({ onLog: ({ data }) => seen.push(data) })

    const { id } = await server.expect('initialize')
    const result = {
      protocolVersion: '2025-06-18',
      capabilities: { logging: {} },
      serverInfo: { name: 'eager', version: '1.0.0' },
    }
    server.send({ jsonrpc: '2.0', id, result })
    log(server, { level: 'info', data: 'early' })
    const client = await server.client
    await server.quiet()

    expect(seen).toEqual(['early'])
    await client.close()
  })

  test('show that a call is alive', async () => {
    const clock = createVirtualClock()
    const server = rawServer({ clock, timeouts: { idleMs: 1_000 } })
    const client = await server.accept()

    const calling = client.callTool('slow')
    const { id } = await server.expect('tools/call')
    await clock.advance(900)
    log(server, { level: 'info', data: 'still here' })
    await clock.advance(900)
    server.send({ jsonrpc: '2.0', id, result: { content: [] } })

    expect(await calling).toEqual({ content: [] })
    await client.close()
  })

  test('from a listener that throws end nothing', async () => {
    const reports: unknown[] = []
    const server = rawServer({
      onLog: () => {
        throw new Error('mine')
      },
      onError: (error) => reports.push(error),
    })
    const client = await server.accept()

    log(server, { level: 'info', data: '' })
    const pinging = client.ping()
    await server.answer('ping', {})
    await pinging

    expect(reports).toEqual([expect.objectContaining({ message: 'mine' })])
    await client.close()
  })
})

function log(server: { send(message: unknown): void }, params: object): void {
  server.send({ jsonrpc: '2.0', method: 'notifications/message', params })
}
