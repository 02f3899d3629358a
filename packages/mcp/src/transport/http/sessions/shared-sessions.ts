import type { SaidByClient } from '../../../server/peer/initialize.ts'
import type { Codec } from '../../../wire/codec.ts'
import type { RequestCaller } from '../admission/request-caller.ts'
import type { ClusterMail } from '../cluster-mail.ts'
import type { Cluster } from '../cluster.ts'
import type { SharedService } from '../service.ts'
import type { HttpSession, SessionNames } from './http-session.ts'
import { createRecordReader } from './record-reader.ts'
import { createSessionChanges, keyOf, type ChangeSession } from './session-changes.ts'
import { firstRecord, type SessionRecord } from './session-records.ts'
import { createSessionSeal, longestId, namesIn, type SealedSession } from './session-seal.ts'
import { storeUnavailable } from './store-access.ts'

/** Who names a session. */
export type SessionCaller = Pick<RequestCaller, 'principal' | 'account'>

/** A session that is about to be served here. */
export interface NamedSession {
  readonly names: SessionNames
  /** The whole id, as its client is told it. */
  readonly sent: string
  readonly record: SessionRecord
}

/** One that another process opened. */
export interface RoamingSession extends Omit<NamedSession, 'sent'> {
  readonly sealed: SealedSession
  readonly client: SaidByClient
  readonly caller: SessionCaller
}

/** What this process has of sessions. */
export interface SessionPlace {
  all(): Iterable<HttpSession>
  byKey(key: string): HttpSession | undefined
  /** Undefined if it cannot be served here. */
  revive(session: RoamingSession): HttpSession | undefined
  /** It was ended, here or elsewhere. */
  endHere(session: HttpSession, why: string): void
}

/**
 * Sessions that every process of a cluster takes. The id says all that never changes, so that one that is known here costs
 * nothing, and the first use at another process one look at its record. Changes are written there and told to the others.
 */
export interface SharedSessions {
  /** For a new session. Throws 503 if what has no room in the id cannot be kept. */
  name(client: SaidByClient, codec: Codec, principal: string): Promise<NamedSession>
  /** One that is not known here, or `known` with what it may have missed. Undefined if there is none for this caller. */
  lookUp(id: string, caller: SessionCaller, known?: HttpSession): Promise<HttpSession | undefined>
  readonly change: ChangeSession
  /** For every process. Throws 503 if that cannot be kept now. */
  end(session: HttpSession, why: string): Promise<void>
}

/** Why a session ends here when its client ended it at another process. */
const endedElsewhere = 'the session was ended'
/** What is kept for a session outlives it by this much, as clocks differ. */
const slackMs = 60_000
/** Ended sessions that need no look at the store. */
const mostEnded = 10_000

export function createSharedSessions(
  service: SharedService,
  { sessions: records, secrets, heartbeatMs }: Cluster,
  mail: ClusterMail,
  place: SessionPlace,
): SharedSessions {
  const { clock, definition, settings, onError } = service
  const { maxMs } = settings.sessionLimits
  const seal = createSessionSeal(definition.info.name, secrets)
  const reader = createRecordReader({ records, clock, onError, retryMs: heartbeatMs })
  const change = createSessionChanges(service, { records, reader, mail, keepMsOf })
  const ended = new Set<string>()

  mail.on('session-ended', ({ key }) => hearEnded(key))
  mail.on('session-changed', ({ key, version }) => {
    reader.outdate(key)
    const session = place.byKey(key)
    if (session && session.record.version !== version) void refresh(session)
  })
  mail.onGap(() => {
    reader.outdateAll()
    for (const session of place.all()) session.isStale = true
    void refreshBusy()
  })

  function hearEnded(key: string): void {
    ended.add(key)
    const [oldest] = ended.size > mostEnded ? ended : []
    if (oldest !== undefined) ended.delete(oldest)
    const session = place.byKey(key)
    if (session) place.endHere(session, endedElsewhere)
  }

  /** Who listens may not say anything for long. */
  async function refreshBusy(): Promise<void> {
    for (const session of [...place.all()].filter((known) => known.isBusy())) {
      if (session.isStale) await refresh(session)
    }
  }

  async function refresh(session: HttpSession): Promise<HttpSession | undefined> {
    const key = keyOf(session)
    session.isStale = true
    const record = await reader.read(key)
    if (record === 'unreachable') return session // calls go on with what is known
    if (record !== 'ended') {
      session.adopt(record ?? { facts: session.facts, version: 0 })
      return session
    }
    hearEnded(key)
    return undefined
  }

  /** Whose id this is, is found out before anything is looked up. */
  async function take(id: string, caller: SessionCaller): Promise<HttpSession | undefined> {
    const sealed = await seal.open(id, caller.principal)
    const names = namesIn(id)
    const { key } = names
    if (sealed === undefined || ended.has(key)) return undefined
    const known = place.byKey(key)
    if (known) return known.isStale ? refresh(known) : known
    const record = await reader.read(key)
    if (record === 'ended') hearEnded(key)
    if (ended.has(key)) return undefined
    return place.byKey(key) ?? revive(names, sealed, record, caller)
  }

  function revive(
    names: SessionNames,
    sealed: SealedSession,
    read: Awaited<ReturnType<typeof reader.read>>,
    caller: SessionCaller,
  ): HttpSession | undefined {
    const record = typeof read === 'object' ? read : firstRecord
    const client = sealed.client ?? record.facts.client
    if (client === undefined) {
      if (read === undefined) return undefined
      throw storeUnavailable(new Error('the record of a session cannot be read'), onError)
    }
    const session = place.revive({ names, sealed, client, record, caller })
    if (session) session.isStale = read === 'unreachable'
    return session
  }

  function keepMsOf({ endsAt }: HttpSession): number {
    return Math.max(1, endsAt - clock.now() + slackMs)
  }

  async function keep<T>(write: () => T): Promise<Awaited<T>> {
    try {
      return await write()
    } catch (error) {
      throw storeUnavailable(error, onError)
    }
  }

  return {
    change,

    async name(client, { revision }, principal) {
      const sealed = { revision, expiresAt: Date.now() + maxMs }
      const whole = await seal.seal({ ...sealed, client }, principal)
      if (whole.length <= longestId)
        return { names: namesIn(whole), sent: whole, record: firstRecord }
      const sent = await seal.seal(sealed, principal)
      const names = namesIn(sent)
      const facts = { ...firstRecord.facts, client }
      await keep(() => records.update(names.key, { facts, version: 0 }, maxMs + slackMs))
      return { names, sent, record: { facts, version: 1 } }
    },

    lookUp: (id, caller, known) => (known ? refresh(known) : take(id, caller)),

    async end(session, why) {
      const key = keyOf(session)
      await keep(() => records.end(key, keepMsOf(session)))
      place.endHere(session, why)
      hearEnded(key)
      await mail.tell('session-ended', { key })
    },
  }
}
