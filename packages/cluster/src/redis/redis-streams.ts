import type { StreamKey, StreamLimits, ClusterStreams } from '../store/streams.ts'
import { wholeCount, wholeMs } from '../store/whole-numbers.ts'
import { listReply } from './list-reply.ts'
import type { RedisCommands } from './redis-commands.ts'
import type { RedisKeys } from './redis-keys.ts'
import {
  appendToStream,
  dropStreams,
  lastStreamRead,
  readStream,
  streamNames,
  takeOverStream,
} from './stream-scripts.ts'

/** Rounds that dropping a session takes at most: more than one only while streams are added to it. */
const maxDropRounds = 10

export function createRedisStreams(commands: RedisCommands, keys: RedisKeys): ClusterStreams {
  const indexOf = (session: string): string => keys.owned('streams', session)
  const keysOf = ({ session, stream }: StreamKey): string[] => [
    keys.owned('stream', session, stream),
    keys.owned('stream-texts', session, stream),
    indexOf(session),
  ]

  return {
    async append(key, { writer, firstSequence, texts, isLast, about, onUnread }, limits) {
      const own = [writer, firstSequence, isLast ? 1 : 0, about === undefined ? '' : `=${about}`]
      const readMs = limits.readMs === undefined ? -1 : wholeMs(limits.readMs)
      const args = [key.stream, ...limitsOf(limits), ...own, readMs, ...texts]
      const outcome = Number(await commands.run(appendToStream, keysOf(key), args))
      if (outcome === 2) onUnread?.()
      return outcome > 0
    },

    async read(key, after, { events, bytes }) {
      const reply = await commands.run(readStream, keysOf(key), [
        after,
        wholeCount(events),
        wholeCount(bytes),
      ])
      const [isLast, writer, about, ...texts] = listReply(reply)
      if (writer === undefined || about === undefined) return undefined
      return { texts, isLast: isLast === '1', writer, about }
    },

    async takeOver(key, { writer, last = -1 }, texts, limits) {
      const args = [key.stream, ...limitsOf(limits), writer, last, ...texts]
      return Number(await commands.run(takeOverStream, keysOf(key), args)) === 1
    },

    async lastRead(key) {
      const [agoMs, after] = listReply(await commands.run(lastStreamRead, keysOf(key), []))
      return agoMs === undefined ? undefined : { agoMs: Number(agoMs), after: Number(after) }
    },

    async dropSession(session) {
      for (let round = 0; round < maxDropRounds; round += 1) {
        const names = listReply(await commands.run(streamNames, [indexOf(session)], []))
        const dropped = names.flatMap((stream) => keysOf({ session, stream }).slice(0, 2))
        const left = await commands.run(dropStreams, [indexOf(session), ...dropped], names)
        if (Number(left) === 0) return
      }
    },
  }
}

function limitsOf({ events, bytes, endedMs, openMs }: StreamLimits): readonly number[] {
  return [wholeCount(events), wholeCount(bytes), wholeMs(endedMs), wholeMs(openMs)]
}
