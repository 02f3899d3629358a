import { RpcError } from '../../../rpc/errors/rpc-error.ts'
import type { MaybePromise } from '../../../rpc/promise.ts'
import { HttpRefusal } from '../admission/http-errors.ts'
import type { ClusterMail } from '../cluster-mail.ts'
import type { SharedService } from '../service.ts'
import type { HttpSession } from './http-session.ts'
import type { RecordReader } from './record-reader.ts'
import type { SessionFacts, SessionRecord, SessionRecords } from './session-records.ts'
import { storeUnavailable } from './store-access.ts'

type Alter = (facts: SessionFacts) => SessionFacts

/** Changes what every process knows about a session. Throws 404 if it is over, 503 if that cannot be known now. */
export type ChangeSession = (session: HttpSession, alter: Alter) => MaybePromise<void>

/** Where nobody else has to know. */
export const changeHere: ChangeSession = (session, alter) => {
  session.adopt({ facts: alter(session.facts), version: session.record.version })
}

/** How a session is changed where others have to know. */
export interface SharedChanges {
  readonly records: SessionRecords
  readonly reader: RecordReader
  readonly mail: ClusterMail
  /** How long to keep what is known of it. */
  keepMsOf(session: HttpSession): number
}

/** Two processes that change a session at once both succeed, one after the other. */
const mostConflicts = 20

/** Writes a change to the record of its session, then tells the others. */
export function createSessionChanges(
  { onError }: Pick<SharedService, 'onError'>,
  { records, reader, mail, keepMsOf }: SharedChanges,
): ChangeSession {
  /** What is being written of each session. */
  const running = new Map<string, Promise<void>>()
  /** What waits for that, to be written together. */
  const next = new Map<string, { readonly alters: Alter[]; readonly written: Promise<void> }>()

  async function change(session: HttpSession, key: string, alter: Alter): Promise<void> {
    for (let conflicts = 0; conflicts <= mostConflicts; conflicts += 1) {
      const { facts, version } = session.record
      const altered = alter(facts)
      if (altered === facts) {
        // It may be our own change, whose answer got lost before the others were told.
        if (conflicts > 0) await mail.tell('session-changed', { key, version })
        return
      }
      if (await reach(() => records.update(key, { facts: altered, version }, keepMsOf(session)))) {
        reader.outdate(key)
        if (session.record.version === version)
          session.adopt({ facts: altered, version: version + 1 })
        return mail.tell('session-changed', { key, version: version + 1 })
      }
      catchUp(session, await reach(() => records.get(key)))
    }
    throw storeUnavailable(new Error('a session was changed too often at once'), onError)
  }

  function catchUp(session: HttpSession, record: SessionRecord | 'ended' | undefined): void {
    if (record === 'ended') throw sessionNotFound()
    session.adopt(record ?? { facts: session.facts, version: 0 }) // the store has lost it
  }

  async function reach<T>(ask: () => MaybePromise<T>): Promise<T> {
    try {
      return await ask()
    } catch (error) {
      throw storeUnavailable(error, onError)
    }
  }

  return (session, alter) => {
    const key = keyOf(session)
    const batch = next.get(key)
    if (batch) {
      batch.alters.push(alter)
      return batch.written
    }
    const alters = [alter]
    const write = (): Promise<void> => {
      next.delete(key)
      return change(session, key, (facts) => alters.reduce((before, one) => one(before), facts))
    }
    const earlier = running.get(key)
    const written = earlier ? earlier.then(write) : write()
    if (earlier) next.set(key, { alters, written })
    const settle = (): void => {
      if (running.get(key) === settled) running.delete(key)
    }
    const settled = written.then(settle, settle)
    running.set(key, settled)
    return written
  }
}

/** Of a session that others know too. */
export function keyOf({ key }: HttpSession): string {
  if (key === undefined) throw new TypeError('this session lasts for one request')
  return key
}

/** An id that is unknown, ended, or somebody else's: which of these is nobody's business. */
export function sessionNotFound(): HttpRefusal {
  const why = 'there is no such session: initialize anew'
  return new HttpRefusal(404, new RpcError('session_not_found', why))
}
