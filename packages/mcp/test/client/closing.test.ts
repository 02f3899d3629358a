import type { Transport } from '@parley/mcp'
import type { ClientStatus } from '@parley/mcp/client'
import { createServer } from '@parley/mcp/server'
import { createTransportPair } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { createClient } from '../../src/client/create-client.ts'
import { untilIdle } from '../../src/testing/virtual-clock.ts'
import { describeMatrix } from '../support/matrix.ts'
import { openRawServer } from '../support/raw-server.ts'

describeMatrix('closing a client', ({ connect, rawServer }) => {
  test('rejects what is pending, and ends the connection', async () => {
    const server = rawServer()
    const client = await server.accept()
    const pending = [client.callTool('slow'), client.readResource('a:b'), client.ping()]
    const outcomes = Promise.all(pending.map((call) => call.catch((error: unknown) => error)))
    await server.expect('ping')

    await client.close()

    for (const outcome of await outcomes) expect(outcome).toMatchObject({ code: 'closed' })
    expect(await server.ended).toBeUndefined()
    expect(client.status).toEqual({ state: 'closed' })
  })

  test('refuses what comes after it, and sends nothing', async () => {
    const server = rawServer({ roots: [] })
    const client = await server.accept()
    await client.close()

    for (const call of [
      () => client.callTool('x'),
      () => client.listTools().toArray(),
      () => client.listen({ toolsListChanged: true }),
      () => client.setRoots(['/a']),
      () => client.ping(),
    ]) {
      await expect(call()).rejects.toMatchObject({ name: 'McpError', code: 'closed' })
    }
  })

  test('twice is closing once, and disposing is the same', async () => {
    const states: string[] = []
    const server = rawServer({ onStatus: ({ state }) => states.push(state) })
    const client = await server.accept()

    await Promise.all([client.close(), client.close(), client[Symbol.asyncDispose]()])
    await client.close()

    expect(states).toEqual(['ready', 'closed'])
  })

  test('waits until all is released, the second time too', async () => {
    const server = rawServer()
    const client = await server.accept()
    let isFirstDone = false

    const first = client.close().then(() => (isFirstDone = true))
    await client.close()

    expect(isFirstDone).toBe(true)
    await first
  })

  test('tells the handler of a call that its caller has gone', async () => {
    let signal: AbortSignal | undefined
    const server = createServer({ name: 'slow', version: '1.0.0' })
    server.tool('wait', {}, async (_, context) => {
      ;({ signal } = context)
      await new Promise((resolve) => context.signal.addEventListener('abort', resolve))
    })
    const client = await connect(server)
    const calling = client.callTool('wait').catch((error: unknown) => error)
    await client.ping()

    await client.close()

    expect(await calling).toMatchObject({ code: 'closed' })
    await expect.poll(() => signal?.aborted).toBe(true)
    expect(signal?.reason).toMatchObject({ code: 'cancelled', details: { by: 'disconnect' } })
  })
})

describeMatrix('a connection that the server ends', ({ channel, rawServer }) => {
  test('rejects what is pending as lost, with the peer named', async () => {
    const statuses: ClientStatus[] = []
    const server = rawServer({ onStatus: (status) => statuses.push(status) })
    const client = await server.accept()
    const calling = client.callTool('x').catch((error: unknown) => error)
    await server.expect('tools/call')

    await server.close()

    expect(await calling).toMatchObject({
      name: 'McpError',
      code: 'connection_lost',
      details: { sent: true },
      retryable: false,
      ...(channel !== 'stdio' && { peer: 'memory' }), // bare streams have no name
    })
    expect(statuses.at(-1)).toMatchObject({ state: 'closed', cause: { code: 'connection_lost' } })
    await expect(client.callTool('x')).rejects.toMatchObject({ code: 'connection_lost' })
    await client.close()
  })

  test('before the handshake is done rejects connecting', async () => {
    const server = rawServer()
    await server.expect('initialize')

    await server.close()

    await expect(server.client).rejects.toMatchObject({ code: 'connection_lost' })
  })
})

test('a lost connection is let go of at once, and closing waits until that is done', async () => {
  const [near, far] = createTransportPair()
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  let disposals = 0
  const slow: Transport = {
    ...near,
    async [Symbol.asyncDispose]() {
      disposals += 1
      await released
    },
  }
  const server = openRawServer(far, '2025-06-18', () =>
    createClient(() => slow, { protocolVersion: 'legacy' }),
  )
  const client = await server.accept()

  await server.close()
  await untilIdle()
  expect(client.status.state).toBe('closed')
  expect(disposals).toBe(1)
  let isClosed = false
  const closing = client.close().then(() => (isClosed = true))
  await untilIdle()
  expect(isClosed).toBe(false)
  release()
  await closing

  expect(disposals).toBe(1)
})
