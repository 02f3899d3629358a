import type { AuthInfo } from '../../rpc/auth-info.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { encodeWireError } from '../../wire/error-codes.ts'
import { createHostCheck } from '../http/admission/host-check.ts'
import { publicUrl, requirePublicOptions } from '../http/admission/public-options.ts'
import { createCallers, denialError } from '../http/admitted-request.ts'
import type { HttpGuard } from '../http/http-options.ts'
import { subprotocol } from './socket-like.ts'

/** Rules for callers and origins of sockets. */
export interface UpgradeOptions {
  /** The public URL, whose host and origin are allowed; `wss:` or `https:`. */
  readonly url?: string | URL | undefined
  /** Authenticates the caller; called once for each socket. */
  readonly auth?: HttpGuard | undefined
  /** Besides loopback names and the host of `url`. */
  readonly allowedHosts?: readonly string[] | undefined
  /** Besides the origin of `url` and of the endpoint itself. `'*'` only together with `auth`. */
  readonly allowedOrigins?: readonly string[] | '*' | undefined
  /** Addresses and ranges, such as `10.0.0.0/8`, whose `X-Forwarded-Host` and `X-Forwarded-For` to believe. @defaultValue none */
  readonly trustedProxies?: readonly string[] | undefined
}

/** May this request become a socket? */
export type UpgradeDecision =
  | {
      /** The request may become a socket. */
      readonly kind: 'allow'
      /** The verified caller; without it, the caller is anonymous. */
      readonly auth?: AuthInfo
    }
  | {
      /** The request must not become a socket. */
      readonly kind: 'deny'
      /** The response to it. */
      readonly response: Response
    }

/** Checks Host, Origin, subprotocol and guard of an upgrade request before a socket exists. */
export async function checkUpgrade(
  request: Request,
  options: UpgradeOptions = {},
): Promise<UpgradeDecision> {
  const url = new URL(request.url)
  const decision = await createUpgradeCheck(options)({
    target: `${url.pathname}${url.search}`,
    header: (name) => request.headers.get(name) ?? (name === 'host' ? url.host : undefined),
  })
  if (decision.kind === 'allow') return decision
  const { status, headers, body } = decision
  return { kind: 'deny', response: new Response(body, { status, headers }) }
}

/** An upgrade request, whatever runtime it came by. */
export interface UpgradeRequest {
  /** Path and query. */
  readonly target: string
  /** By its lower-case name. */
  header(name: string): string | undefined
  /** Absent where the runtime does not say. */
  readonly remoteAddress?: string | undefined
}

/** An HTTP answer in place of a socket. */
export interface UpgradeDenial {
  readonly kind: 'deny'
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string
  /** For `onError`. */
  readonly cause?: unknown
}

/** The checks, prepared once for all requests. */
export function createUpgradeCheck(
  options: UpgradeOptions,
): (
  request: UpgradeRequest,
) => Promise<{ readonly kind: 'allow'; readonly auth?: AuthInfo } | UpgradeDenial> {
  const { auth: guard } = options
  requirePublicOptions(options)
  const resource = publicUrl(options)
  const hostCheck = createHostCheck({ trustsLoopbackPages: false, ...options, url: resource })
  const { hostOf } = createCallers({ ...options, resource })

  return async (request) => {
    const { target, header } = request
    const rejection = hostCheck.rejection(hostOf(request), header('origin'))
    if (rejection) return denial(403, rejection)
    if (header('upgrade')?.toLowerCase() !== 'websocket') {
      return denial(426, invalid('this is a WebSocket endpoint'), { upgrade: 'websocket' })
    }
    if (!speaksMcp(header('sec-websocket-protocol'))) {
      return denial(400, invalid(`the only subprotocol here is ${subprotocol}`))
    }
    if (!guard) return { kind: 'allow' }
    const decision = await guard.authenticate({ method: 'GET', target, resource, header })
    if (decision.kind === 'allow') return decision
    return {
      ...denial(decision.status, denialError(decision), decision.headers),
      cause: decision.cause,
    }
  }
}

/** A client that names no subprotocol gets none; one that names only others wants something else. */
function speaksMcp(offered: string | undefined): boolean {
  if (offered === undefined) return true
  return offered.split(',').some((name) => name.trim() === subprotocol)
}

function invalid(message: string): RpcError {
  return new RpcError('invalid_request', message)
}

/** A refusal as an HTTP answer with a JSON-RPC error in it. */
export function denial(
  status: number,
  error: RpcError,
  headers: UpgradeDenial['headers'] = {},
): UpgradeDenial {
  return {
    kind: 'deny',
    status,
    headers: { 'content-type': 'application/json', ...oneLine(headers) },
    body: JSON.stringify({ jsonrpc: '2.0', error: encodeWireError(error) }),
  }
}

/** A header of a guard must not become two. */
function oneLine(headers: UpgradeDenial['headers']): UpgradeDenial['headers'] {
  const lines = Object.entries(headers).map(([name, value]) => [
    name,
    value.replaceAll(/[\r\n\0]+/g, ' '),
  ])
  return Object.fromEntries(lines) as UpgradeDenial['headers'] // names and texts, as they were
}
