import type { Clock } from '../../../rpc/time/clock.ts'
import type { StreamOutput } from '../runtime/exchange.ts'

/** A reader may be this long behind by more than its limit: a burst, or one large message, is no slow reader. */
const patienceMs = 5_000

/** Tells, before something is written, whether its reader has stopped reading. */
export function watchStall(
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
    return clock.now() - since >= patienceMs
  }
}
