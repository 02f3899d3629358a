import { connect } from '@parley/mcp/client'
import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { expect, onTestFinished, test } from 'vitest'

import { createEqualShare } from '../src/cluster/equal-share.ts'
import { createCluster, createMemoryStore } from '../src/index.ts'

const secret = 'a secret of this cluster, which is long enough'

test('a process has its part of the calls that may run at once, as many as are alive', async () => {
  const store = createMemoryStore()
  const open = async (): Promise<URL> => {
    const cluster = createCluster(store, { secret, leaseMs: 300, shareCalls: true })
    const server = createServer({ name: 'busy', version: '1.0.0' })
    server.tool('wait', {}, async (_, { signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return 'never'
    })
    const options = { port: 0, ownProcess: false, cluster, limits: { inFlight: 4 } }
    const service = await serveHttp(server, options)
    onTestFinished(async () => void (await service.drain({ deadlineMs: 0 })))
    return service.url
  }
  const [a] = [await open(), await open()]

  await expect.poll(() => countAccepted(a)).toBe(2)
})

/** How many calls of one caller run before one is refused. */
async function countAccepted(url: URL): Promise<number> {
  await using client = await connect(url, { era: 'modern' })
  const stop = new AbortController()
  let refused = 0
  const calls = Array.from({ length: 4 }, () =>
    client.callTool('wait', {}, { signal: stop.signal }).catch((error: { code?: string }) => {
      if (error.code === 'overloaded') refused += 1
    }),
  )
  await expect.poll(() => refused).toBeGreaterThan(0)
  stop.abort()
  await Promise.all(calls)
  return 4 - refused
}

test('the last count holds while the processes cannot be counted', async () => {
  let isAway = false
  let asked = 0
  const errors: unknown[] = []
  const alive = async () => {
    asked += 1
    if (isAway) throw new Error('the store is away')
    return ['a', 'b', 'c', 'd'].map((node) => ({ node, info: '' }))
  }
  const part = createEqualShare({ alive }, 5, (error) => errors.push(error))
  await part.start()
  isAway = true
  await expect.poll(() => errors.length).toBeGreaterThan(1)

  expect(part.share()).toBe(0.25)
  part.stop()
  const before = asked
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(asked - before).toBeLessThan(2)
})
