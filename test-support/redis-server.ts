import { findRedis, startRedisProcess, type RedisProcess } from '@parley/cluster/testing'

import { sharedServer } from './server-program.ts'

export const hasRedis = findRedis() !== undefined

/** A Redis server of a test, which can be ended and started again on the same port. It keeps nothing on disk. */
export type TestRedis = RedisProcess

/** The address of a server that all tests of a run share, so each store in it has a prefix of its own. */
export function sharedRedis(): Promise<string> {
  return sharedServer('redis')
}

/**
 * A server of one test, which may kill it, configure it or count its commands, on a free port of loopback. `--tls` among the
 * arguments makes it one for TLS.
 */
export function ownRedis(
  args: readonly string[] = [],
  firstArgs: readonly string[] = [],
): Promise<TestRedis> {
  const isTls = args.includes('--tls')
  const others = args.filter((argument) => argument !== '--tls')
  return startRedisProcess({ args: others, firstArgs, isTls })
}
