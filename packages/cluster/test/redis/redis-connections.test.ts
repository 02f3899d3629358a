import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { createRedisClusterStore } from '@parley/cluster/redis'
import { describe, expect, onTestFinished, test } from 'vitest'

import { certificate, privateKey } from '../../../../test-support/certificate.ts'
import { hasRedis, ownRedis, type TestRedis } from '../../../../test-support/redis-server.ts'
import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { startPatiently } from '../until.ts'

/** For a machine that does other work besides. */
const timeoutMs = 20_000
describe.skipIf(!hasRedis)('connections to Redis', () => {
  /** Ended after the test, even if that fails. */
  async function start(...args: Parameters<typeof ownRedis>): Promise<TestRedis> {
    const server = await ownRedis(...args)
    onTestFinished(() => server[Symbol.asyncDispose]())
    return server
  }

  test('TLS, with the certificates of the options', async () => {
    const folder = folderWith({ 'cert.pem': certificate, 'key.pem': privateKey })
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
    const files = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', cert]
    const server = await start(['--tls', ...files, '--tls-auth-clients', 'no'])
    const url = server.url.replace('redis:', 'rediss:')

    const store = createRedisClusterStore({
      url,
      timeoutMs,
      connection: { tls: { ca: certificate } },
    })
    onTestFinished(() => store.close())
    await startPatiently(store)
    expect(await store.once.add('mark', 60_000)).toBe(true)

    const trusting = createRedisClusterStore({ url, timeoutMs })
    onTestFinished(() => trusting.close())
    await expect(trusting.start()).rejects.toThrow('its certificate is not trusted')
  })

  test('Sentinel, which says where the server is', async () => {
    const server = await start()
    const port = Number(new URL(server.url).port)
    const folder = folderWith({})
    const file = join(folder, 'sentinel.conf')
    writeFileSync(file, `sentinel monitor parley 127.0.0.1 ${port} 1\n`)
    const sentinel = await start([], [file, '--sentinel'])
    const sentinels = [{ host: '127.0.0.1', port: Number(new URL(sentinel.url).port) }]

    const store = createRedisClusterStore({ connection: { sentinels, name: 'parley' }, timeoutMs })
    onTestFinished(() => store.close())
    await startPatiently(store)

    expect(await store.once.add('mark', 60_000)).toBe(true)
  })
})
