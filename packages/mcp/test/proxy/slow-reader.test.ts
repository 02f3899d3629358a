import type { JsonObject, MessageSink, Transport } from '@parley/mcp'
import { createProxy } from '@parley/mcp/proxy'
import { createServer, serveTransport } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { isJsonObject } from '../../src/schema/json.ts'

/** A channel to a client that is fed by hand, and reads only when it is let. */
function createSlowClient() {
  const sent: JsonObject[] = []
  let sink: MessageSink | undefined
  let isReading = true
  let resume: (() => void) | undefined
  const transport: Transport = {
    kind: 'custom',
    messages: { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) },
    receive: (given) => void (sink = given),
    send({ value }) {
      if (isJsonObject(value)) sent.push(value)
      return isReading ? undefined : new Promise<void>((resolve) => (resume = resolve))
    },
    async [Symbol.asyncDispose]() {
      sink?.end()
    },
  }
  return {
    transport,
    sent,
    say: (message: object) => void sink?.message({ jsonrpc: '2.0', ...message }),
    pause: () => void (isReading = false),
    resume() {
      isReading = true
      resume?.()
    },
    answered: (id: number) => sent.some((message) => message['id'] === id),
  }
}

test('a storm of changes waits for a slow client as one of each', async () => {
  const server = createServer({ name: 'storm', version: '1.0.0' })
  server.resource('note://{id}', { name: 'notes' }, () => 'note')
  server.tool('ping', {}, () => 'pong')
  await using proxy = createProxy(server, { protocolVersion: 'legacy', onError: () => undefined })
  const client = createSlowClient()
  await using _ = serveTransport(proxy, client.transport)
  const capabilities = {}
  const clientInfo = { name: 'slow', version: '1' }
  client.say({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities, clientInfo },
  })
  await expect.poll(() => client.answered(1)).toBe(true)
  client.say({ method: 'notifications/initialized' })
  for (const [at, uri] of ['note://a', 'note://b'].entries()) {
    client.say({ id: 10 + at, method: 'resources/subscribe', params: { uri } })
    await expect.poll(() => client.answered(10 + at)).toBe(true)
  }

  client.pause()
  const before = client.sent.length
  for (let times = 0; times < 5_000; times += 1) {
    server.notifyChanged({ uri: 'note://a' })
    server.notifyChanged({ uri: 'note://b' })
    if (times % 500 === 0) await new Promise((resolve) => void setTimeout(resolve, 1))
  }
  await new Promise((resolve) => void setTimeout(resolve, 50))
  const whilePaused = client.sent.length - before
  client.resume()
  client.say({ id: 20, method: 'tools/call', params: { name: 'ping' } })
  await expect.poll(() => client.answered(20)).toBe(true)

  expect(whilePaused).toBeLessThan(10)
  expect(client.sent.length - before).toBeLessThan(20)
  expect(client.sent.at(-1)).toMatchObject({ id: 20 })
})
