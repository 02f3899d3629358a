import type { SharedService } from '../service.ts'
import type { HttpSession } from './http-session.ts'
import type { SessionTable } from './http-sessions.ts'
import type { SessionRecords } from './session-records.ts'
import { afterStore } from './store-access.ts'

/** What becomes of a session that needs something. */
export interface SessionEnds {
  /** Ends a session for every process. */
  end(session: HttpSession, why: string): void
  /** It was ended by another process. */
  endHere(session: HttpSession, why: string): void
  /** Its use should be known to the others. */
  recordUse(session: HttpSession): void
}

/** Ends what is too old or unused, lets idle sessions rest, and hears what was ended elsewhere. */
export interface SessionUpkeep extends Disposable {
  /** There is a session to look after. */
  watch(): void
}

/** Why a session ends here when its client ended it at another process. */
export const endedElsewhere = 'the session was ended'

/** How often sessions are looked after. */
export const sweepMs = 10_000
/** How long others may go on with a session that was changed or ended elsewhere. */
export const heartbeatMs = 3_000

export function createSessionUpkeep(
  { clock, settings, onError }: SharedService,
  table: SessionTable,
  ends: SessionEnds,
): SessionUpkeep {
  const { idleMs, maxMs } = settings.sessionLimits
  const records = settings.cluster?.sessions
  let sweeping: Disposable | undefined
  let hearing: Disposable | undefined
  let cursor: string | undefined

  function watch(): void {
    if (table.size === 0) return
    sweeping ??= clock.setTimer(sweep, sweepMs)
    if (records === undefined || hearing) return
    hearing = clock.setTimer(() => hearEnds(records), heartbeatMs)
    if (cursor === undefined) hearEnds(records) // of what is ended from now on
  }

  function sweep(): void {
    sweeping = undefined
    const now = clock.now()
    for (const session of table.all()) lookAfter(session, now)
    watch()
  }

  function lookAfter(session: HttpSession, now: number): void {
    if (session.isBusy()) session.usedAt = now
    const unusedMs = now - session.usedAt
    const isResting = unusedMs >= sweepMs && session.rest()
    if (now - session.openedAt > maxMs) {
      ends.end(session, 'the session has reached its greatest age')
    } else if (unusedMs > idleMs) leave(session)
    else if (records === undefined) return
    else if (session.usedAt - session.writtenAt > idleMs / 4) ends.recordUse(session)
    else if (isResting && unusedMs > idleMs / 4) leave(session)
  }

  /** Where others use it too it is only forgotten: they may know better, and the record ends by itself. */
  function leave(session: HttpSession): void {
    const why = 'the session was not used'
    if (records === undefined) ends.end(session, why)
    else if (table.remove(session)) void session.leave(why)
  }

  function hearEnds(shared: SessionRecords): void {
    void afterStore(
      () => shared.revokedSince(cursor),
      (revoked) => {
        cursor = revoked.cursor
        for (const id of revoked.ids) {
          const session = table.get(id)
          if (session) ends.endHere(session, endedElsewhere)
        }
        hearAgain(shared)
      },
      (error) => {
        onError(error, { severity: 'warning', operation: 'store' })
        hearAgain(shared)
      },
    )
  }

  function hearAgain(shared: SessionRecords): void {
    hearing?.[Symbol.dispose]()
    hearing = table.size === 0 ? undefined : clock.setTimer(() => hearEnds(shared), heartbeatMs)
  }

  return {
    watch,
    [Symbol.dispose]() {
      sweeping?.[Symbol.dispose]()
      hearing?.[Symbol.dispose]()
    },
  }
}
