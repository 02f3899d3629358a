import type { RedisCommands } from './redis-commands.ts'
import type { RedisKeys } from './redis-keys.ts'
import { script } from './script.ts'

/** Changes when keys or values change so that older versions of this package could not read them. */
const format = '1'

const claim = script(`
redis.call('SET', KEYS[1], ARGV[1], 'NX')
return redis.call('GET', KEYS[1])
`)

/** Rejects when another version of this package keeps its keys under the same prefix. */
export async function checkFormat(
  commands: RedisCommands,
  keys: RedisKeys,
  prefix: string,
): Promise<void> {
  const found = String(await commands.run(claim, [keys.shared('format')], [format]))
  if (found === format) return
  throw new Error(
    `the keys under ${JSON.stringify(prefix)} have format ${JSON.stringify(found)}, and this version of @parley/cluster ` +
      `writes format "${format}": set \`prefix\` to another name, or stop the processes of the other version and delete the keys`,
  )
}
