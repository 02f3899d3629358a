import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
} from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport as SseV1 } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { findRedis } from '@parley/cluster/testing'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

import { openWorld, type World } from '../../chaos/world.mjs'

const info = { name: 'official', version: '1.0.0' }
const capabilities = { elicitation: {} }
const elicited = { action: 'accept', content: { word: 'hello' } } as const

interface OfficialClient {
  call(name: string, args: object, onProgress?: (count: number) => void): Promise<string>
}

async function openV1(url: URL, transport: Transport = new HttpV1(url)): Promise<OfficialClient> {
  const client = new ClientV1(info, { capabilities })
  client.setRequestHandler(ElicitRequestSchema, () => elicited)
  await client.connect(transport)
  onTestFinished(() => client.close())
  return {
    async call(name, args, onProgress) {
      const params = { name, arguments: { ...args } }
      const result = await client.callTool(params, undefined, {
        ...(onProgress && { onprogress: ({ progress }) => onProgress(progress) }),
      })
      return JSON.stringify(result)
    },
  }
}

async function openV2(url: URL, mode: 'legacy' | 'auto'): Promise<OfficialClient> {
  const client = new ClientV2(info, { capabilities, versionNegotiation: { mode } })
  client.setRequestHandler('elicitation/create', () => elicited)
  await client.connect(new HttpV2(url))
  onTestFinished(() => client.close())
  return {
    async call(name, args, onProgress) {
      const params = { name, arguments: { ...args } }
      const result = await client.callTool(params, {
        ...(onProgress && { onprogress: ({ progress }) => onProgress(progress) }),
      })
      return JSON.stringify(result)
    },
  }
}

const clients = [
  ['v1', (url: URL) => openV1(url)],
  ['v2 by handshake', (url: URL) => openV2(url, 'legacy')],
  ['v2 in its newest revision', (url: URL) => openV2(url, 'auto')],
] as const

/** Whose stream is at one process, whatever takes what it posts. */
async function openOldest(url: URL): Promise<OfficialClient> {
  return openV1(url, new SseV1(new URL(`${url.href}/sse`)))
}

const hasRedis = findRedis() !== undefined
describe.skipIf(!hasRedis)('official clients and three processes behind a balancer', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(async () => {
    await world.close()
  })

  test('v1 over HTTP+SSE: calls, hears progress and is asked, wherever it posts [R1105-05]', async () => {
    const oldest = await Promise.all([1, 2, 3].map(() => openOldest(new URL(world.url))))
    for (const [number, client] of oldest.entries()) {
      const places = new Set<string>()
      const seen: number[] = []
      for (let call = 0; call < 6; call += 1) places.add(await client.call('where', {}))
      const args = { to: 5, everyMs: 30, key: `oldest progress ${number}` }
      await client.call('count', args, (count) => seen.push(count))
      const received = await client.call('ask', { key: `oldest ask ${number}` })

      expect(places.size).toBe(1) // the process that has its stream
      expectProgress(seen)
      expect(received).toContain('heard hello')
    }
  })

  describe.each(clients)('%s', (name, open) => {
    test('calls every process', async () => {
      const client = await open(new URL(world.url))

      const places = new Set<string>()
      for (let call = 0; call < 12; call += 1) places.add(await client.call('where', {}))

      expect(places.size).toBe(3)
    })

    test('hears progress, in order', async () => {
      const client = await open(new URL(world.url))
      const seen: number[] = []

      const args = { to: 5, everyMs: 30, key: `${name} progress` }
      const result = await client.call('count', args, (count) => seen.push(count))

      expect(result).toContain('counted to 5')
      expectProgress(seen)
    })

    test('is asked, and its answer reaches the process that asked', async () => {
      const client = await open(new URL(world.url))

      // More often than there are processes: the answer goes to another one than the question came from.
      for (let turn = 0; turn < 4; turn += 1) {
        expect(await client.call('ask', { key: `${name} ask ${turn}` })).toContain('heard hello')
      }
    })

    // In 2026-07-28 there is nothing to resume: a client that leaves has cancelled.
    if (name.includes('newest')) return
    test('resumes a stream that was cut, at any process', async () => {
      const client = await open(new URL(world.url))
      const seen: number[] = []

      const args = { to: 20, everyMs: 50, key: `${name} resume` }
      const result = await client.call('count', args, (count) => {
        seen.push(count)
        if (count === 5) world.balancer.cut()
      })

      expect(result).toContain('counted to 20')
      expect(seen).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    })
  })
})

/** In order, from the first on. Official clients drop what they read in one piece with the answer. */
function expectProgress(seen: readonly number[]): void {
  expect(seen).toEqual([1, 2, 3, 4, 5].slice(0, Math.max(1, seen.length)))
}
