import type { Clock } from '../../rpc/clock.ts'
import { waitAtMost } from '../../rpc/signals.ts'

/** Opens the stream for notifications outside of calls, for transports that need one (the GET stream of Streamable HTTP). */
export interface NotificationStream {
  /** True if the client needs it. */
  isNeeded(): boolean
  /** How many listen now. */
  setListeners(count: number): void
  /** How the channel in use opens it; undefined for one that needs nothing. */
  use(open: (() => Promise<void> | void) | undefined): void
  /** Resolves when it is open, known not to come, or slow: then it is not waited for. */
  opened(): Promise<void>
}

/** `isAlwaysNeeded`: by a client that answers requests of the server, or shows its logs. */
export function createNotificationStream(
  clock: Clock,
  isAlwaysNeeded: boolean,
): NotificationStream {
  let listeners = 0
  let open: (() => Promise<void> | void) | undefined

  return {
    isNeeded: () => isAlwaysNeeded || listeners > 0,
    setListeners(count) {
      listeners = count
      void open?.()
    },
    use(next) {
      open = next
    },
    async opened() {
      const opening = open?.()
      if (opening !== undefined) await waitAtMost(openMs, opening, { clock })
    },
  }
}

/** For a stream that is not needed by the answer we wait for. */
const openMs = 2_000
