import type { SharedService } from '../service.ts'
import type { HttpSession } from './http-session.ts'
import type { SessionTable } from './session-table.ts'

/** What becomes of a session that nobody needs. */
export interface SessionEnds {
  /** It has reached its greatest age, which every process knows. */
  expire(session: HttpSession): void
  /** It was not used for long. */
  abandon(session: HttpSession): void
}

/** Ends what is too old or unused, and lets idle sessions rest. */
export interface SessionUpkeep extends Disposable {
  /** There is a session to look after. */
  watch(): void
}

/** How often sessions are looked after. */
export const sweepMs = 10_000

export function createSessionUpkeep(
  { clock, settings }: SharedService,
  table: SessionTable,
  ends: SessionEnds,
): SessionUpkeep {
  const { idleMs } = settings.sessionLimits
  let sweeping: Disposable | undefined

  function watch(): void {
    const everyMs = Math.min(sweepMs, Math.max(100, idleMs / 4))
    if (table.size > 0) sweeping ??= clock.setTimer(sweep, everyMs)
  }

  function sweep(): void {
    sweeping = undefined
    const now = clock.now()
    for (const session of table.all()) lookAfter(session, now)
    watch()
  }

  function lookAfter(session: HttpSession, now: number): void {
    if (session.isBusy()) session.usedAt = now
    else table.offer(session)
    const unusedMs = now - session.usedAt
    if (unusedMs >= sweepMs) session.rest()
    if (now >= session.endsAt) ends.expire(session)
    else if (unusedMs > idleMs) ends.abandon(session)
  }

  return {
    watch,
    [Symbol.dispose]: () => sweeping?.[Symbol.dispose](),
  }
}
