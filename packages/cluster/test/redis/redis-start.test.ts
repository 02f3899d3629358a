import { join } from 'node:path'
import { inspect } from 'node:util'

import { StoreUnavailable } from '@parley/cluster'
import {
  createRedisClusterStore,
  createRedisCluster,
  type RedisStoreOptions,
} from '@parley/cluster/redis'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

import { certificate, privateKey } from '../../../../test-support/certificate.ts'
import { findFreePort } from '../../../../test-support/free-port.ts'
import { hasRedis, ownRedis, type TestRedis } from '../../../../test-support/redis-server.ts'
import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { until } from '../until.ts'

const secret = 'a secret of thirty-two characters'

describe.skipIf(!hasRedis)('a start on Redis', () => {
  let server: TestRedis
  let admin: Redis
  let port: string

  beforeAll(async () => {
    server = await ownRedis()
    admin = new Redis(server.url)
    port = new URL(server.url).port
    for (const rights of [
      'quiet on >quiet +@all ~* resetchannels',
      'reader on >reader +@connection +info ~* &*',
      'owner on >owner +@all ~* &*',
    ]) {
      await admin.acl('SETUSER', ...(rights.split(' ') as [string, ...string[]]))
    }
  })
  afterAll(async () => {
    admin.disconnect()
    await server[Symbol.asyncDispose]()
  })

  function open(options: RedisStoreOptions): ReturnType<typeof createRedisClusterStore> {
    const store = createRedisClusterStore(options)
    onTestFinished(() => store.close())
    return store
  }

  async function failure(options: RedisStoreOptions): Promise<Error> {
    const store = open(options)
    const first: unknown = await store.start().catch((error: unknown) => error)
    const second: unknown = await store.start().catch((error: unknown) => error)
    expect(String(second)).toBe(String(first)) // the client tries by itself meanwhile
    return first as Error
  }

  test.each([
    ['a wrong password', 'owner:wrong@', /WRONGPASS.*: correct user and password/],
    ['a user without rights', 'reader:reader@', /NOPERM.*: give the user .*ACL SETUSER/],
  ])('says place, cause and cure of %s, and is not tried again', async (_, user, told) => {
    const error = await failure({ url: `redis://${user}127.0.0.1:${port}` })

    expect(error.message).toMatch(new RegExp(`^Redis at 127\\.0\\.0\\.1:${port}: `))
    expect(error.message).toMatch(told)
    expect(inspect(error)).not.toMatch(/'wrong'|:wrong@/)
    expect(error).not.toBeInstanceOf(StoreUnavailable)
  })

  test('without the password that it wants', async () => {
    await admin.acl('SETUSER', 'default', 'resetpass', '>secret')
    onTestFinished(async () => void (await admin.acl('SETUSER', 'default', 'nopass')))

    const error = await failure({ url: server.url })

    expect(error.message).toMatch(/NOAUTH.*: it wants a password: write redis:\/\/:password@/)
    expect(error).not.toBeInstanceOf(StoreUnavailable)
  })

  test('where nothing listens, is tried again', async () => {
    const free = await findFreePort()
    const error = await failure({ url: `redis://127.0.0.1:${free}` })

    expect(error.message).toMatch(
      new RegExp(`^Redis at 127\\.0\\.0\\.1:${free}: .*ECONNREFUSED.*: nothing listens there`),
    )
    expect(error).toBeInstanceOf(StoreUnavailable)
  })

  test('of a host without an address', async () => {
    const error = await failure({ url: 'redis://no-such-host.invalid:6379' })

    expect(error.message).toMatch(/^Redis at no-such-host\.invalid:6379: .*: the name of the host/)
  })

  test('with TLS where none is spoken, and without where it is', async () => {
    const folder = folderWith({ 'cert.pem': certificate, 'key.pem': privateKey })
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
    const files = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', cert]
    await using secure = await ownRedis(['--tls', ...files, '--tls-auth-clients', 'no'])

    const plain = open({ url: `rediss://127.0.0.1:${port}`, timeoutMs: 100 })
    await expect(plain.start()).rejects.toThrow(/write redis:\/\/ instead of rediss:\/\//)
    const insecure = open({ url: secure.url, timeoutMs: 1_000 })
    await expect(insecure.start()).rejects.toThrow(/write rediss:\/\/ instead of redis:\/\//)
    const untrusted = open({ url: secure.url.replace('redis:', 'rediss:') })
    const error: unknown = await untrusted.start().catch((reason: unknown) => reason)
    expect(String(error)).toMatch(/certificate.*: its certificate is not trusted: pass/)
    expect(error).not.toBeInstanceOf(StoreUnavailable)
  })

  test('of an address that is none of Redis', () => {
    expect(() => createRedisClusterStore({ url: 'http://127.0.0.1:6379' })).toThrow(
      '`url` begins with http://, which is not an address of Redis: write redis://host:6379',
    )
  })

  test('warns of eviction that forgets what is in use, and of channels that may not be used', async () => {
    await admin.config('SET', 'maxmemory-policy', 'allkeys-lru')
    onTestFinished(async () => void (await admin.config('SET', 'maxmemory-policy', 'noeviction')))
    const warnings: string[] = []
    const cluster = createRedisCluster({
      url: `redis://quiet:quiet@127.0.0.1:${port}`,
      secret,
      onError: (error) => void warnings.push(String(error)),
    })
    onTestFinished(() => cluster.close())

    await cluster.start()
    await until(() => warnings.length === 2)

    expect(warnings.toSorted()).toEqual([
      expect.stringMatching(/does not let its user use channels, .*&parley1:bus:\*/),
      expect.stringMatching(/has maxmemory-policy allkeys-lru: .*Set noeviction/),
    ])
  })

  test('of a cluster with a wrong password fails at once, without another try', async () => {
    const tries: unknown[] = []
    const url = `redis://owner:wrong@127.0.0.1:${port}`
    const cluster = createRedisCluster({ url, secret, onRetry: (error) => void tries.push(error) })
    onTestFinished(() => cluster.close())

    await expect(cluster.start()).rejects.toThrow('WRONGPASS')
    expect(tries).toEqual([])
  })
})
