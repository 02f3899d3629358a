import type { ClusterLeases, LiveNode } from '../store/cluster-store.ts'
import { wholeMs } from '../store/whole-numbers.ts'
import { listReply } from './list-reply.ts'
import type { RedisCommands } from './redis-commands.ts'
import type { RedisKeys } from './redis-keys.ts'
import { script } from './script.ts'

/** Two keys: until when each process is alive, and what it says of itself. */
const shared = `
local ends, infos = KEYS[1], KEYS[2]

local function release(node)
  redis.call('ZREM', ends, node)
  redis.call('HDEL', infos, node)
end
`

const renew = script(
  shared,
  `
local node, leaseMs, info = ARGV[1], tonumber(ARGV[2]), ARGV[3]
redis.call('ZADD', ends, now + leaseMs, node)
redis.call('HSET', infos, node, info)
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', ends, '-inf', now, 'LIMIT', 0, 100)) do release(gone) end
for _, key in ipairs(KEYS) do
  if redis.call('PTTL', key) < leaseMs then redis.call('PEXPIRE', key, leaseMs) end
end
`,
)

const isAlive = script(
  shared,
  `
local endsAt = redis.call('ZSCORE', ends, ARGV[1])
return endsAt and tonumber(endsAt) > now and 1 or 0
`,
)

const releaseOne = script(shared, `release(ARGV[1])`)

const alive = script(
  shared,
  `
local reply = {}
for _, node in ipairs(redis.call('ZRANGEBYSCORE', ends, string.format('(%.0f', now), '+inf')) do
  reply[#reply + 1] = node
  reply[#reply + 1] = redis.call('HGET', infos, node) or ''
end
return reply
`,
)

export function createRedisLeases(commands: RedisCommands, keys: RedisKeys): ClusterLeases {
  const all = [keys.owned('lease-ends', 'leases'), keys.owned('lease-infos', 'leases')]
  return {
    async renew(node, leaseMs, info) {
      await commands.run(renew, all, [node, wholeMs(leaseMs), info])
    },
    async isAlive(node) {
      return Number(await commands.run(isAlive, all, [node])) === 1
    },
    async release(node) {
      await commands.run(releaseOne, all, [node])
    },
    async alive() {
      const reply = listReply(await commands.run(alive, all, []))
      const nodes: LiveNode[] = []
      for (let index = 0; index < reply.length; index += 2) {
        nodes.push({ node: reply[index] ?? '', info: reply[index + 1] ?? '' })
      }
      return nodes.toSorted((a, b) => (a.node < b.node ? -1 : 1))
    },
  }
}
