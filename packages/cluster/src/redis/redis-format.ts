import type { RedisCommands } from './redis-commands.ts'
import type { RedisKeys } from './redis-keys.ts'
import { script } from './script.ts'

/**
 * In which format keys are written. The previous format is read as well, so that processes of two versions can run at once:
 * the key `format` names what may be in the store, and a process writes the newest format only while every living process
 * has said with its lease that it reads it. 2 differs from 1 in records that are alone in their group: one text instead of
 * three lists.
 */
export interface RedisFormat {
  /** The format of new records. */
  written(): RedisFormatName
  /** Whether this process lets the others write the newest format. */
  readonly readsNewest: boolean
  /** Rejects if a newer version of this package has written under the same prefix. */
  check(): Promise<void>
  /** The lease was renewed: whether it still ran, and whether all living processes read the newest format. */
  renewed(renewal: LeaseRenewal): Promise<void>
}

/** A format that this version reads and writes. */
export type RedisFormatName = '1' | '2'

export interface LeaseRenewal {
  readonly wasLocked: boolean
  readonly allReadNewest: boolean
  readonly leaseMs: number
}

const previous = '1'
const newest = '2'

const claim = script(`
redis.call('SET', KEYS[1], ARGV[1], 'NX')
return redis.call('GET', KEYS[1])
`)

/** From the previous format to the newest; whatever else is there stays. */
const raise = script(`
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('SET', KEYS[1], ARGV[2]) end
return redis.call('GET', KEYS[1])
`)

export interface RedisFormatOptions {
  readonly commands: RedisCommands
  readonly keys: RedisKeys
  readonly prefix: string
  readonly maxFormat: 1 | 2
}

export function createRedisFormat(options: RedisFormatOptions): RedisFormat {
  const { commands, keys, prefix, maxFormat } = options
  const key = [keys.shared('format')]
  let stored: RedisFormatName = previous
  let written: RedisFormatName = previous
  let agreedSince: number | undefined

  function readable(found: string): RedisFormatName {
    if (found === previous || found === newest) return found
    throw new Error(
      `the keys under ${JSON.stringify(prefix)} have format ${JSON.stringify(found)}, and this version of @parley/cluster reads ` +
        `formats ${previous} and ${newest}: start the version that wrote them, or a newer one. Going back to this version takes ` +
        'an empty store: stop all processes and delete these keys, with which streams and tasks end',
    )
  }

  async function check(): Promise<void> {
    stored = readable(String(await commands.run(claim, key, [previous])))
    written = stored
    agreedSince = undefined
  }

  return {
    written: () => written,
    readsNewest: maxFormat === 2,
    check,

    async renewed({ wasLocked, allReadNewest, leaseMs }) {
      if (!wasLocked) await check() // the others may have gone on to a newer format, or the store came back empty
      if (!allReadNewest) {
        written = previous
        agreedSince = undefined
        return
      }
      const now = performance.now()
      agreedSince ??= now
      if (now - agreedSince < leaseMs) return
      // A process of the previous version that looked at the key before it was raised has its lease by the next renewal.
      if (stored === previous)
        stored = readable(String(await commands.run(raise, key, [previous, newest])))
      else written = stored
    },
  }
}
