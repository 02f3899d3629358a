import type { OnceMarks } from '../store/cluster-store.ts'
import { wholeMs } from '../store/whole-numbers.ts'
import type { RedisCommands } from './redis-commands.ts'
import type { RedisKeys } from './redis-keys.ts'
import { script } from './script.ts'

const add = script(`return redis.call('SET', KEYS[1], '1', 'NX', 'PX', ARGV[1]) and 1 or 0`)

export function createRedisOnceMarks(commands: RedisCommands, keys: RedisKeys): OnceMarks {
  return {
    async add(key, keepMs) {
      const added = await commands.run(add, [keys.owned('once', key)], [wholeMs(keepMs)])
      return Number(added) === 1
    },
  }
}
