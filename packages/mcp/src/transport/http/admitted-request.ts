/**
 * A request after the checks of `Host`, `Origin` and the guard, and the identity of its sender.
 *
 * `createCallers` finds the address behind trusted proxies and the quota key that limits count by: the verified principal, or the
 * address of an anonymous caller. `RequestCaller` asks the guard about operations, and writes the challenge of an error. The checks
 * themselves are in `admission/` and `endpoint.ts`.
 */
import { addressBlock, isLoopbackAddress } from '../../rpc/address/ip-address.ts'
import { quotaKeyOf, principalOf, type AuthInfo } from '../../rpc/auth-info.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import type { MemoryShare } from '../../rpc/memory-budget.ts'
import type { WireError } from '../../rpc/message.ts'
import { isJsonObject } from '../../schema/json.ts'
import type { RequestedOperation, Authorize } from '../../server/calls/caller.ts'
import { HttpError } from './admission/http-errors.ts'
import { createTrustedProxies } from './admission/trusted-proxies.ts'
import type { GuardDenial, HttpGuard } from './http-options.ts'
import type { RequestHeaders } from './request-headers.ts'
import type { HttpExchange, HttpHeaders } from './runtime/exchange.ts'

/** An exchange that passed the checks of `Host`, `Origin` and the guard, and who sends it. */
export interface AdmittedRequest {
  readonly exchange: HttpExchange
  readonly caller: RequestCaller
  readonly headers: RequestHeaders
  /** When it arrived; undefined where nobody watches requests. */
  readonly arrivedAt: number | undefined
  /** The memory of its body, and of the calls that it starts. */
  readonly memory: MemoryShare
  /** For an answer of any status. */
  readonly cors: HttpHeaders
  /** Answers with what went wrong. */
  readonly reject: (error: unknown) => void
}

/**
 * Whom limits count a request for: the verified account, or the address of an anonymous caller. Empty for local callers,
 * and for callers whose address the runtime does not expose: there may be one caller or many behind it.
 */
export type QuotaKey = string

/** True for an anonymous caller whose address is known. */
export function isAddress(quotaKey: QuotaKey): boolean {
  return quotaKey !== '' && !quotaKey.startsWith('[')
}

/** True for every caller that was not verified. */
export function isAnonymous(quotaKey: QuotaKey): boolean {
  return quotaKey === '' || isAddress(quotaKey)
}

/** The part of a request that is needed to find its sender. */
interface ReceivedRequest {
  /** By its lower-case name. */
  header(name: string): string | undefined
  /** Absent where the runtime does not expose it. */
  readonly remoteAddress?: string | undefined
}

/** Tells who sends a request, and by which name they reached us, with proxies between. */
export interface Callers {
  hostOf(received: ReceivedRequest): string | undefined
  /** The address of the caller, also behind trusted proxies. */
  addressOf(received: ReceivedRequest): string | undefined
  /** The caller, given what the guard verified. */
  callerOf(received: ReceivedRequest, auth?: AuthInfo): RequestCaller
}

export interface CallersOptions {
  /** Only the headers of these addresses and ranges are believed. */
  readonly trustedProxies?: readonly string[] | undefined
  readonly auth?: HttpGuard | undefined
  readonly resource: URL | undefined
}

/** Remembers the last address, because many requests come from the same one. */
export function createCallers({ trustedProxies, auth, resource }: CallersOptions): Callers {
  const proxies = createTrustedProxies(trustedProxies)
  const authorize = auth?.authorize?.bind(auth)
  const guard = authorize && { authorize, resource }
  let lastAddress = ''
  let lastAccount: QuotaKey = ''

  function addressOf(received: ReceivedRequest): string | undefined {
    return proxies.callerAddress(received.remoteAddress, received.header('x-forwarded-for'))
  }

  function accountAt(address = ''): QuotaKey {
    if (address !== lastAddress) {
      lastAccount = isLoopbackAddress(address) ? '' : addressBlock(address)
      lastAddress = address
    }
    return lastAccount
  }

  return {
    hostOf(received) {
      const isForwarded = proxies.isTrusted(received.remoteAddress)
      const forwarded = isForwarded ? received.header('x-forwarded-host') : undefined
      // The last entry is what the nearest proxy wrote; those before it may be the client's own.
      return forwarded?.split(',').at(-1)?.trim() ?? received.header('host')
    },
    addressOf,
    callerOf(received, verified) {
      const quotaKey =
        verified === undefined ? accountAt(addressOf(received)) : quotaKeyOf(verified)
      return new RequestCaller(verified, quotaKey, guard)
    },
  }
}

interface AuthorizingGuard {
  readonly authorize: NonNullable<HttpGuard['authorize']>
  readonly resource: URL | undefined
}

/** The sender of one request, and what the guard allows it. A class, because every request creates one. */
export class RequestCaller {
  readonly auth: AuthInfo | undefined
  readonly quotaKey: QuotaKey
  /** Undefined where the guard is not asked about operations. */
  readonly authorize: Authorize | undefined
  private readonly guard: AuthorizingGuard | undefined
  private denial: GuardDenial | undefined

  constructor(auth: AuthInfo | undefined, quotaKey: QuotaKey, guard: AuthorizingGuard | undefined) {
    this.auth = auth
    this.quotaKey = quotaKey
    this.guard = guard
    this.authorize = guard && ((operation) => this.rejectionOf(guard, operation))
  }

  /** The identity that sessions and streams are bound to; empty for an anonymous caller. */
  get principal(): string {
    return this.auth === undefined ? '' : principalOf(this.auth)
  }

  /** Throws `HttpError` unless the guard allows it. */
  require(operation: RequestedOperation): void {
    const error = this.authorize?.(operation)
    if (error) throw new HttpError(this.denial?.status ?? 403, error, this.denial?.headers)
  }

  /** The challenge that goes with an error: of the guard's refusal that led to it, or of an error the author threw. */
  challengeFor(status: number, { data }: WireError): HttpHeaders | undefined {
    if (this.guard === undefined) return undefined
    if (this.denial?.status === status) return this.denial.headers
    const { reason, scopes } = isJsonObject(data) ? data : {}
    if (status === 401 && reason === 'unauthorized') return challenge(this.guard, undefined, [])
    const isScopes = status === 403 && reason === 'insufficient_scope' && Array.isArray(scopes)
    if (!isScopes) return undefined
    const names = scopes.filter((scope) => typeof scope === 'string')
    return challenge(this.guard, this.auth, names)
  }

  private rejectionOf(
    guard: AuthorizingGuard,
    operation: RequestedOperation,
  ): RpcError | undefined {
    const decision = guard.authorize(this.auth, { resource: guard.resource, ...operation })
    if (decision.kind === 'allow') return undefined
    this.denial = decision
    return denialError(decision, operation.scopes)
  }
}

function challenge(
  { authorize, resource }: AuthorizingGuard,
  auth: AuthInfo | undefined,
  scopes: readonly string[],
): HttpHeaders | undefined {
  const decision = authorize(auth, { method: '', scopes, resource })
  return decision.kind === 'deny' ? decision.headers : undefined
}

/** A refusal of a guard as an error of the protocol. */
export function denialError(
  { status, message }: GuardDenial,
  scopes: readonly string[] = [],
): RpcError {
  switch (status) {
    case 400:
      return new RpcError('invalid_request', message)
    case 401:
      return new RpcError('unauthorized', message)
    case 403:
      return new RpcError('insufficient_scope', message, { data: { scopes } })
    case 503:
      return new RpcError('overloaded', message)
  }
}
