/**
 * Sends the readers of a process that shuts down to the others, a few at a time: thousands that come back at once would hold up
 * everybody there. `HttpEndpoint` calls it when it drains; without other processes streams end with their sessions.
 */
import type { Clock } from '../../../rpc/clock.ts'
import type { HttpSession } from '../sessions/http-session.ts'

/** How often some are let go. */
const turnMs = 50
/** So much time for each reader, as far as there is so much. */
const perReaderMs = 2
const minRetryMs = 500
const maxRetryMs = 5_000

/** Releases streams of sessions without a running call, evenly within `maxMs`. Resolves when all are released. */
export async function moveReaders(
  sessions: Iterable<HttpSession>,
  { clock, maxMs }: { readonly clock: Clock; readonly maxMs: number },
): Promise<void> {
  const idle = [...sessions].filter((one) => one.countStreams() > 0 && one.countCalls() === 0)
  const turns = Math.max(1, Math.floor(Math.min(maxMs, idle.length * perReaderMs) / turnMs))
  const atOnce = Math.ceil(idle.length / turns)
  for (let next = 0; next < idle.length; next += atOnce) {
    if (next > 0) await new Promise<void>((resolve) => void clock.setTimer(resolve, turnMs))
    for (const session of idle.slice(next, next + atOnce)) {
      session.releaseReaders(retryMsFor(idle.length))
    }
  }
}

/** Another time for each: the more there are, the longer they may stay away. */
export function retryMsFor(readers: number): number {
  const spreadMs = Math.min(maxRetryMs - minRetryMs, minRetryMs + readers)
  return Math.round(minRetryMs + Math.random() * spreadMs)
}
