import { principalOf, type AuthInfo } from '../../../rpc/auth-info.ts'
import { HeldBytes } from '../../../rpc/byte-account.ts'
import { jsonWeight } from '../../../rpc/json/scan-json.ts'
import { isPromise, type MaybePromise } from '../../../rpc/promise.ts'
import { ShortLivedList } from '../../../rpc/short-lived.ts'
import type { ServerCapabilities } from '../../../schema/capabilities.ts'
import { capabilitiesOf } from '../../../server/capabilities.ts'
import {
  clientOf,
  type AnsweredInitialize,
  type Initialized,
} from '../../../server/peer/initialize.ts'
import type { Codec } from '../../../wire/codec.ts'
import { codecFor } from '../../../wire/revisions.ts'
import { noRoom } from '../admission/capacity.ts'
import type { RequestCaller } from '../admission/request-caller.ts'
import type { SharedService } from '../service.ts'
import { HttpSession } from './http-session.ts'
import { createHttpSessions, type HttpSessions } from './http-sessions.ts'
import { changeHere } from './session-changes.ts'
import { firstRecord } from './session-records.ts'
import type { NamedSession, RoamingSession } from './shared-sessions.ts'

/** A session, and the id that its client is told; undefined for one that lasts for one request. */
export interface OpenedSession {
  readonly session: HttpSession
  readonly id: string | undefined
}

/** The sessions of one endpoint, those that last for one request included. */
export interface Sessions extends HttpSessions {
  /** Every session, those for one request included. */
  active(): readonly HttpSession[]
  /** After `initialize`. Throws `HttpRefusal` when there is no room. */
  open(agreed: AnsweredInitialize, caller: RequestCaller): MaybePromise<OpenedSession>
  /** For one request, where sessions are off. */
  openForRequest(codec: Codec, auth: AuthInfo | undefined): HttpSession
  /** Ends a session that was for one request. */
  closeForRequest(session: HttpSession): void
  /** See `CallsInFlight`. */
  timeOut(now: number): number
}

export function createSessions(service: SharedService): Sessions {
  const { definition, settings, clock, revisions } = service
  const { hasSessions, sessionLimits, cluster } = settings
  const isShared = cluster !== undefined
  const sessionBytes = isShared ? ownBytes + sealBytes : ownBytes
  const sessions = createHttpSessions(service, revive)
  const forRequest = new ShortLivedList<HttpSession>()
  const declare = shareEqual<ServerCapabilities>()

  function active(): readonly HttpSession[] {
    return [...sessions.all(), ...forRequest]
  }

  /** What a server can do is the same everywhere it is served. */
  function revive(session: RoamingSession): HttpSession | undefined {
    const { names, sealed, client, record, caller } = session
    const codec = codecFor(sealed.revision, revisions)
    if (codec === undefined) return undefined
    const { principal, account } = caller
    const declared = declare(capabilitiesOf(definition))
    const held = new HeldBytes(service.bytes, account)
    held.reserve(sessionBytes + jsonWeight(JSON.stringify([client, record]))) // it is served even where there is no room
    const relay = definition.relay?.resume?.({ said: client, codec })
    const revived = new HttpSession({
      service,
      change: sessions.change,
      names,
      principal,
      account,
      held,
      record,
      agreed: { client: clientOf(client, codec), codec, declared, relay },
      isReady: true,
      isRevived: true,
      endsAt: clock.now() + sealed.expiresAt - Date.now(),
      lastRequest: firstRequest(),
    })
    relay?.ready()
    return revived
  }

  /** A session that is taken up again here must not use the numbers of its earlier requests. */
  function firstRequest(): number {
    return isShared ? Math.floor(Math.random() * 2 ** 29) : 0
  }

  function createForRequest(
    { client, codec, declared, relay }: Initialized,
    auth: AuthInfo | undefined,
  ): HttpSession {
    const session = new HttpSession({
      service,
      change: changeHere,
      names: undefined,
      principal: principalOf(auth),
      account: '',
      record: firstRecord,
      agreed: { client, codec, declared, relay },
      isReady: true,
      endsAt: Infinity,
      lastRequest: 0,
    })
    forRequest.add(session)
    return session
  }

  function openNamed(
    { names, record }: NamedSession,
    { client, codec, declared, relay }: Initialized,
    { principal, account }: RequestCaller,
    held: HeldBytes,
  ): OpenedSession {
    const session = new HttpSession({
      service,
      change: sessions.change,
      names,
      principal,
      account,
      held,
      record,
      agreed: { client, codec, declared: declare(declared), relay },
      isReady: false,
      endsAt: clock.now() + sessionLimits.maxMs,
      lastRequest: firstRequest(),
    })
    return { session: sessions.add(session), id: names.id }
  }

  return Object.assign(sessions, {
    active,

    open(agreed: AnsweredInitialize, caller: RequestCaller): MaybePromise<OpenedSession> {
      const { auth, account, principal } = caller
      if (!hasSessions) return { session: createForRequest(agreed, auth), id: undefined }
      sessions.requireRoom(account)
      const held = new HeldBytes(service.bytes, account)
      let refusal = held.reserve(sessionBytes + agreed.bytes)
      while (refusal && sessions.makeRoom(account)) {
        refusal = held.reserve(sessionBytes + agreed.bytes)
      }
      if (refusal) throw noRoom(refusal)
      const named = sessions.name(agreed.said, agreed.codec, principal)
      if (!isPromise(named)) return openNamed(named, agreed, caller, held)
      return named.then(
        (session) => openNamed(session, agreed, caller, held),
        (error: unknown) => {
          held.close()
          throw error
        },
      )
    },

    openForRequest(codec: Codec, auth: AuthInfo | undefined) {
      const declared = capabilitiesOf(definition)
      return createForRequest({ client: unknownClient, codec, declared }, auth)
    },

    closeForRequest(session: HttpSession) {
      if (forRequest.delete(session)) session.end('its request is done')
    },

    timeOut: (now: number) =>
      active().reduce((next, session) => Math.min(next, session.peer.timeOut(now)), Infinity),
  })
}

/** What a session takes besides what its client said. */
const ownBytes = 1_024
/** What its id takes where others can open it too. */
const sealBytes = 1_024

/** A client whose `initialize` was another request, and is forgotten. */
const unknownClient = Object.freeze({ capabilities: Object.freeze({}) })

/** Gives the same object for equal values that follow each other, so that thousands of sessions share one. */
function shareEqual<T extends object>(): (value: T) => T {
  let last: T | undefined
  let lastText = ''
  return (value) => {
    if (value === last) return value
    const text = JSON.stringify(value)
    if (last === undefined || text !== lastText) {
      last = value
      lastText = text
    }
    return last
  }
}
