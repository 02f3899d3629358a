/**
 * Session data that can change, kept in the store for all processes: log level and subscriptions.
 *
 * Writes changes with a version, so that two processes that change a session at once both succeed; reads each record once at a time;
 * delays the response to a request until its change is stored. What never changes is in the session id: see `shared-sessions.ts`.
 */
import type { Clock } from '../../../rpc/clock.ts'
import type { OnError } from '../../../rpc/errors/on-error.ts'
import { RpcError } from '../../../rpc/errors/rpc-error.ts'
import type { Request } from '../../../rpc/message.ts'
import type { MaybePromise } from '../../../rpc/promise.ts'
import type { ClientCapabilities } from '../../../schema/capabilities.ts'
import type { LoggingLevel } from '../../../schema/logging.ts'
import type { Implementation } from '../../../schema/metadata.ts'
import type { Responder } from '../../../server/calls/call.ts'
import { encodeWireError } from '../../../wire/error-codes.ts'
import { HttpError } from '../admission/http-errors.ts'
import type { EndpointService } from '../endpoint-service.ts'
import type { HttpSession } from '../sessions/http-session.ts'
import { afterStore, storeUnavailable } from '../sessions/store-access.ts'
import type { ClusterMail } from './messages.ts'

/** The answer to a request that changes the record of a session: sent when every process can know the change. */
export function replyAfterUpdate(
  request: Request,
  answer: Responder,
  change: (alter: (data: SessionData) => SessionData) => unknown,
): Responder {
  const alter = changeOf(request)
  if (alter === undefined) return answer
  return {
    reject: (id, error) => answer.reject(id, error),
    forget: (id) => answer.forget(id),
    reply(id, response) {
      void afterStore(
        () => change(alter),
        () => answer.reply(id, response),
        (error) => {
          if (!(error instanceof HttpError)) throw error
          answer.reject(id, encodeWireError(error.error))
        },
      )
    },
  }
}

/** Undefined for the many that change nothing. */
function changeOf({ method, params }: Request): ((data: SessionData) => SessionData) | undefined {
  switch (method) {
    case 'logging/setLevel': {
      const logLevel = params['level'] as LoggingLevel // it was answered, so it is one
      return (data) => ({ ...data, logLevel })
    }
    case 'resources/subscribe': {
      const uri = params['uri'] as string // as above
      return (data) =>
        data.subscriptions.includes(uri)
          ? data
          : { ...data, subscriptions: [...data.subscriptions, uri] }
    }
    case 'resources/unsubscribe': {
      const uri = params['uri'] as string // as above
      return (data) => ({
        ...data,
        subscriptions: data.subscriptions.filter((other) => other !== uri),
      })
    }
    default:
      return undefined
  }
}

export interface RecordReaderOptions {
  readonly records: SessionRecords
  readonly clock: Clock
  readonly onError: OnError
  /** A store that did not answer is left alone for so long. */
  readonly retryMs: number
}

/** Reads records, each no more than once at a time, and none older than what was said about it meanwhile. */
interface RecordReader {
  read(key: string): Promise<SessionRecord | 'ended' | 'unreachable' | undefined>
  /** Reads a record again that is being read now: it may be older than a message that was received. */
  outdate(key: string): void
  outdateAll(): void
}

export function createRecordReader(options: RecordReaderOptions): RecordReader {
  const { records, clock, onError, retryMs } = options
  const running = new Map<string, ReturnType<RecordReader['read']>>()
  const outdated = new Set<string>()
  let awayUntil = -Infinity

  async function readLatest(key: string): ReturnType<RecordReader['read']> {
    try {
      for (;;) {
        outdated.delete(key)
        const record = await records.get(key)
        if (!outdated.has(key)) return record
      }
    } catch (error) {
      awayUntil = clock.now() + retryMs
      onError(error, { severity: 'warning', operation: 'store' })
      return 'unreachable'
    } finally {
      outdated.delete(key)
      running.delete(key)
    }
  }

  return {
    read(key) {
      const pending = running.get(key)
      if (pending) return pending
      if (clock.now() < awayUntil) return Promise.resolve('unreachable')
      const reading = readLatest(key)
      running.set(key, reading)
      return reading
    },
    outdate(key) {
      if (running.has(key)) outdated.add(key)
    },
    outdateAll() {
      for (const key of running.keys()) outdated.add(key)
    },
  }
}

type Alter = (data: SessionData) => SessionData

/** Changes the data of a session at every process. Throws 404 if the session is over, 503 if the store is unreachable. */
export type UpdateSession = (session: HttpSession, alter: Alter) => MaybePromise<void>

/** Changes a session that only this process knows. */
export const updateLocally: UpdateSession = (session, alter) => {
  session.applyRecord({ data: alter(session.data), version: session.record.version })
}

/** The store, the reader and the messages that writing a change needs. */
export interface SessionChangesOptions {
  readonly records: SessionRecords
  readonly reader: RecordReader
  readonly messages: ClusterMail
  /** How long the store keeps the record. */
  keepMsOf(session: HttpSession): number
}

/** Two processes that change a session at once both succeed, one after the other. */
const maxConflicts = 20

/** Writes a change to the record of its session, then notifies the other processes. */
export function createSessionChanges(
  { onError }: Pick<EndpointService, 'onError'>,
  { records, reader, messages, keepMsOf }: SessionChangesOptions,
): UpdateSession {
  /** The write in progress of each session. */
  const running = new Map<string, Promise<void>>()
  /** Changes that wait for it, to be written together. */
  const next = new Map<string, { readonly alters: Alter[]; readonly written: Promise<void> }>()

  async function change(session: HttpSession, key: string, alter: Alter): Promise<void> {
    for (let conflicts = 0; conflicts <= maxConflicts; conflicts += 1) {
      const { data, version } = session.record
      const altered = alter(data)
      if (altered === data) {
        // It may be our own change, whose answer got lost before the others were told.
        if (conflicts > 0) await messages.notify('session-changed', { key, version })
        return
      }
      if (await reach(() => records.update(key, { data: altered, version }, keepMsOf(session)))) {
        reader.outdate(key)
        if (session.record.version === version)
          session.applyRecord({ data: altered, version: version + 1 })
        return messages.notify('session-changed', { key, version: version + 1 })
      }
      catchUp(session, await reach(() => records.get(key)))
    }
    throw storeUnavailable(new Error('a session was changed too often at once'), onError)
  }

  function catchUp(session: HttpSession, record: SessionRecord | 'ended' | undefined): void {
    if (record === 'ended') throw sessionNotFound()
    session.applyRecord(record ?? { data: session.data, version: 0 }) // the store has lost it
  }

  async function reach<T>(request: () => MaybePromise<T>): Promise<T> {
    try {
      return await request()
    } catch (error) {
      throw storeUnavailable(error, onError)
    }
  }

  return (session, alter) => {
    const { key } = session
    const batch = next.get(key)
    if (batch) {
      batch.alters.push(alter)
      return batch.written
    }
    const alters = [alter]
    const write = (): Promise<void> => {
      next.delete(key)
      return change(session, key, (data) => alters.reduce((before, item) => item(before), data))
    }
    const earlier = running.get(key)
    const written = earlier ? earlier.then(write) : write()
    if (earlier) next.set(key, { alters, written })
    const cleanUp = (): void => {
      if (running.get(key) === finished) running.delete(key)
    }
    const finished = written.then(cleanUp, cleanUp)
    running.set(key, finished)
    return written
  }
}

/** An id that is unknown, ended, or somebody else's: which of these is nobody's business. */
export function sessionNotFound(): HttpError {
  const why = 'unknown or expired session: send initialize again without Mcp-Session-Id'
  return new HttpError(404, new RpcError('session_not_found', why))
}

/** Session data that can change, and what is too long for the id. Plain JSON. */
export interface SessionData {
  /** The least severe log level that the client set; absent if it set none. */
  readonly logLevel?: LoggingLevel
  /** URIs whose changes the client hears about. */
  readonly subscriptions: readonly string[]
  /** The client's description of itself, if that is too long for the id. */
  readonly client?: {
    readonly clientInfo?: Implementation | undefined
    readonly capabilities: ClientCapabilities
  }
}

/** Facts, and which state of them this is. */
export interface SessionRecord {
  /** The session data. */
  readonly data: SessionData
  /** Rises by one with every update; 0 before the first. */
  readonly version: number
}

/** The record of a session without changes. */
export const firstRecord: SessionRecord = Object.freeze({
  data: Object.freeze({ subscriptions: Object.freeze([]) }),
  version: 0,
})

/**
 * What the processes that serve one endpoint have to tell each other about its sessions, by the key of each. Most have no
 * record: the id of a session says all that never changes. Throws, or rejects, when it cannot be reached. One in this
 * process answers at once, without a promise.
 */
export interface SessionRecords {
  /** The record; `ended` if the session is over, undefined if there is none. */
  get(key: string): MaybePromise<SessionRecord | 'ended' | undefined>
  /**
   * Writes facts if the stored version is still `version`; false if it is not, or if the session has ended. Forgotten after
   * `keepMs` without another.
   */
  update(key: string, record: SessionRecord, keepMs: number): MaybePromise<boolean>
  /** The session is over, whether or not it has a record. That is remembered for `keepMs`. */
  end(key: string, keepMs: number): MaybePromise<void>
}
