import type { Proxy, ProxyWatch } from '@parley/mcp/proxy'
import { waitAtMost } from '@parley/mcp/signals'

import { noLists, readLists, type UpstreamLists } from '../upstreams/upstream-lists.ts'

/** A server's lists for one caller, read with the caller's own connection. */
export interface CallerLists {
  /** Undefined if they are not known in time; what comes later is told by `onChanged`. */
  read(): Promise<UpstreamLists | undefined>
  /** They are asked for again. */
  forget(): void
  close(): void
}

/** Receives changes of the lists. */
export interface CallerListsEvents {
  onChanged(): void
  onError(error: unknown): void
}

/** A list waits for no server for longer than this. */
const patienceMs = 5_000
/** After a failure the server is left alone for so long. */
const restMs = 5_000

export function createCallerLists(
  proxy: Pick<Proxy, 'watch'>,
  { onChanged, onError }: CallerListsEvents,
): CallerLists {
  let cached: UpstreamLists | undefined
  /** Those of the last time: a list that fails is not an empty list. */
  let last = noLists
  let reading: Promise<UpstreamLists | undefined> | undefined
  let failedAt = -Infinity
  let isLate = false
  let isStale = false
  let isClosed = false
  const watch: ProxyWatch = proxy.watch({
    info: { name: 'parley-gateway', version: '0.1.0' },
    onChanged() {
      isStale = true
      void readAgain()
    },
    onDisconnected() {
      cached = undefined // whoever asks next opens it again
    },
  })

  async function readAgain(): Promise<void> {
    await reading
    if (!isStale || isClosed) return
    cached = undefined
    await start()
    onChanged()
  }

  function start(): Promise<UpstreamLists | undefined> {
    reading ??= readOnce().finally(() => {
      reading = undefined
      if (isLate && !isClosed) onChanged()
      isLate = false
    })
    return reading
  }

  async function readOnce(): Promise<UpstreamLists | undefined> {
    isStale = false
    try {
      const { capabilities } = await watch.open()
      const { lists, hasFailed } = await readLists(watch, capabilities, last)
      last = lists
      cached = hasFailed ? undefined : lists
      return lists
    } catch (error) {
      failedAt = Date.now()
      if (!isClosed) onError(error)
      return undefined
    }
  }

  return {
    async read() {
      if (cached !== undefined) return cached
      if (isClosed || Date.now() - failedAt < restMs) return undefined
      return inTime(start())
    },
    forget() {
      cached = undefined
      failedAt = -Infinity
    },
    close() {
      isClosed = true
      watch.close()
    },
  }

  async function inTime(
    lists: Promise<UpstreamLists | undefined>,
  ): Promise<UpstreamLists | undefined> {
    if (await waitAtMost(patienceMs, lists)) return lists
    isLate = true
    return undefined
  }
}
