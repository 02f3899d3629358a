import type { ClusterBudgets } from '../store/cluster-store.ts'
import { wholeMs } from '../store/whole-numbers.ts'
import type { RedisCommands } from './redis-commands.ts'
import type { RedisKeys } from './redis-keys.ts'
import { script } from './script.ts'

const take = script(`
local wanted, capacity, windowMs = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local known = redis.call('HMGET', KEYS[1], 'amount', 'at')
local amount, at = tonumber(known[1] or capacity), tonumber(known[2] or nowMicros)
local passedMs = math.max(0, nowMicros - at) / 1000
local filled = math.min(capacity, amount + passedMs * capacity / windowMs)
local granted = math.min(wanted, math.floor(filled))
local left = math.min(capacity, filled - granted)
redis.call('HSET', KEYS[1], 'amount', string.format('%.17g', left), 'at', string.format('%.0f', nowMicros))
redis.call('PEXPIRE', KEYS[1], windowMs)
return granted
`)

export function createRedisBudgets(commands: RedisCommands, keys: RedisKeys): ClusterBudgets {
  return {
    async take(key, wanted, capacity, windowMs) {
      const args = [wanted, capacity, wholeMs(windowMs)]
      return Number(await commands.run(take, [keys.owned('budget', key)], args))
    },
  }
}
