import type { RedisOptions } from 'ioredis'

import {
  StoreUnavailable,
  type ClusterStore,
  requireStarted,
  type StoreState,
} from '../store/cluster-store.ts'
import { checkTimeout, withDeadline } from '../store/deadline.ts'
import { createRedisBudgets } from './redis-budgets.ts'
import { createRedisBus } from './redis-bus.ts'
import { openClients, type RedisClient } from './redis-client.ts'
import { createRedisCommands, type RedisCommands } from './redis-commands.ts'
import { createRedisFeeds } from './redis-feeds.ts'
import { createRedisFormat } from './redis-format.ts'
import { createRedisKeys } from './redis-keys.ts'
import { createRedisLeases } from './redis-leases.ts'
import { createRedisOnceMarks } from './redis-once-marks.ts'
import { createRedisRecords } from './redis-records.ts'
import { checkRedisUrl, explainRedisStart, warnOfChannels, warnOfEviction } from './redis-start.ts'
import { createRedisStreams } from './redis-streams.ts'

/** Which server, and under which names. One of `url`, `connection` and `client` is needed. */
export interface RedisStoreOptions {
  /** For example `redis://localhost:6379`, or `rediss://user:password@host:6380/1` with TLS. */
  readonly url?: string | undefined
  /** Options of ioredis, beside or instead of `url`: TLS, username and password, sentinels. */
  readonly connection?: RedisOptions | undefined
  /**
   * A client of ioredis, for a Redis Cluster or for options of your own; or a function that makes one, called twice. A client
   * that is given is not closed with the store, and must not have a `keyPrefix`.
   */
  readonly client?: RedisClient | (() => RedisClient) | undefined
  /**
   * With what the name of every key and channel begins. Clusters that share a server need different ones.
   *
   * @defaultValue `parley1:`
   */
  readonly prefix?: string | undefined
  /**
   * After how many milliseconds without an answer a command has failed.
   *
   * @defaultValue 2000
   */
  readonly timeoutMs?: number | undefined
  /**
   * The newest format of keys that this process lets the cluster write. With 1, all processes keep to what the version before
   * reads, so that you can go back to it.
   *
   * @defaultValue 2
   */
  readonly maxFormat?: 1 | 2 | undefined
}

/** A store on Redis 6.2 or newer, or Valkey. Each process has two connections to it. */
export function createRedisClusterStore(options: RedisStoreOptions): ClusterStore {
  const { prefix = 'parley1:', timeoutMs = 2_000, maxFormat = 2, ...source } = options
  checkTimeout(timeoutMs)
  checkMaxFormat(maxFormat)
  const keys = createRedisKeys(prefix)
  checkRedisUrl(source.url)
  const { commands: client, subscriptions, own } = openClients(source, timeoutMs)
  rejectKeyPrefix(client)
  const sent = createRedisCommands(client, timeoutMs)
  const subscribing = createRedisCommands(subscriptions, timeoutMs)
  const bus = createRedisBus(sent, subscriptions, keys)
  let state: StoreState = 'new'

  const commands: RedisCommands = {
    ...sent,
    async run(script, scriptKeys, args) {
      requireStarted(state)
      return sent.run(script, scriptKeys, args)
    },
  }

  const format = createRedisFormat({ commands: sent, keys, prefix, maxFormat })

  return {
    records: createRedisRecords(commands, keys, format),
    feeds: createRedisFeeds(commands, keys),
    once: createRedisOnceMarks(commands, keys),
    leases: createRedisLeases(commands, keys, format),
    streams: createRedisStreams(commands, keys),
    budgets: createRedisBudgets(commands, keys),
    bus,

    async start(warn = () => undefined) {
      if (state === 'closed') requireStarted(state)
      await sent.connect()
      try {
        await format.check()
      } catch (error) {
        throw error instanceof StoreUnavailable
          ? explainRedisStart(client, error, error.cause)
          : error
      }
      const channel = keys.shared('bus:')
      subscribing.connect().then(
        () => warnOfChannels({ commands: client, subscriptions }, channel, warn),
        () => undefined, // hints come later: the client goes on trying
      )
      await warnOfEviction(sent, client, warn)
      if (state === 'new') state = 'started'
    },

    async close() {
      if (state === 'closed') return
      state = 'closed'
      bus[Symbol.dispose]()
      await Promise.all(own.map((item) => end(item, timeoutMs)))
      if (!own.includes(client)) sent[Symbol.dispose]()
    },
  }
}

function checkMaxFormat(maxFormat: number): void {
  if (maxFormat === 1 || maxFormat === 2) return
  throw new Error(`maxFormat ${maxFormat} is out of range: this version writes formats 1 and 2`)
}

function rejectKeyPrefix({ options }: RedisClient): void {
  if (options.keyPrefix) {
    throw new Error(
      `the Redis client has keyPrefix ${JSON.stringify(options.keyPrefix)}: use the option \`prefix\` of the store instead`,
    )
  }
}

/** Closes a client; commands that were sent arrive, if the server accepts them in time. */
async function end(client: RedisClient, timeoutMs: number): Promise<void> {
  try {
    if (client.status === 'ready') await withDeadline(client.quit(), timeoutMs, 'Redis')
  } catch {
    // It is disconnected anyway.
  } finally {
    client.disconnect()
  }
}
