import type { Clock } from '../../../rpc/time/clock.ts'
import type { StreamOutput } from '../runtime/exchange.ts'

/** A reader may be over its limit for this long: a burst, or one large message, does not make it slow. */
const graceMs = 5_000

/** Tells, before something is written, whether its reader has stopped reading. */
export function watchSlowReader(
  output: StreamOutput,
  bufferedBytes: number,
  clock: Clock,
): () => boolean {
  let since: number | undefined
  return () => {
    if (output.bufferedBytes <= bufferedBytes) {
      since = undefined
      return false
    }
    since ??= clock.now()
    return clock.now() - since >= graceMs
  }
}
