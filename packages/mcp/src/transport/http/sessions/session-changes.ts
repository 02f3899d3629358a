import { RpcError } from '../../../rpc/errors/rpc-error.ts'
import type { MaybePromise } from '../../../rpc/promise.ts'
import { HttpRefusal } from '../admission/http-errors.ts'
import type { SharedService } from '../service.ts'
import type { HttpSession } from './http-session.ts'
import type { SessionFacts, SessionRecord, SessionRecords } from './session-records.ts'
import { afterStore, storeUnavailable } from './store-access.ts'

/** Changes what every process knows about a session. Throws 404 if it is over, 503 if that cannot be known now. */
export type ChangeSession = (
  session: HttpSession,
  alter: (facts: SessionFacts) => SessionFacts,
) => MaybePromise<HttpSession>

/** Two processes that change a session at once both succeed, one after the other. */
const mostConflicts = 20
/** A record outlives its session by this much, as not every use is recorded at once. */
const slackMs = 20_000

export function createSessionChanges(
  { clock, settings, onError }: SharedService,
  records: SessionRecords,
): ChangeSession {
  const { idleMs, maxMs } = settings.sessionLimits

  function keepMsOf({ openedAt }: HttpSession): number {
    const restMs = maxMs - (clock.now() - openedAt)
    return Math.max(1, Math.min(idleMs * 1.25 + slackMs, restMs))
  }

  function fail(error: unknown): never {
    throw storeUnavailable(error, onError)
  }

  function change(
    session: HttpSession,
    alter: (facts: SessionFacts) => SessionFacts,
    conflicts: number,
  ): MaybePromise<HttpSession> {
    const { version } = session.record
    const facts = alter(session.facts)

    function again(record: SessionRecord | undefined): MaybePromise<HttpSession> {
      if (record === undefined) throw sessionNotFound()
      session.adopt(record)
      return change(session, alter, conflicts + 1)
    }

    function finish(isWritten: boolean): MaybePromise<HttpSession> {
      if (!isWritten) {
        if (conflicts >= mostConflicts) return fail(new Error('too many conflicting updates'))
        return afterStore(() => records.get(facts.id), again, fail)
      }
      session.adopt({ facts, version: version + 1 })
      session.writtenAt = clock.now()
      return session
    }
    return afterStore(() => records.update({ facts, version }, keepMsOf(session)), finish, fail)
  }

  return (session, alter) => change(session, alter, 0)
}

/** The same where nobody else has to know. */
export const changeHere: ChangeSession = (session, alter) => {
  session.adopt({ facts: alter(session.facts), version: session.record.version })
  return session
}

/** An id that is unknown, ended, or somebody else's: which of these is nobody's business. */
export function sessionNotFound(): HttpRefusal {
  const why = 'there is no such session: initialize anew'
  return new HttpRefusal(404, new RpcError('session_not_found', why))
}
