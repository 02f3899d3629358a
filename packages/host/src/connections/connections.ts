import { setMaxListeners } from 'node:events'

import { waitAtMost } from '@parley/mcp/signals'

import type { ServerConnection } from './connection.ts'

/** How long a first request to the model waits for servers: below the 5 s that are promised, since starting takes time too. */
export const defaultStartWaitMs = 4_500

/**
 * Starts every server that is not ready, all at once, and waits until each is there or has failed. Each is waited for once,
 * and never longer than the limit: who is late joins when it comes.
 */
export async function startAll(
  connections: readonly ServerConnection[],
  {
    waitMs = defaultStartWaitMs,
    signal,
  }: { readonly waitMs?: number | undefined; readonly signal: AbortSignal },
): Promise<void> {
  setMaxListeners(0, signal) // one for each server that is waited for: more than ten are no leak
  const waiting: Promise<boolean>[] = []
  for (const connection of connections) {
    const { state } = connection.status
    if (state === 'off' || state === 'ready') continue
    const isFirst = connection.startedAt === undefined || leftOf(connection, waitMs) > 0
    const started = connection.start()
    if (isFirst) waiting.push(waitAtMost(leftOf(connection, waitMs), started, { signal }))
  }
  await Promise.all(waiting)
}

/** Returns the rest of the time that a server may take to start. */
function leftOf({ startedAt = performance.now() }: ServerConnection, waitMs: number): number {
  return startedAt + waitMs - performance.now()
}
