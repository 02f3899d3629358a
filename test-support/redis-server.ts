import { findRedis, startRedisProcess, type RedisProcess } from '@parley/cluster/testing'

export { installRedis } from '@parley/cluster/testing'

export const hasRedis = findRedis() !== undefined

/** A Redis server of a test, which can be ended and started again on the same port. It keeps nothing on disk. */
export type TestRedis = RedisProcess

/** Starts a server on a free port of loopback; `--tls` among the arguments makes it one for TLS. */
export function startRedis(
  args: readonly string[] = [],
  firstArgs: readonly string[] = [],
): Promise<TestRedis> {
  const isTls = args.includes('--tls')
  const others = args.filter((argument) => argument !== '--tls')
  return startRedisProcess({ args: others, firstArgs, isTls })
}
