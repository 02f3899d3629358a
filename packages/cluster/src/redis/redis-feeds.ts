import { feedPageSize, maxFeedEntries, type ClusterFeeds } from '../store/cluster-store.ts'
import { decodeFeedCursor, encodeFeedCursor, randomName } from '../store/feed-cursor.ts'
import { wholeMs } from '../store/whole-numbers.ts'
import { listReply } from './list-reply.ts'
import type { RedisCommands } from './redis-commands.ts'
import type { RedisKeys } from './redis-keys.ts'
import { script } from './script.ts'

/**
 * Two keys per feed. The list has the newest entries, each as "end mark text"; the facts have the number of the last one and
 * the era.
 */
const shared = `
local facts, entries, newEra = KEYS[1], KEYS[2], ARGV[1]
local day = 86400000
if redis.call('HSETNX', facts, 'era', newEra) == 1 then redis.call('DEL', entries) end

local function keepFacts()
  local keepMs = math.max(redis.call('PTTL', entries), 0) + day
  if redis.call('PTTL', facts) < keepMs - day / 2 then redis.call('PEXPIRE', facts, keepMs) end
end
`

const append = script(
  shared,
  `
local mark, text, keepMs, most = ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
redis.call('HINCRBY', facts, 'last', 1)
redis.call('RPUSH', entries, string.format('%.0f ', now + keepMs) .. mark .. ' ' .. text)
local length = redis.call('LLEN', entries)
for _ = 1, 100 do
  local first = redis.call('LINDEX', entries, 0)
  if length <= most and tonumber(string.match(first, '^%d+')) > now then break end
  redis.call('LPOP', entries)
  length = length - 1
  if length == 0 then break end
end
if redis.call('PTTL', entries) < keepMs then redis.call('PEXPIRE', entries, keepMs) end
keepFacts()
`,
)

/** The reply: 1 for a gap, then era, number and mark of the next cursor, then the entries. */
const readSince = script(
  shared,
  `
local era, number, mark, pageSize = ARGV[2], tonumber(ARGV[3]), ARGV[4], tonumber(ARGV[5])
local function markOf(entry) return entry and string.match(entry, '^%d+ (%S+) ') or '' end
keepFacts()
local ownEra = redis.call('HGET', facts, 'era')
local last = tonumber(redis.call('HGET', facts, 'last') or 0)
local dropped = last - redis.call('LLEN', entries)
if era == '' then
  return { 0, ownEra, last, markOf(redis.call('LINDEX', entries, -1)) }
end
local hasGap = era ~= ownEra or number < dropped or number > last
if not hasGap and number > dropped and mark ~= '' then
  hasGap = mark ~= markOf(redis.call('LINDEX', entries, number - dropped - 1))
end
if hasGap then number, mark = dropped, '' end
local from = number - dropped
local page = redis.call('LRANGE', entries, from, from + pageSize - 1)
if #page > 0 then mark = markOf(page[#page]) end
local reply = { hasGap and 1 or 0, ownEra, number + #page, mark }
for _, entry in ipairs(page) do
  reply[#reply + 1] = string.sub(entry, string.match(entry, '^%d+ %S+ ()'))
end
return reply
`,
)

export function createRedisFeeds(commands: RedisCommands, keys: RedisKeys): ClusterFeeds {
  const keysOf = (feed: string): string[] =>
    ['feed', 'feed-entries'].map((kind) => keys.owned(kind, feed))

  return {
    async append(feed, text, keepMs) {
      const args = [randomName(), randomName(), text, wholeMs(keepMs), maxFeedEntries]
      await commands.run(append, keysOf(feed), args)
    },

    async readSince(feed, cursor) {
      const { generation, number, mark } = cursor === undefined ? now : decodeFeedCursor(cursor)
      const args = [randomName(), generation, number, mark, feedPageSize]
      const reply = listReply(await commands.run(readSince, keysOf(feed), args))
      const [hasGap, nextGeneration = '', nextNumber, nextMark = '', ...texts] = reply
      const next = { generation: nextGeneration, number: Number(nextNumber), mark: nextMark }
      return { texts, cursor: encodeFeedCursor(next), hasGap: hasGap === '1' }
    },
  }
}

/** The values that the script treats as no cursor. */
const now = { generation: '', number: 0, mark: '' }
