import { once } from 'node:events'
import { createServer, request, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

import { type Balancer, startBalancer } from '@parley/cluster/testing'
import { expect, onTestFinished, test } from 'vitest'

interface Backend {
  readonly url: string
  readonly asked: string[]
  isReady: boolean
  stop(): Promise<void>
}

/** A server that says its name, and whether it is ready. */
async function openBackend(name: string, answer?: RequestListener): Promise<Backend> {
  const asked: string[] = []
  const backend = { isReady: true }
  const server = createServer((incoming, response) => {
    if (incoming.url === '/readyz')
      return void response.writeHead(backend.isReady ? 200 : 503).end()
    asked.push(incoming.url ?? '')
    if (answer) return answer(incoming, response)
    response.end(name)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  const stop = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(stop)
  return Object.assign(backend, { url: `http://127.0.0.1:${port}/mcp`, asked, stop })
}

async function balance(...backends: readonly Backend[]): Promise<Balancer> {
  const balancer = await startBalancer({ readyEveryMs: 20 })
  onTestFinished(() => balancer[Symbol.asyncDispose]())
  for (const { url } of backends) balancer.add(url)
  return balancer
}

async function ask({ url }: Balancer, init?: RequestInit): Promise<string> {
  const response = await fetch(`${url}/mcp`, init)
  return response.status === 200 ? response.text() : String(response.status)
}

test('servers take turns', async () => {
  const balancer = await balance(await openBackend('a'), await openBackend('b'))

  const answers = [
    await ask(balancer),
    await ask(balancer),
    await ask(balancer),
    await ask(balancer),
  ]

  expect(answers.toSorted()).toEqual(['a', 'a', 'b', 'b'])
})

test('a request that could not be connected is given to another server, body and all', async () => {
  const [a, b] = [
    await openBackend('a', (incoming, response) => void incoming.pipe(response)),
    await openBackend('b'),
  ]
  const balancer = await balance(a, b)
  await b.stop()

  const body = 'x'.repeat(100_000)
  const answers = [
    await ask(balancer, { method: 'POST', body }),
    await ask(balancer, { method: 'POST', body }),
  ]

  expect(answers).toEqual([body, body])
})

test('a request that was sent is not sent again', async () => {
  const dying = await openBackend('a', (incoming) => incoming.socket.destroy())
  const other = await openBackend('b')
  const balancer = await balance(dying, other)

  const answers = [
    await ask(balancer, { method: 'POST', body: '1' }),
    await ask(balancer, { method: 'POST', body: '2' }),
  ]

  expect(answers.toSorted()).toEqual(['502', 'b'])
  expect([dying.asked.length, other.asked.length]).toEqual([1, 1])
  expect(balancer.counts).toMatchObject({ broken: 1, retried: 0 })
})

test('a server that says it is not ready gets nothing until it is', async () => {
  const [a, b] = [await openBackend('a'), await openBackend('b')]
  const balancer = await balance(a, b)

  a.isReady = false
  await expect.poll(() => balancer.ready().length).toBe(1)
  expect([await ask(balancer), await ask(balancer), await ask(balancer)]).toEqual(['b', 'b', 'b'])
  a.isReady = true
  await expect.poll(() => balancer.ready().length).toBe(2)
  expect([await ask(balancer), await ask(balancer)].toSorted()).toEqual(['a', 'b'])
})

test('if none is ready, those that are there are asked; if none is there, the answer is 503', async () => {
  const [a, b] = [await openBackend('a'), await openBackend('b')]
  const balancer = await balance(a, b)

  a.isReady = false
  b.isReady = false
  await expect.poll(() => balancer.ready().length).toBe(0)
  expect([await ask(balancer), await ask(balancer)].toSorted()).toEqual(['a', 'b'])
  await a.stop()
  await b.stop()

  expect(await ask(balancer)).toBe('503')
  expect(balancer.counts.refused).toBe(1)
})

test('a server that was removed ends what it has and gets nothing new', async () => {
  let finish = (): void => undefined
  const slow = await openBackend('a', (_, response) => {
    response.write('begun ')
    finish = () => void response.end('and ended')
  })
  const balancer = await balance(slow)
  const response = await fetch(`${balancer.url}/mcp`)

  balancer.remove(slow.url)
  balancer.add((await openBackend('b')).url)

  expect(await ask(balancer)).toBe('b')
  finish()
  expect(await response.text()).toBe('begun and ended')
})

test('bytes of a stream arrive as they come, and one that breaks off is broken off', async () => {
  let cut = (): void => undefined
  const backend = await openBackend('a', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
    cut = () => void response.destroy()
  })
  const balancer = await balance(backend)
  const response = await fetch(`${balancer.url}/mcp`)
  const reader = response.body?.getReader()

  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('data: 1\n\n')
  cut()
  await expect(reader?.read()).rejects.toThrow()
})

test('connections of one server can be cut', async () => {
  const hanging = await openBackend('a', () => undefined)
  const balancer = await balance(hanging)
  const asked = ask(balancer)
  await expect.poll(() => hanging.asked.length).toBe(1)

  balancer.cut(hanging.url)

  expect(await asked).toBe('502')
})

test('a client that leaves is gone for the server too', async () => {
  let isClosed = false
  const hanging = await openBackend(
    'a',
    (_, response) => void response.once('close', () => (isClosed = true)),
  )
  const balancer = await balance(hanging)
  const asked = request(`${balancer.url}/mcp`)
  asked.on('error', () => undefined) // by us
  asked.end()
  await expect.poll(() => hanging.asked.length).toBe(1)

  asked.destroy()

  await expect.poll(() => isClosed).toBe(true)
})
