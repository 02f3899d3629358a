import { createProxy } from '@parley/mcp/proxy'
import { createTransportPair, createVirtualClock } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { untilIdle } from '../../src/testing/virtual-clock.ts'
import { metaKeys } from '../../src/wire/request-meta.ts'
import { openRawChannel, type Raw } from '../support/raw-channel.ts'
import { serverInfo } from '../support/raw-modern-server.ts'

test('a subscription that the server cancels is requested again, and clients hear of what they missed', async () => {
  const clock = createVirtualClock()
  const [near, far] = createTransportPair({ text: true })
  const server = openRawChannel(far)
  const changed: string[] = []
  await using proxy = createProxy(near, { clock, onError: () => undefined })
  const watch = proxy.watch({
    info: { name: 'watcher', version: '1.0.0' },
    onChanged: (list) => changed.push(list),
    onDisconnected: () => undefined,
  })
  const opened = watch.open()
  const { id } = await server.next(({ method }) => method === 'server/discover')
  server.send({ jsonrpc: '2.0', id, result: serverInfo() })
  const first = await acknowledgeListen()
  await opened

  const params = { requestId: first.id }
  server.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
  await untilIdle()
  expect(changed).toEqual([])
  await clock.advance(30_000)
  const second = await acknowledgeListen()
  await untilIdle()

  expect(second.id).not.toBe(first.id)
  expect(changed).toEqual(['tools'])

  async function acknowledgeListen(): Promise<Raw> {
    const listen = await server.next(({ method }) => method === 'subscriptions/listen')
    server.send({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: {
        notifications: { toolsListChanged: true },
        _meta: { [metaKeys.subscription]: listen.id },
      },
    })
    return listen
  }
})
