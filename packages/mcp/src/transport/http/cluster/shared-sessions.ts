/**
 * Sessions that every process of a cluster can serve.
 *
 * The session id contains, encrypted, everything that never changes; a process that does not know the session opens the id and reads
 * its record once. Changes and ends are announced to the others. `SessionTable` keeps the sessions of this process; secrets are
 * checked with every heartbeat, and sessions of replaced ones end.
 */
import type { MaybePromise } from '../../../rpc/promise.ts'
import type { Revision } from '../../../schema/revision.ts'
import type { ClientDescription } from '../../../server/initialize.ts'
import { createKeyRing } from '../../../server/input/key-ring.ts'
import type { Codec } from '../../../wire/codec.ts'
import type { RequestCaller } from '../admitted-request.ts'
import type { EndpointService } from '../endpoint-service.ts'
import type { HttpSession, SessionId } from '../sessions/http-session.ts'
import { storeUnavailable } from '../sessions/store-access.ts'
import type { Cluster } from './cluster.ts'
import type { ClusterMail } from './messages.ts'
import {
  createRecordReader,
  createSessionChanges,
  type UpdateSession,
  firstRecord,
  type SessionRecord,
} from './records.ts'

/** The client that sends a session id. */
export type SessionCaller = Pick<RequestCaller, 'principal' | 'quotaKey'>

/** A session that is about to be served here. */
export interface NamedSession {
  readonly names: SessionId
  readonly record: SessionRecord
}

/** One that another process opened. */
export interface RemoteSession extends NamedSession {
  readonly encrypted: EncryptedSession
  readonly client: ClientDescription
  readonly caller: SessionCaller
}

/**
 * Sessions that every process of a cluster takes. The id says all that never changes, so that one that is known here costs
 * nothing, and the first use at another process one look at its record. Changes are written there and told to the others.
 */
export interface SharedSessions extends Disposable {
  /** For a new session. Throws 503 if what has no room in the id cannot be kept. */
  name(client: ClientDescription, codec: Codec, principal: string): Promise<NamedSession>
  /** The session that `cached` returns, unless it may have missed a change; else as its id and its record describe it. */
  find(
    id: string,
    caller: SessionCaller,
    cached: () => HttpSession | undefined,
  ): MaybePromise<HttpSession | undefined>
  readonly change: UpdateSession
  /** For every process. Throws 503 if that cannot be kept now. */
  end(session: HttpSession, why: string): Promise<void>
  /** Looks at the secrets with every heartbeat while there are sessions: a client that only listens sends no request. */
  watch(): void
}

/** Why a session ends here when its client ended it at another process. */
const endedElsewhere = 'the session was ended'
/** Why it ends at every process when none can open its id any longer. */
const secretReplaced = 'the secret that its id was made with has been replaced'
/** Records outlive their session by this much, because clocks differ. */
const slackMs = 60_000
/** Ended sessions that need no look at the store. */
const maxEnded = 10_000

export function createSharedSessions(
  service: EndpointService,
  { sessions: records, secrets, heartbeatMs }: Cluster,
  messages: ClusterMail,
): SharedSessions {
  const { clock, definition, settings, onError } = service
  const { maxMs } = settings.sessionLimits
  const encrypt = createSessionEncryption(definition.info.name, secrets)
  const reader = createRecordReader({ records, clock, onError, retryMs: heartbeatMs })
  const change = createSessionChanges(service, { records, reader, messages, keepMsOf })
  const ended = new Set<string>()
  let used = secrets()
  let replacing: Promise<void> | undefined
  let watching: Disposable | undefined

  messages.on('session-ended', ({ key }) => onSessionEnded(key))
  messages.on('session-changed', ({ key, version }) => {
    reader.outdate(key)
    const session = service.sessions.byKey(key)
    if (session && session.record.version !== version) void refresh(session)
  })
  messages.onGap(() => {
    reader.outdateAll()
    for (const session of service.sessions.all()) session.isStale = true
    void refreshBusy()
  })

  function onSessionEnded(key: string): void {
    ended.add(key)
    const [oldest] = ended.size > maxEnded ? ended : []
    if (oldest !== undefined) ended.delete(oldest)
    const session = service.sessions.byKey(key)
    if (session) service.sessions.endHere(session, endedElsewhere)
  }

  function lookAtSecrets(): Promise<void> | undefined {
    const now = secrets()
    if (now === used || isSame(now, used)) return replacing
    used = now
    return (replacing = endReplaced().finally(() => (replacing = undefined)))
  }

  async function endReplaced(): Promise<void> {
    const isCurrent = await encrypt.current()
    for (const session of service.sessions.all()) {
      if (!isCurrent(session.id)) service.sessions.endHere(session, secretReplaced)
    }
  }

  function watch(): void {
    watching ??= clock.setTimer(() => {
      watching = undefined
      void lookAtSecrets()
      if (service.sessions.size > 0) watch()
    }, heartbeatMs)
  }

  /** Refreshes sessions that are busy: a client that only listens may send nothing for long. */
  async function refreshBusy(): Promise<void> {
    for (const session of [...service.sessions.all()].filter((existing) => existing.isBusy())) {
      if (session.isStale) await refresh(session)
    }
  }

  async function refresh(session: HttpSession): Promise<HttpSession | undefined> {
    const { key } = session
    session.isStale = true
    const record = await reader.read(key)
    if (record === 'unreachable') return session // calls go on with what is known
    if (record !== 'ended') {
      session.applyRecord(record ?? { data: session.data, version: 0 })
      return session
    }
    onSessionEnded(key)
    return undefined
  }

  function find(
    id: string,
    caller: SessionCaller,
    cached: () => HttpSession | undefined,
  ): MaybePromise<HttpSession | undefined> {
    const replaced = lookAtSecrets()
    if (replaced) return replaced.then(() => find(id, caller, cached))
    const session = cached()
    if (session === undefined) return take(id, caller).then(initialized)
    return session.isStale ? refresh(session).then(initialized) : initialized(session)
  }

  /** Its client has the answer to `initialize`. That it is ready may have been posted to another process. */
  function initialized(session: HttpSession | undefined): HttpSession | undefined {
    if (session && !session.isReady) session.onInitialized()
    return session
  }

  /** Checks the id before anything is read from the store. */
  async function take(id: string, caller: SessionCaller): Promise<HttpSession | undefined> {
    const openedWith = secrets()
    const encrypted = await encrypt.open(id, caller.principal)
    const key = keyIn(id)
    if (encrypted === undefined || ended.has(key)) return undefined
    const session = service.sessions.byKey(key)
    if (session) return session.isStale ? refresh(session) : session
    const record = await reader.read(key)
    if (record === 'ended') onSessionEnded(key)
    if (ended.has(key)) return undefined
    if (!isSame(openedWith, secrets())) return take(id, caller)
    return service.sessions.byKey(key) ?? restore({ key, id }, encrypted, record, caller)
  }

  function restore(
    names: SessionId,
    encrypted: EncryptedSession,
    read: Awaited<ReturnType<typeof reader.read>>,
    caller: SessionCaller,
  ): HttpSession | undefined {
    const record = typeof read === 'object' ? read : firstRecord
    const client = encrypted.client ?? record.data.client
    if (client === undefined) {
      if (read === undefined) return undefined
      throw storeUnavailable(new Error('the record of a session cannot be read'), onError)
    }
    const session = service.sessions.restore({ names, encrypted, client, record, caller })
    if (session) session.isStale = read === 'unreachable'
    return session
  }

  function keepMsOf({ expiresAt }: HttpSession): number {
    return Math.max(1, expiresAt - clock.now() + slackMs)
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
      const encrypted = { revision, expiresAt: Date.now() + maxMs }
      const whole = await encrypt.encrypt({ ...encrypted, client }, principal)
      if (whole.length <= maxIdLength)
        return { names: { key: keyIn(whole), id: whole }, record: firstRecord }
      const id = await encrypt.encrypt(encrypted, principal)
      const names = { key: keyIn(id), id }
      const data = { ...firstRecord.data, client }
      await keep(() => records.update(names.key, { data, version: 0 }, maxMs + slackMs))
      return { names, record: { data, version: 1 } }
    },

    find,

    async end(session, why) {
      const { key } = session
      await keep(() => records.end(key, keepMsOf(session)))
      service.sessions.endHere(session, why)
      onSessionEnded(key)
      await messages.notify('session-ended', { key })
    },

    watch,
    [Symbol.dispose]: () => watching?.[Symbol.dispose](),
  }
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((each, index) => each === others[index])
}

/** The encrypted part of a session id: everything that never changes. */
interface EncryptedSession {
  readonly revision: Revision
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
  /** Absent where that is too long: then its record has it. */
  readonly client?: ClientDescription
}

/** Makes ids of sessions that any process which has the secrets can open. */
export interface SessionEncryption {
  /** Visible ASCII. */
  encrypt(session: EncryptedSession, principal: string): Promise<string>
  /** Undefined for whatever is not the id of a session of this server, of this principal, that still lasts. */
  open(id: string, principal: string): Promise<EncryptedSession | undefined>
  /** Tells which ids were sealed with one of today's secrets. */
  current(): Promise<(id: string) => boolean>
}

/** Longer ids would be refused by some proxies, together with the other headers of a request. */
const maxIdLength = 1_500

/** Characters of encrypted text that cannot be guessed: 96 bits each. */
const partLength = 16

/** The part of an id by which processes name the session to each other, and in the store. The part behind it stays secret. */
export function keyIn(id: string): string {
  return id.slice(-2 * partLength, -partLength)
}

/** The name of the server is bound too: another server may have the same secrets. */
export function createSessionEncryption(
  server: string,
  secrets: () => readonly string[],
): SessionEncryption {
  const keys = createKeyRing(secrets, 'session id')
  const bindingOf = (principal: string): string => JSON.stringify([server, principal])

  return {
    encrypt: (session, principal) => keys.encrypt(JSON.stringify(session), bindingOf(principal)),

    async open(id, principal) {
      const text = await keys.open(id, bindingOf(principal))
      if (text === undefined) return undefined
      const session = JSON.parse(text) as EncryptedSession // sealed by us
      return session.expiresAt > Date.now() ? session : undefined
    },

    current: keys.current,
  }
}
