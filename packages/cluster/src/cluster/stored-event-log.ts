import type { EventLog, StreamRef } from '@parley/mcp/http'

import type { ClusterStore } from '../store/cluster-store.ts'
import type { StreamKey, StreamLimits } from '../store/streams.ts'

/** What one read brings at most: a slow reader does not fetch the same events again and again. */
const pageBytes = 256 * 1024

/** The streams of a store, as the process `node` writes and reads them. */
export function createStoredEventLog(
  { streams, bus }: Pick<ClusterStore, 'streams' | 'bus'>,
  node: string,
  limits: StreamLimits,
): EventLog {
  return {
    async append(ref, batch) {
      const isKept = await streams.append(keyOf(ref), { writer: node, ...batch }, limits)
      if (isKept) bus.publish(topicOf(ref), '')
      return isKept
    },

    async read(ref, after, limit) {
      const page = await streams.read(keyOf(ref), after, { events: limit, bytes: pageBytes })
      return page && { texts: page.texts, isLast: page.isLast }
    },

    readAgoMs: (ref) => streams.readAgoMs(keyOf(ref)),

    watch(ref, wake) {
      const subscription = bus.subscribe(topicOf(ref), wake)
      return () => subscription[Symbol.dispose]()
    },

    dropSession: (sessionId) => streams.dropSession(sessionId),
  }
}

function keyOf({ sessionId, streamId }: StreamRef): StreamKey {
  return { session: sessionId, stream: streamId }
}

function topicOf({ sessionId, streamId }: StreamRef): string {
  return `stream/${sessionId}/${streamId}`
}
