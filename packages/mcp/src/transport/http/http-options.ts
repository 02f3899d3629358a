/**
 * The options of a server over HTTP, the interface of a guard, and their defaults.
 *
 * `resolveHttpOptions` turns options into settings once for each endpoint. `HttpGuard` is what authentication implements
 * (`@parley/auth/resource`); `Health` is what load balancers read. Options of Node's listener are in `runtime/serve-http.ts`.
 */
import type { AuthInfo } from '../../rpc/auth-info.ts'
import { networkMessageBytes } from '../../rpc/limits.ts'
import type { ServeOptions } from '../../server/sessions/serve-connection.ts'
import { resolveSessionCaps, type SessionCapsOption } from './admission/capacity.ts'
import { requirePublicOptions } from './admission/public-options.ts'
import type { Cluster, ClusterHealth } from './cluster/cluster.ts'
import type { ReplayLimits } from './streams/event-log.ts'

/** How a server is offered over HTTP, and to whom; the defaults are safe. */
export interface HttpOptions extends Omit<ServeOptions, 'heartbeat'> {
  /** The public URL: resource identifier and allowed host. Never taken from `Host`. Most guards need it. */
  readonly url?: string | URL | undefined
  /** Authenticates and authorizes callers. */
  readonly auth?: HttpGuard | undefined
  /** Besides loopback names and the host of `url`. */
  readonly allowedHosts?: readonly string[] | undefined
  /** Besides loopback and the origin of `url`; naming one turns CORS on for it. `'*'` only together with `auth`. */
  readonly allowedOrigins?: readonly string[] | '*' | undefined
  /** Addresses and ranges, such as `10.0.0.0/8`, whose `X-Forwarded-Host` and `X-Forwarded-For` to believe. @defaultValue none */
  readonly trustedProxies?: readonly string[] | undefined
  /** Off: no session id, no resuming, no requests to the client. @defaultValue 'on' */
  readonly sessions?: 'on' | 'off' | undefined
  /** A session ends when it is unused for this long. @defaultValue 1_800_000 */
  readonly sessionIdleMs?: number | undefined
  /** A session ends at this age. @defaultValue 86_400_000 */
  readonly sessionMaxMs?: number | undefined
  /** Also for listeners and sockets. @defaultValue 10_000 in all, 100_000 with `cluster`; 100 of one principal, a tenth of anonymous callers at one address */
  readonly maxSessions?: SessionCapsOption | undefined
  /** Idle time of a stream before a comment is sent, and of a call before its answer becomes a stream. 0 is never. @defaultValue 15_000 */
  readonly keepAliveMs?: number | undefined
  /** A call goes on for this long after its caller has gone. @defaultValue 300_000 */
  readonly detachedMs?: number | undefined
  /**
   * New work is refused with 503 and `Retry-After`, a rising part of it, while the event loop is later than this: new sessions and
   * streams first. 50 to 200 are sensible. @defaultValue nothing is refused
   */
  readonly maxLateMs?: number | undefined
  /** Time to send a body. @defaultValue 30_000 */
  readonly bodyMs?: number | undefined
  /** A reader that reads nothing of its answer or stream for this long is disconnected. 0 is never. @defaultValue 30_000 */
  readonly outputMs?: number | undefined
  /** Events kept for resuming. @defaultValue 1_000 events, 8 MiB, 60 s after the end */
  readonly replay?:
    | false
    | { readonly [Limit in keyof ReplayLimits]?: ReplayLimits[Limit] | undefined }
    | undefined
  /**
   * Where several processes keep what they share. `serveHttp` starts and closes it; whoever mounts a handler does so
   * before the first request and after draining. @defaultValue the memory of this process
   */
  readonly cluster?: Cluster | undefined
  /**
   * Streams are closed after this long, with a hint when to come back for the rest, so that long work holds no connection.
   * Only for clients that speak 2025-11-25, which expect it. @defaultValue never
   */
  readonly pollMs?: number | undefined
  /**
   * Also serve HTTP+SSE of 2024-11-05, at `sse` and `message` below the endpoint's path; `'/sse'` serves it there, with
   * `/message` beside it. @defaultValue false
   */
  readonly legacySse?: boolean | string | undefined
}

/** Two questions about a request, and the paths that belong to authorization. */
export interface HttpGuard {
  /** Authenticates the caller. Called before the body is read. */
  authenticate(request: HttpGuardRequest): GuardDecision | Promise<GuardDecision>
  /**
   * May they do this? Called when the operation is known and again when its scopes are, before its handler runs or a byte
   * is sent, and for what a handler requires. Absent: a caller with the scopes may.
   */
  authorize?(auth: AuthInfo | undefined, operation: GuardedOperation): GuardDecision
  /**
   * Calls back when callers that were let in may no longer be: `isRevoked` says which, and is asked about each open stream,
   * socket and call. Those of revoked callers end. Absent: they end when their credential expires.
   */
  watch?(onRevoked: (isRevoked: (auth: AuthInfo | undefined) => boolean) => void): Disposable
  /** Answers for other paths of the origin, such as the resource's metadata. A guard that has it needs `url`. */
  route?(request: Request, resource: URL, caller: RouteCaller): Promise<Response | undefined>
}
/** Facts for a route of the guard: the address of the caller, and the scopes of the server. */
export interface RouteCaller {
  /** The address of the caller, or of the proxy in front of it; undefined if the runtime does not expose it. */
  readonly address?: string | undefined
  /** The scopes that features of the server name, for its metadata. */
  readonly scopes?: readonly string[] | undefined
}
/** The part of a request that a guard sees, before its body is read. */
export interface HttpGuardRequest {
  /** The HTTP verb. */
  readonly method: string
  /** Path and query as requested. */
  readonly target: string
  /** The public URL of the endpoint; undefined if `url` was not given. */
  readonly resource: URL | undefined
  /** A header by its name in any case; undefined if it was not sent. */
  header(name: string): string | undefined
  /** The certificate that the client presented over TLS, if it was asked for one. */
  certificate?(): ClientCertificate | undefined
}
/** A certificate that a client holds the key of. It is to be trusted only without a `problem`. */
export interface ClientCertificate {
  /** The common name of its subject; undefined if it has none. */
  readonly commonName: string | undefined
  /** Names such as `DNS:a.example`, `URI:spiffe://…`, `email:…`, `IP Address:…`. */
  readonly alternativeNames: readonly string[]
  /** The common name of who issued it. */
  readonly issuer: string
  /** SHA-256, in hexadecimal digits. */
  readonly fingerprint: string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
  /** Why it was not verified: it has expired, or its issuer is unknown. */
  readonly problem?: string
}
/** The operation that a verified caller has requested. */
export interface GuardedOperation {
  /** The method, such as `tools/call`. */
  readonly method: string
  /** The tool, prompt, task or URI. */
  readonly name?: string
  /** All that is needed for it, as far as it is known. */
  readonly scopes: readonly string[]
  /** The public URL of the endpoint; undefined if `url` was not given. */
  readonly resource: URL | undefined
}
/** The decision of a guard. */
export type GuardDecision =
  | {
      /** The caller may go on. */
      readonly kind: 'allow'
      /** The verified identity; without it, the caller is anonymous. */
      readonly auth?: AuthInfo
    }
  | GuardDenial
/** How a guard refuses: the answer, as it is sent. */
export interface GuardDenial {
  /** Says that the request is refused. */
  readonly kind: 'deny'
  /** 503: it cannot be checked now. */
  readonly status: 400 | 401 | 403 | 503
  /** Headers of the answer, such as `WWW-Authenticate`. */
  readonly headers: { readonly [name: string]: string }
  /** The message for the caller. */
  readonly message: string
  /** For `onError`; the caller does not see it. */
  readonly cause?: unknown
}

/** For load balancers. */
export interface Health {
  /** False while draining, and while the cluster is not ready. */
  readonly ready: boolean
  /** Sessions that this process has now. */
  readonly sessions: number
  /** Open streams, as far as this process serves them. */
  readonly streams: number
  /** Calls that are being worked on. */
  readonly inFlight: number
  /** Bytes that callers make this process keep: see `limits.totalBytes`. */
  readonly usedBytes: number
  /** How late the event loop is, in milliseconds; undefined without `maxLateMs`. */
  readonly lateMs?: number
  /** Requests that were refused because it was too late; undefined without `maxLateMs`. */
  readonly refused?: number
  /** Whether what is shared with other processes can be reached; undefined without a `cluster`. */
  readonly cluster?: ClusterHealth
}

/** In a cluster a session may be used at any process, so each of them knows a part of all sessions, at 0.85 kB each. */
const sessionsInCluster = 100_000

/** The options with their defaults. */
export function resolveHttpOptions(options: HttpOptions) {
  requirePublicOptions(options)
  return {
    hasSessions: options.sessions !== 'off',
    replay: resolveReplay(options.replay),
    keepAliveMs: (options.keepAliveMs ?? 15_000) || Infinity,
    detachedMs: options.detachedMs ?? 300_000,
    bodyMs: options.bodyMs ?? 30_000,
    outputMs: (options.outputMs ?? 30_000) || Infinity,
    cluster: options.cluster,
    pollMs: options.pollMs,
    maxLateMs: options.maxLateMs,
    messageBytes: options.limits?.messageBytes ?? networkMessageBytes,
    sessionLimits: {
      ...resolveSessionCaps(options.maxSessions, options.cluster && sessionsInCluster),
      idleMs: options.sessionIdleMs ?? 1_800_000,
      maxMs: options.sessionMaxMs ?? 86_400_000,
    },
  }
}

function resolveReplay(option: HttpOptions['replay'] = {}): false | ReplayLimits {
  if (option === false) return false
  const { events = 1_000, bytes = 8 * 1024 * 1024, keepMs = 60_000 } = option
  return { events, bytes, keepMs }
}
