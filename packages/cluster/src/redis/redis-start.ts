import { StoreUnavailable } from '../store/cluster-store.ts'
import { explainStart, networkProblems, type StartProblem } from '../store/start-problem.ts'
import type { RedisClient } from './redis-client.ts'
import type { RedisCommands } from './redis-commands.ts'
import { script } from './script.ts'

const problems: readonly StartProblem[] = [
  {
    sign: /WRONGPASS|invalid password/,
    fix: 'correct user and password, as in redis://user:password@host:6379',
  },
  {
    sign: /NOAUTH/,
    fix: 'it wants a password: write redis://:password@host:6379, or `connection: { username, password }`',
  },
  {
    sign: /NOPERM/,
    fix: 'give the user its commands, keys and channels: ACL SETUSER name +@all ~parley1:* &parley1:*, with the `prefix` of the store',
  },
  {
    sign: /MOVED|ASK \d/,
    fix: 'it is part of a Redis Cluster: pass `client: () => new Cluster([{ host, port }])` of ioredis',
  },
  {
    sign: /CLUSTERDOWN/,
    fix: 'the Redis Cluster does not serve all of its keys: see CLUSTER INFO',
    canHeal: true,
  },
  {
    sign: /WRONG_VERSION_NUMBER|wrong version number|EPROTO|PACKET_LENGTH/,
    fix: 'it does not support TLS: write redis:// instead of rediss://',
  },
  ...networkProblems,
]

/** Where a client connects to, without its password. */
export function positionOf({ options: { host, port, path, sentinels } }: RedisClient): string {
  if (sentinels) return 'Redis behind its sentinels'
  if (path) return `Redis at ${path}`
  return host === undefined ? 'the Redis Cluster' : `Redis at ${host}:${port}`
}

/** The error that a start rejects with: its place, cause and cure. */
export function explainRedisStart(client: RedisClient, error: unknown, cause: unknown): Error {
  const isTls = Boolean(client.options.tls)
  const isSilent = /did not answer|ETIMEDOUT|before secure TLS|Connection is closed/.test(
    [error, cause].map(String).join(' '),
  )
  const silence: StartProblem = {
    sign: /.*/,
    fix: isTls
      ? 'if it does not support TLS, write redis:// instead of rediss://'
      : 'if it requires TLS, write rediss:// instead of redis://',
    canHeal: true,
  }
  const silent = isSilent ? [silence] : []
  const first = cause ?? error
  // ioredis adds the command with its arguments, the password among them.
  if (first instanceof Error) Reflect.deleteProperty(first, 'command')
  const root = first instanceof StoreUnavailable ? (first.cause ?? first) : first
  return explainStart(root, positionOf(client), [...problems, ...silent])
}

/** Throws for an address that is none of a Redis server: ioredis takes it for the path of a socket. */
export function checkRedisUrl(url: string | undefined): void {
  const [, scheme] = /^([a-z][a-z\d+.-]*):\/\//i.exec(url ?? '') ?? []
  if (scheme === undefined || /^rediss?$/i.test(scheme)) return
  throw new Error(
    `\`url\` begins with ${scheme}://, which is not an address of Redis: write redis://host:6379, or rediss://host:6379 with TLS`,
  )
}

const evictionPolicy = script(`
local policy = string.match(redis.call('INFO', 'memory'), 'maxmemory_policy:(%S+)')
return policy or false
`)

/** Warns where the server forgets what was not to be forgotten. A user who may not look is not told. */
export async function warnOfEviction(
  commands: RedisCommands,
  client: RedisClient,
  warn: (message: string) => void,
): Promise<void> {
  const policy = await commands.run(evictionPolicy, [], []).catch(() => undefined)
  if (typeof policy !== 'string' || !policy.startsWith('allkeys-')) return
  warn(
    `${positionOf(client)} has maxmemory-policy ${policy}: when it is full it forgets sessions, streams and tasks that are in use. Set noeviction, or volatile-ttl`,
  )
}

/** Warns where hints do not arrive: everything works, and each change is noticed later. */
export async function warnOfChannels(
  clients: { readonly commands: RedisClient; readonly subscriptions: RedisClient },
  channel: string,
  warn: (message: string) => void,
): Promise<void> {
  try {
    await clients.subscriptions.subscribe(channel)
    await clients.subscriptions.unsubscribe(channel)
    await clients.commands.publish(channel, '')
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOPERM')) return // it is tried again with each connection
    warn(
      `${positionOf(clients.commands)} does not let its user use channels, so that processes notice changes of each other late: ACL SETUSER name &${channel}* +subscribe +unsubscribe +publish`,
    )
  }
}
