import { loggingLevels, type LogMessage } from '@parley/mcp'
import { createServer, type Server } from '@parley/mcp/server'
import { createTestClient, createVirtualClock, testAuth } from '@parley/mcp/testing'
import { describe, expect, test } from 'vitest'

import { describeServer } from '../support/matrix.ts'

function loudServer(): Server {
  const server = createServer({ name: 'loud', version: '1', onError: () => undefined })
  server.tool('all', {}, (_, { log }) => {
    for (const level of loggingLevels) log(level, { level }, 'main')
  })
  return server
}

describeServer('logging', ({ connect, rawClient, rawServer }) => {
  test('is declared [LOG-01]', async () => {
    const client = await rawClient(createServer({ name: 'quiet', version: '1' }))

    expect(client.serverInfo.result?.['capabilities']).toHaveProperty('logging', {})
    await client.close()
  })

  test('knows eight levels and sends what is as grave as the one asked for [LOG-02, LOG-03, LOG-04]', async () => {
    const client = await rawClient(loudServer())

    expect(loggingLevels.join()).toBe('debug,info,notice,warning,error,critical,alert,emergency')
    for (const [severity, level] of loggingLevels.entries()) {
      expect((await client.request('logging/setLevel', { level })).result).toEqual({})
      await client.request('tools/call', { name: 'all' })
      const messages = (await client.quiet()).map(({ params }) => params?.['level'])
      expect(messages).toEqual(loggingLevels.slice(severity))
    }
    await client.close()
  })

  test('sends info and graver before any level is asked for [LOG-05]', async () => {
    const client = await rawClient(loudServer())

    await client.request('tools/call', { name: 'all' })

    const levels = (await client.quiet()).map(({ params }) => params?.['level'])
    expect(levels).toEqual(loggingLevels.slice(1))
    await client.close()
  })

  test('says level, data and logger as they were given, before the result [LOG-06, LOG-10]', async () => {
    const data = [{ a: 1, b: null }, 'text', 5, null, [true]]
    const server = createServer({ name: 'loud', version: '1' })
    server.tool('it', {}, (_, { log }) => {
      for (const one of data) log('error', one, 'database')
      log('alert', undefined)
    })
    const client = await rawClient(server)

    await client.request('tools/call', { name: 'it' }, 'call')

    const last = client.received.at(-1)
    const messages = client.received.filter(({ method }) => method === 'notifications/message')
    expect(messages.map(({ params }) => params)).toEqual([
      ...data.map((one) => ({ level: 'error', logger: 'database', data: one })),
      { level: 'alert', data: null },
    ])
    expect(last?.id).toBe('call')
    await client.close()
  })

  test('refuses a level there is not [LOG-07]', async () => {
    const client = await rawClient(loudServer())

    const answers = [
      await client.request('logging/setLevel', { level: 'warn' }),
      await client.request('logging/setLevel', { level: 'ERROR' }),
      await client.request('logging/setLevel', { level: 4 }),
      await client.request('logging/setLevel', {}),
    ]

    expect(answers.map(({ error }) => error?.code)).toEqual([-32602, -32602, -32602, -32602])
    await client.close()
  })

  test('drops what exceeds a thousand messages a second, and says so once [LOG-09, LOG-20]', async () => {
    const clock = createVirtualClock()
    const reports: unknown[] = []
    const server = createServer({ name: 'chatty', version: '1' })
    server.tool('chat', {}, (_, { log }) => {
      for (let count = 0; count < 1_500; count += 1) log('info', count)
    })
    const client = await rawClient(server, { clock, onError: (error) => void reports.push(error) })

    await client.request('tools/call', { name: 'chat' })
    await clock.advance(100)
    await client.request('tools/call', { name: 'chat' })

    const messages = client.received.filter(({ method }) => method === 'notifications/message')
    expect(messages).toHaveLength(1_100)
    expect(reports).toMatchObject([{ code: 'overloaded' }])
    await client.close()
  })

  test('never sends credentials, causes of faults or internals by itself [LOG-12, LOG-17..19]', async () => {
    const secret = 'hunter2'
    const server = createServer({ name: 'careful', version: '1', onError: () => undefined })
    server.tool('fail', {}, () => {
      throw new Error(`cannot log in with ${secret}`)
    })
    server.resource('secret://1', {}, () => {
      throw new Error(`cannot log in with ${secret}`)
    })
    const logged: LogMessage[] = []
    await using client = await connect(server, {
      auth: testAuth({ subject: secret, claims: { email: `${secret}@example.com` } }),
      onLog: (message) => void logged.push(message),
    })
    await client.setLoggingLevel('debug')

    const failed = await client.callTool('fail')
    const rejected = await client.readResource('secret://1').catch((error: unknown) => error)

    expect(JSON.stringify([failed, rejected, String(rejected)])).not.toContain(secret)
    expect(logged).toEqual([])
  })

  test('hands over only messages that are whole [LOG-21]', async () => {
    const logged: LogMessage[] = []
    const server = rawServer({ onLog: (message) => void logged.push(message) })
    const client = await server.accept()
    const send = (params: object): void =>
      server.send({ jsonrpc: '2.0', method: 'notifications/message', params })

    send({ level: 'warn', data: 1 })
    send({ level: 'info' })
    send({ level: 'info', data: 1, logger: 5 })
    send({ data: 1 })
    send({ level: 'info', data: null, logger: 'main' })
    const pinging = client.ping()
    await server.answer('ping', {})
    await pinging

    expect(logged).toEqual([{ level: 'info', data: null, logger: 'main' }])
    await client.close()
  })

  test('sends only messages that are whole, whatever a handler logs [LOG-21]', async () => {
    const reports: unknown[] = []
    const circular: { self?: object } = {}
    circular.self = circular
    const server = createServer({ name: 'sloppy', version: '1' })
    server.tool('it', {}, (_, { log }) => {
      log('warn' as 'warning', 'no such level')
      log('error', circular)
      log('error', 1n)
      log('error', () => 'a function')
      log('error', 'good', 5 as unknown as string)
      return 'done'
    })
    const client = await rawClient(server, { onError: (error) => void reports.push(error) })

    const { result } = await client.request('tools/call', { name: 'it' })

    expect(result).toEqual({ content: [{ type: 'text', text: 'done' }] })
    expect((await client.quiet()).map(({ params }) => params)).toEqual([
      { level: 'error', data: null },
      { level: 'error', data: 'good' },
    ])
    expect(reports).toHaveLength(2)
    await client.close()
  })
})

describe('logging', () => {
  test('ends with its request', async () => {
    const logged: LogMessage[] = []
    let logLater: (() => void) | undefined
    const server = createServer({ name: 'late', version: '1' })
    server.tool('it', {}, (_, { log }) => void (logLater = () => log('error', 'late')))
    await using client = await createTestClient(server, { onLog: (one) => void logged.push(one) })

    await client.callTool('it')
    logLater?.()
    await client.idle()

    expect(logged).toEqual([])
  })

  test('has a level for each session', async () => {
    const received: string[] = []
    const server = loudServer()
    await using grave = await createTestClient(server, {
      onLog: ({ level }) => void received.push(`grave ${level}`),
    })
    await using mild = await createTestClient(server, {
      onLog: ({ level }) => void received.push(`mild ${level}`),
    })
    await grave.setLoggingLevel('emergency')
    await mild.setLoggingLevel('alert')

    await grave.callTool('all')
    await mild.callTool('all')

    expect(received).toEqual(['grave emergency', 'mild alert', 'mild emergency'])
  })
})
