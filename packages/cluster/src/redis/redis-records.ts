/**
 * The records of a cluster in Redis: groups of records with versions and an expiry, each method one script, so that it is one
 * atomic step. Written for two formats of keys, so that two versions of a program can run side by side.
 */

import type { ClusterRecords } from '../store/cluster-store.ts'
import { wholeCount, wholeMs } from '../store/whole-numbers.ts'
import { listReply } from './list-reply.ts'
import type { RedisCommands } from './redis-commands.ts'
import type { RedisFormat } from './redis-format.ts'
import type { RedisKeys } from './redis-keys.ts'
import { script } from './script.ts'

/**
 * Three keys per group: the records, the order they were first written in, and until when each is kept. A record that is
 * alone in its group is one key instead since format 2, as "version text", which expires by itself.
 */
const shared = `
local records, orders, ends = KEYS[1], KEYS[2], KEYS[3]

local function find(id)
  local value = redis.call('HGET', records, id)
  if not value then return nil end
  local version, keptUntil, start = string.match(value, '^(%d+) (%d+) ()')
  if tonumber(keptUntil) <= now then return nil end
  return tonumber(version), string.sub(value, start)
end

local function forget(id)
  redis.call('HDEL', records, id)
  redis.call('ZREM', orders, id)
  redis.call('ZREM', ends, id)
end

local function sweep(most)
  local expired = redis.call('ZRANGEBYSCORE', ends, '-inf', now, 'LIMIT', 0, most)
  for _, id in ipairs(expired) do forget(id) end
  return #expired
end

local function write(id, version, text, keepMs)
  if version == 0 then
    forget(id)
    local newest = redis.call('ZRANGE', orders, -1, -1, 'WITHSCORES')
    local order = math.max(nowMicros, tonumber(newest[2] or 0) + 1)
    redis.call('ZADD', orders, order, id)
  end
  local keptUntil = now + keepMs
  redis.call('HSET', records, id, string.format('%.0f %.0f ', version + 1, keptUntil) .. text)
  redis.call('ZADD', ends, keptUntil, id)
  local longest = string.format('%.0f', tonumber(redis.call('ZRANGE', ends, -1, -1, 'WITHSCORES')[2]))
  for _, key in ipairs({ records, orders, ends }) do redis.call('PEXPIREAT', key, longest) end
end
`

/** The key of a record that is alone in its group stands behind those of its group, where format 1 has it. */
const alone = `
local one = KEYS[4]

local function findOne(id)
  local value = redis.call('GET', one)
  if not value then return find(id) end
  local version, start = string.match(value, '^(%d+) ()')
  return tonumber(version), string.sub(value, start)
end
`

const get = script(
  shared,
  `
local version, text = find(ARGV[1])
if not version then return false end
return { version, text }
`,
)

const put = script(
  shared,
  `
local id, text, expected, keepMs = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
sweep(4)
local version = find(id) or 0
if version ~= expected then return 0 end
write(id, version, text, keepMs)
return 1
`,
)

const remove = script(shared, `forget(ARGV[1])`)

const getAlone = script(
  shared,
  alone,
  `
local version, text = findOne(ARGV[1])
if not version then return false end
return { version, text }
`,
)

/** The last argument is the format. What is there in the other one is gone in the same step. */
const putAlone = script(
  shared,
  alone,
  `
local id, text, expected, keepMs = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local version = findOne(id) or 0
if version ~= expected then return 0 end
if ARGV[5] == '2' then
  forget(id)
  redis.call('SET', one, string.format('%.0f ', version + 1) .. text, 'PX', string.format('%.0f', keepMs))
else
  redis.call('DEL', one)
  write(id, version, text, keepMs)
end
return 1
`,
)

const removeAlone = script(shared, alone, `redis.call('DEL', one) forget(ARGV[1])`)

/** The reply begins with the cursor of the next page, which is empty after the last. */
const list = script(
  shared,
  `
local limit = tonumber(ARGV[2])
while sweep(1000) == 1000 do end
local found = redis.call('ZRANGEBYSCORE', orders, '(' .. ARGV[1], '+inf', 'WITHSCORES', 'LIMIT', 0, limit + 1)
local reply = { '' }
if #found > 2 * limit then reply[1] = string.format('%.0f', tonumber(found[2 * limit])) end
for index = 1, math.min(#found, 2 * limit), 2 do
  local _, text = find(found[index])
  if text then reply[#reply + 1] = text end
end
return reply
`,
)

export function createRedisRecords(
  commands: RedisCommands,
  keys: RedisKeys,
  format: RedisFormat,
): ClusterRecords {
  const keysOf = (group: string): string[] =>
    ['records', 'record-orders', 'record-ends'].map((kind) => keys.owned(kind, group))
  const keysOfOne = (group: string): string[] => [...keysOf(group), keys.owned('one', group)]

  return {
    async get({ group, id, isAlone }) {
      const reply = isAlone
        ? await commands.run(getAlone, keysOfOne(group), [id])
        : await commands.run(get, keysOf(group), [id])
      const [version, text] = listReply(reply)
      return text === undefined ? undefined : { text, version: Number(version) }
    },

    async put({ group, id, isAlone }, text, expected, keepMs) {
      const args = [id, text, expected, wholeMs(keepMs)]
      const reply = isAlone
        ? await commands.run(putAlone, keysOfOne(group), [...args, format.written()])
        : await commands.run(put, keysOf(group), args)
      return Number(reply) === 1
    },

    async remove({ group, id, isAlone }) {
      if (isAlone) await commands.run(removeAlone, keysOfOne(group), [id])
      else await commands.run(remove, keysOf(group), [id])
    },

    async list(group, cursor = '0', limit) {
      if (!/^\d{1,16}$/.test(cursor)) return { texts: [] }
      const reply = await commands.run(list, keysOf(group), [cursor, wholeCount(limit)])
      const [next = '', ...texts] = listReply(reply)
      return next === '' ? { texts } : { texts, cursor: next }
    },
  }
}
