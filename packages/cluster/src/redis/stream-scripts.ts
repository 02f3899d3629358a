import { script } from './script.ts'

/**
 * Two keys per stream: its facts, and a list of the texts that are kept. A third key per session says until when each of its
 * streams is kept. `last` is the number of the last event, so the list begins with `last` minus its length plus one.
 */
const keys = `
local facts, texts, index = KEYS[1], KEYS[2], KEYS[3]
`

/** Writing: `add` puts texts behind the others and lets the oldest go, `keep` says how long the stream is kept now. */
const writing = `
local stream = ARGV[1]
local mostEvents, mostBytes = tonumber(ARGV[2]), tonumber(ARGV[3])
local endedMs, openMs = tonumber(ARGV[4]), tonumber(ARGV[5])

local function add(first, bytes)
  for number = first, #ARGV do
    redis.call('RPUSH', texts, ARGV[number])
    bytes = bytes + #ARGV[number]
  end
  local length = redis.call('LLEN', texts)
  while length > 1 and (length > mostEvents or bytes > mostBytes) do
    bytes = bytes - #redis.call('LPOP', texts)
    length = length - 1
  end
  return bytes
end

local function keep(isEnded)
  local keepMs = isEnded and endedMs or openMs
  redis.call('PEXPIRE', facts, keepMs)
  redis.call('PEXPIRE', texts, keepMs)
  redis.call('ZADD', index, now + keepMs, stream)
  if redis.call('PTTL', index) < keepMs then redis.call('PEXPIRE', index, keepMs) end
end
`

/** How long streams are kept is written again when a quarter of it has passed: `until` says when it ends. */
const keptAgainAfter = 0.75

/**
 * Arguments: the stream, four limits, writer, number of the first text, 1 if nothing follows, "=" and what is kept about it or
 * nothing, how often readers come or -1, the texts. The reply: 0 for a stream of another writer, 2 if no reader has come lately.
 */
export const appendToStream = script(
  keys,
  writing,
  `
local writer, first, isLast, about, before = ARGV[6], tonumber(ARGV[7]), ARGV[8] == '1', ARGV[9], 10
local readMs = tonumber(ARGV[10])
local known = redis.call('HMGET', facts, 'writer', 'last', 'bytes', 'ended', 'read', 'until')
if not known[1] then
  if first ~= 1 then return 0 end
  redis.call('HSET', facts, 'writer', writer) -- first: a full server refuses this, but nothing after a DEL
  redis.call('DEL', texts)
  redis.call('ZREMRANGEBYSCORE', index, '-inf', now)
  known = { writer, 0, 0, '0', false, false }
end
local last, bytes = tonumber(known[2]), tonumber(known[3])
if known[1] ~= writer or first > last + 1 then return 0 end
local skipped = last + 1 - first
local fresh = math.max(0, #ARGV - before - skipped)
if known[4] == '1' then return fresh == 0 and 1 or 0 end
if fresh > 0 then bytes = add(before + skipped + 1, bytes) end
local values = { 'last', string.format('%.0f', last + fresh), 'bytes', bytes }
if about ~= '' then
  values[5], values[6] = 'about', string.sub(about, 2)
end
if isLast or last == 0 or not known[6] or tonumber(known[6]) - now < openMs * ${keptAgainAfter} then
  for _, value in ipairs({ 'writer', writer, 'ended', isLast and '1' or '0', 'until', string.format('%.0f', now + openMs) }) do
    values[#values + 1] = value
  end
  redis.call('HSET', facts, unpack(values))
  keep(isLast)
else
  redis.call('HSET', facts, unpack(values))
end
local isRead = readMs < 0 or (known[5] and nowMicros - tonumber(known[5]) < readMs * 1000)
return isRead and 1 or 2
`,
)

/** Arguments: the stream, four limits, the writer that is gone, the number of its last event or -1 for any, the texts. */
export const takeOverStream = script(
  keys,
  writing,
  `
local known = redis.call('HMGET', facts, 'writer', 'last', 'bytes', 'ended')
if known[1] ~= ARGV[6] or known[4] == '1' then return 0 end
local last, expected, before = tonumber(known[2]), tonumber(ARGV[7]), 7
if expected ~= -1 and expected ~= last then return 0 end
local bytes = add(before + 1, tonumber(known[3]))
local count = string.format('%.0f', last + #ARGV - before)
redis.call('HSET', facts, 'writer', '', 'last', count, 'bytes', bytes, 'ended', '1')
keep(true)
return 1
`,
)

/** The reply: 1 if nothing follows, the writer, what is kept about the stream, the texts. It fetches few at a time, for the bytes may end the page early. */
export const readStream = script(
  keys,
  `
local after, mostEvents, mostBytes = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local known = redis.call('HMGET', facts, 'writer', 'last', 'ended', 'about')
if not known[1] then return false end
local last = tonumber(known[2])
local from = after - (last - redis.call('LLEN', texts))
if from < 0 or after > last then return false end
redis.call('HSET', facts, 'read', string.format('%.0f', nowMicros), 'readAfter', ARGV[1])
local reply, bytes, count, isFull = { '0', known[1], known[4] or '' }, 0, 0, false
while not isFull and count < mostEvents do
  local step = math.min(32, mostEvents - count)
  local some = redis.call('LRANGE', texts, from + count, from + count + step - 1)
  isFull = #some < step
  for _, text in ipairs(some) do
    bytes = bytes + #text
    if count > 0 and bytes > mostBytes then
      isFull = true
      break
    end
    count = count + 1
    reply[#reply + 1] = text
  end
end
if known[3] == '1' and after + count == last then reply[1] = '1' end
return reply
`,
)

/** The reply: how many milliseconds ago, and after which event. */
export const lastStreamRead = script(
  keys,
  `
local read = redis.call('HMGET', facts, 'read', 'readAfter')
if not read[1] then return false end
return { math.floor(math.max(0, nowMicros - tonumber(read[1])) / 1000), tonumber(read[2]) }
`,
)

/** All streams of a session. Its one key is the index. */
export const streamNames = script(`return redis.call('ZRANGE', KEYS[1], 0, -1)`)

/** Keys: the index, then those to delete. Arguments: the streams. The reply is how many streams are left. */
export const dropStreams = script(`
for number = 2, #KEYS do redis.call('UNLINK', KEYS[number]) end
for _, stream in ipairs(ARGV) do redis.call('ZREM', KEYS[1], stream) end
return redis.call('ZCARD', KEYS[1])
`)
