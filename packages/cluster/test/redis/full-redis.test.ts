import { createRedisCluster } from '@parley/cluster/redis'
import { Redis } from 'ioredis'
import { expect, onTestFinished, test } from 'vitest'

import { hasRedis, ownRedis } from '../../../../test-support/redis-server.ts'
import { openProcess } from '../open-process.ts'
import { testSecret } from '../two-processes.ts'
import { until } from '../until.ts'

const revision = '2025-11-25'

test.skipIf(!hasRedis)(
  'a full Redis: not ready, with the reason, no new stream, and results arrive',
  async () => {
    const server = await ownRedis()
    onTestFinished(() => server[Symbol.asyncDispose]())
    const admin = new Redis(server.url)
    onTestFinished(() => admin.disconnect())
    const cluster = createRedisCluster({
      url: server.url,
      secret: testSecret,
      leaseMs: 300,
      onError: () => undefined,
    })
    const { service } = await openProcess('here', cluster, { onError: () => undefined })
    const post = (body: object, session?: string) =>
      fetch(service.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(session !== undefined && { 'mcp-session-id': session }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', ...body }),
      })
    const clientInfo = { name: 'a client', version: '1' }
    const params = { protocolVersion: revision, capabilities: {}, clientInfo }
    const welcome = await post({ id: 0, method: 'initialize', params })
    const session = welcome.headers.get('mcp-session-id') ?? ''
    await welcome.text()
    await post({ method: 'notifications/initialized' }, session)

    await admin.config('SET', 'maxmemory', '1')
    const stream = await fetch(service.url, {
      headers: { accept: 'text/event-stream', 'mcp-session-id': session },
    })
    expect(await stream.text()).toContain('send it again')
    const counting = { name: 'count', arguments: { to: 5 }, _meta: { progressToken: 'p' } }
    const call = await post({ id: 2, method: 'tools/call', params: counting }, session)
    const results = await call.text()
    const health = await until(async () => {
      const answer = await fetch(new URL('/readyz', service.url))
      return answer.status === 503 && answer.text()
    })

    expect(stream.status).toBe(503)
    expect(results.match(/"progress":\d/g)).toHaveLength(5)
    expect(results).toMatch(/"result":.*"id":2|"id":2,"result":/)
    expect(health).toMatch(/has not answered for .*: Redis failed: OOM command not allowed/)
  },
)
