import { accountOfPrincipal, principalOf, type AuthInfo } from '../../../rpc/auth-info.ts'
import { HeldBytes } from '../../../rpc/byte-account.ts'
import { jsonWeight } from '../../../rpc/json/scan-json.ts'
import type { MaybePromise } from '../../../rpc/promise.ts'
import { ShortLivedList } from '../../../rpc/short-lived.ts'
import type { ServerCapabilities } from '../../../schema/capabilities.ts'
import { capabilitiesOf } from '../../../server/capabilities.ts'
import {
  clientOf,
  type AnsweredInitialize,
  type Initialized,
  type SaidByClient,
} from '../../../server/peer/initialize.ts'
import type { Codec } from '../../../wire/codec.ts'
import { codecFor } from '../../../wire/revisions.ts'
import { noRoom } from '../admission/capacity.ts'
import type { CallerAccount, RequestCaller } from '../admission/request-caller.ts'
import type { SharedService } from '../service.ts'
import { HttpSession } from './http-session.ts'
import { createHttpSessions, type HttpSessions } from './http-sessions.ts'
import { randomId } from './random-id.ts'
import type { SessionFacts, SessionRecord } from './session-records.ts'

/** The sessions of one endpoint, those that last for one request included. */
export interface Sessions extends HttpSessions {
  /** Every session, those for one request included. */
  active(): readonly HttpSession[]
  /** After `initialize`. Throws `HttpRefusal` when there is no room. */
  open(agreed: AnsweredInitialize, caller: RequestCaller): MaybePromise<HttpSession>
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
  const sessions = createHttpSessions(service, revive)
  const forRequest = new ShortLivedList<HttpSession>()
  const declare = shareEqual<ServerCapabilities>()

  function active(): readonly HttpSession[] {
    return [...sessions.all(), ...forRequest]
  }

  /** As another process knows it. What a server can do is the same everywhere it is served. */
  function revive(record: SessionRecord): HttpSession | undefined {
    const { id, revision, createdAt } = record.facts
    const codec = codecFor(revision, revisions)
    if (codec === undefined) return undefined
    const account = accountOfPrincipal(record.facts.principal)
    const declared = declare(capabilitiesOf(definition))
    const held = new HeldBytes(service.bytes, account)
    held.reserve(sessionBytes + jsonWeight(JSON.stringify(record.facts))) // it is served even where there is no room
    const session = new HttpSession({
      service,
      change: sessions.change,
      id,
      key: id,
      account,
      held,
      record,
      agreed: { client: clientOf(record.facts, codec), codec, declared },
      openedAt: clock.now() - Math.max(0, Date.now() - createdAt),
      lastRequest: firstRequest(),
    })
    session.writtenAt = -Infinity // by others, nobody knows when
    return session
  }

  function create(
    id: string | undefined,
    { client, codec, declared, said }: Opened,
    principal: string,
    account: CallerAccount,
    held?: HeldBytes,
  ): HttpSession {
    const { clientInfo, capabilities } = said
    const createdAt = Date.now()
    const facts: SessionFacts = {
      id: id ?? '',
      revision: codec.revision,
      clientInfo,
      capabilities,
      principal,
      createdAt,
      expiresAt: createdAt + sessionLimits.maxMs,
      isReady: id === undefined,
      subscriptions: none,
    }
    return new HttpSession({
      service,
      change: sessions.change,
      id,
      key: id,
      account,
      held,
      record: { facts, version: 0 },
      agreed: { client, codec, declared: id === undefined ? declared : declare(declared) },
      openedAt: clock.now(),
      lastRequest: firstRequest(),
    })
  }

  /** Processes that ask the same client must not use the same number. */
  function firstRequest(): number {
    return isShared ? Math.floor(Math.random() * 2 ** 32) * 2 ** 20 : 0
  }

  function createForRequest(agreed: Opened, auth: AuthInfo | undefined): HttpSession {
    const session = create(undefined, agreed, principalOf(auth), '')
    forRequest.add(session)
    return session
  }

  return Object.assign(sessions, {
    active,

    open(agreed: AnsweredInitialize, { auth, account }: RequestCaller) {
      if (!hasSessions) return createForRequest(agreed, auth)
      sessions.requireRoom(account)
      const held = new HeldBytes(service.bytes, account)
      let refusal = held.reserve(sessionBytes + agreed.bytes)
      while (refusal && sessions.makeRoom(account)) {
        refusal = held.reserve(sessionBytes + agreed.bytes)
      }
      if (refusal) throw noRoom(refusal)
      return sessions.add(create(randomId(), agreed, principalOf(auth), account, held))
    },

    openForRequest(codec: Codec, auth: AuthInfo | undefined) {
      const declared = capabilitiesOf(definition)
      return createForRequest({ client: unknownClient, said: unknownClient, codec, declared }, auth)
    },

    closeForRequest(session: HttpSession) {
      if (forRequest.delete(session)) session.end('its request is done')
    },

    timeOut: (now: number) =>
      active().reduce((next, session) => Math.min(next, session.peer.timeOut(now)), Infinity),
  })
}

/** What a session takes besides what its client said. */
const sessionBytes = 1_024

const none: readonly string[] = Object.freeze([])

/** A session as it is opened. */
interface Opened extends Initialized {
  readonly said: SaidByClient
}

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
