import type { ClusterLeases, LiveNode } from '../store/cluster-store.ts'
import { wholeMs } from '../store/whole-numbers.ts'
import { listReply } from './list-reply.ts'
import type { RedisCommands } from './redis-commands.ts'
import type { RedisFormat } from './redis-format.ts'
import type { RedisKeys } from './redis-keys.ts'
import { script } from './script.ts'

/** Three keys: until when each process is alive, what it says of itself, and the ends of those that read the newest format. */
const shared = `
local ends, infos, readers = KEYS[1], KEYS[2], KEYS[3]

local function release(node)
  redis.call('ZREM', ends, node)
  redis.call('ZREM', readers, node)
  redis.call('HDEL', infos, node)
end
`

/** The reply: 1 if the lease still ran, and 1 if all who are alive read the newest format. */
const renew = script(
  shared,
  `
local node, leaseMs, info, readsNewest = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4] == '1'
local before = redis.call('ZSCORE', ends, node)
redis.call('ZADD', ends, now + leaseMs, node)
if readsNewest then redis.call('ZADD', readers, now + leaseMs, node) else redis.call('ZREM', readers, node) end
redis.call('HSET', infos, node, info)
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', ends, '-inf', now, 'LIMIT', 0, 100)) do release(gone) end
for _, key in ipairs(KEYS) do
  if redis.call('PTTL', key) < leaseMs then redis.call('PEXPIRE', key, leaseMs) end
end
local from = string.format('(%.0f', now)
local isAgreed = redis.call('ZCOUNT', ends, from, '+inf') == redis.call('ZCOUNT', readers, from, '+inf')
return { before and tonumber(before) > now and 1 or 0, isAgreed and 1 or 0 }
`,
)

const isAlive = script(
  shared,
  `
local endsAt = redis.call('ZSCORE', ends, ARGV[1])
return endsAt and tonumber(endsAt) > now and 1 or 0
`,
)

const count = script(
  shared,
  `return redis.call('ZCOUNT', ends, string.format('(%.0f', now), '+inf')`,
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

export function createRedisLeases(
  commands: RedisCommands,
  keys: RedisKeys,
  format: RedisFormat,
): ClusterLeases {
  const all = ['lease-ends', 'lease-infos', 'lease-readers-2'].map((kind) =>
    keys.owned(kind, 'leases'),
  )
  return {
    async renew(node, leaseMs, info) {
      const args = [node, wholeMs(leaseMs), info, format.readsNewest ? 1 : 0]
      const [wasLocked, isAgreed] = listReply(await commands.run(renew, all, args))
      await format.renewed({
        wasLocked: wasLocked === '1',
        allReadNewest: isAgreed === '1',
        leaseMs,
      })
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
    async count() {
      return Number(await commands.run(count, all, []))
    },
  }
}
