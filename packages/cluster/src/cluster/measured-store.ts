import type { EventLog } from '@parley/mcp/http'

import type { ClusterStore } from '../store/cluster-store.ts'
import type { ClusterStreams } from '../store/streams.ts'
import type { OnMetric } from './metrics.ts'

type Method = (...args: readonly unknown[]) => Promise<unknown>

/** The parts whose methods are one step each. */
const parts = ['records', 'feeds', 'once', 'leases', 'streams', 'budgets'] as const

/** The same store as the process `node` sees it, which tells how its streams are used and what fails. */
export function measureStore(store: ClusterStore, node: string, onMetric: OnMetric): ClusterStore {
  const counted = Object.fromEntries(
    parts.map((part) => [part, countFailures(part, store[part], onMetric)]),
  ) as unknown as Pick<ClusterStore, (typeof parts)[number]> // the same parts with the same methods
  return { ...store, ...counted, streams: measureStreams(counted.streams, node, onMetric) }
}

function countFailures(part: string, methods: object, onMetric: OnMetric): object {
  const names = Object.keys(methods)
  const found = methods as Readonly<Record<string, Method>> // as the interface of each part says
  return Object.fromEntries(
    names.map((name) => [
      name,
      async (...args: readonly unknown[]) => {
        try {
          return await found[name]?.(...args)
        } catch (error) {
          const operation = `${part}.${name}`
          onMetric({ name: 'storeErrors', kind: 'counter', value: 1, operation })
          throw error
        }
      },
    ]),
  )
}

function measureStreams(streams: ClusterStreams, node: string, onMetric: OnMetric): ClusterStreams {
  return {
    ...streams,
    async append(key, batch, limits) {
      const startedAt = performance.now()
      const isStored = await streams.append(key, batch, limits)
      onMetric({ name: 'appends', kind: 'counter', value: 1 })
      onMetric({ name: 'appendMs', kind: 'histogram', value: performance.now() - startedAt })
      onMetric({ name: 'batchEvents', kind: 'histogram', value: batch.texts.length })
      if (!isStored) onMetric({ name: 'fencedWrites', kind: 'counter', value: 1 })
      return isStored
    },
    async read(key, after, most) {
      const page = await streams.read(key, after, most)
      const count = page?.texts.length ?? 0
      // A reader of one event only checks whether it exists.
      if (count > 0 && most.events > 1) {
        onMetric({ name: 'replayedEvents', kind: 'counter', value: count })
      }
      return page
    },
    async takeOver(key, from, texts, limits) {
      const isUsed = await streams.takeOver(key, from, texts, limits)
      if (isUsed && from.writer !== node) onMetric({ name: 'takeovers', kind: 'counter', value: 1 })
      return isUsed
    },
  }
}

/** Only readers that come back watch a log: those that were there all the time are told by the writer. */
export function measureLog(log: EventLog, onMetric: OnMetric): EventLog {
  return {
    ...log,
    watch(ref, wake) {
      onMetric({ name: 'resumes', kind: 'counter', value: 1 })
      return log.watch(ref, wake)
    },
  }
}
