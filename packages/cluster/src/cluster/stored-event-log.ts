import type { EventLog, StreamRef } from '@parley/mcp/http'

import type { ClusterStore } from '../store/cluster-store.ts'
import type { StreamKey, StreamLimits, StreamWriter } from '../store/streams.ts'

/** Limit for one read, since a reader keeps a page in memory until it is consumed. */
const pageBytes = 256 * 1024

export interface StoredEventLogOptions {
  readonly store: Pick<ClusterStore, 'streams' | 'bus'>
  /** The process that writes and reads here. */
  readonly node: string
  readonly limits: StreamLimits
  /** Whether another process is lost. */
  readonly isDisconnected: (node: string) => Promise<boolean>
}

/** The streams of a store, as one process writes and reads them. */
export function createStoredEventLog(options: StoredEventLogOptions): EventLog {
  const { store, node, limits, isDisconnected } = options
  const { streams, bus } = store

  async function end(
    ref: StreamRef,
    from: StreamWriter,
    texts: readonly string[],
  ): Promise<boolean> {
    const hasEnded = await streams.takeOver(keyOf(ref), from, texts, limits)
    if (hasEnded) bus.publish(topicOf(ref), '')
    return hasEnded
  }

  return {
    async append(ref, batch) {
      let isRead = true
      const onUnread = (): void => void (isRead = false)
      const isKept = await streams.append(keyOf(ref), { writer: node, ...batch, onUnread }, limits)
      if (isKept && isRead) bus.publish(topicOf(ref), '')
      return isKept
    },

    read: (ref, after, limit) =>
      streams.read(keyOf(ref), after, { events: limit, bytes: pageBytes }),

    limits,

    lastRead: (ref) => streams.lastRead(keyOf(ref)),

    watch(ref, wake) {
      const subscription = bus.subscribe(topicOf(ref), wake)
      return () => subscription[Symbol.dispose]()
    },

    dropSession: (sessionId) => streams.dropSession(sessionId),

    ending: {
      async endIfDisconnected(ref, { writer, after }, makeTexts) {
        return (await isDisconnected(writer)) && end(ref, { writer, last: after }, makeTexts())
      },
      endOwn: (ref, texts) => end(ref, { writer: node }, texts),
    },
  }
}

function keyOf({ sessionId, streamId }: StreamRef): StreamKey {
  return { session: sessionId, stream: streamId }
}

function topicOf({ sessionId, streamId }: StreamRef): string {
  return `stream/${sessionId}/${streamId}`
}
