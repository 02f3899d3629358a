import type { Readable, Writable } from 'node:stream'

import type { TokenStore } from '@parley/auth/client'
import type { Implementation, Limits, OnError, RequestObserver } from '@parley/mcp'
import type { HttpGuard } from '@parley/mcp/http'
import type { MetricsSource } from '@parley/mcp/node'

import type { Check } from '../checks/check.ts'
import type { GatewayClusterOptions } from '../cluster/processes.ts'
import type { ProofClient } from '../identity/browser-proof.ts'
import type { ListenerTls } from '../identity/listener-tls.ts'
import type { NamingStrategy } from '../naming/naming.ts'
import type { SearchSettings } from '../search/search-settings.ts'
import type { BackOffLimits } from '../upstreams/back-off.ts'
import type { GatewayServer } from '../upstreams/server-options.ts'
import type { UpstreamState } from '../upstreams/upstream-state.ts'
import type { GatewayProfiles } from './cores.ts'
import type { GatewayDifference } from './exchange.ts'
import type { StatusShown } from './status.ts'

/** Many servers, behind one endpoint. */
export interface GatewayOptions {
  /** By name. The order counts where two have the same resource, and with `naming: 'priority'`. */
  readonly servers: { readonly [name: string]: GatewayServer }
  /** How clients call what the servers offer. @defaultValue 'prefix' */
  readonly naming?: NamingStrategy | undefined
  /** Whether clients get a search instead of all tools. @defaultValue never */
  readonly search?: SearchSettings | undefined
  /** The checks that requests pass, in this order. @defaultValue none */
  readonly checks?: readonly Check[] | undefined
  /**
   * What the resource `gateway://status` tells a caller: of the servers that it may use something of, of all, or of all if
   * the function says so of this caller. @defaultValue 'own'
   */
  readonly status?: StatusShown | undefined
  /** @defaultValue { name: 'parley-gateway', version: '0.1.0' } */
  readonly info?: Implementation | undefined
  /** Over HTTP, or by whoever starts this process. @defaultValue 'http' */
  readonly to?: 'http' | 'stdio' | undefined
  /** @defaultValue 3000; 0 picks a free one */
  readonly port?: number | undefined
  /** How much a caller may send and keep here. @defaultValue see {@link Limits} */
  readonly limits?: Limits | undefined
  /** Without `auth` it must be loopback. @defaultValue '127.0.0.1' */
  readonly host?: string | undefined
  /** @defaultValue '/mcp' */
  readonly path?: string | undefined
  /** Parts of it, each at its name below `path`, such as `/mcp/dev`. Over HTTP only. @defaultValue none */
  readonly profiles?: GatewayProfiles | undefined
  /** Serve HTTP+SSE of 2024-11-05 too, at `sse` below each path. @defaultValue false */
  readonly alsoSse?: boolean | undefined
  /** Accept WebSockets at `path` too. @defaultValue false */
  readonly alsoWebSocket?: boolean | undefined
  /** The public address, for any other host than loopback. */
  readonly url?: string | undefined
  /** Authenticates callers: `oauthGuard()` or `apiKeyGuard()` of `@parley/auth/resource`. @defaultValue everybody, on loopback alone */
  readonly auth?: HttpGuard | undefined
  /** Where tokens of callers for servers are kept. @defaultValue in the memory of this process */
  readonly tokens?: TokenStore | undefined
  /** The gateway's client at the issuer of its callers, when they sign in to servers in a browser. @defaultValue it registers itself */
  readonly signInClient?: ProofClient | undefined
  /** Serve HTTPS, and let callers in by their certificates. The files are read again when they are written. @defaultValue HTTP */
  readonly tls?: ListenerTls | undefined
  /** Origins of pages that may call. @defaultValue loopback */
  readonly origins?: readonly string[] | undefined
  /** Addresses and ranges of proxies, whose `X-Forwarded-Host` and `X-Forwarded-For` are believed. @defaultValue none */
  readonly trustedProxies?: readonly string[] | undefined
  /** Several processes as one gateway, over HTTP. @defaultValue this process alone */
  readonly cluster?: GatewayClusterOptions | undefined
  /** A session that nobody uses ends after this long. @defaultValue 1_800_000 */
  readonly sessionTimeoutMs?: number | undefined
  /**
   * How long a list may wait for servers that have just been started with the gateway; later ones are told of by
   * `list_changed`. @defaultValue 1_000
   */
  readonly firstListMs?: number | undefined
  /** Between attempts to reach a server again. @defaultValue 500 to 60_000 ms, with jitter */
  readonly backOff?: BackOffLimits | undefined
  /** Hears of each change of a server's state. */
  readonly onState?: ((server: string, state: UpstreamState) => void) | undefined
  /**
   * Hears once of each name that several servers have, and of what else a person should look at in their lists.
   * @defaultValue `onError`
   */
  readonly onWarning?: ((text: string) => void) | undefined
  /** Watches every request of callers, and what is sent to servers for it, for telemetry. */
  readonly observer?: RequestObserver | undefined
  /** Answers at `/metrics` over HTTP, such as `prometheus()` of `@parley/telemetry`. Not guarded. @defaultValue nobody does */
  readonly metrics?: MetricsSource | undefined
  /** Hears each line that a child writes to its standard error. */
  readonly onStderr?: ((server: string, line: string) => void) | undefined
  /** Hears of every failure that no caller is told in full. @defaultValue prints to standard error */
  readonly onError?: OnError | undefined
  /** For `to: 'stdio'`. @defaultValue this process's own, which then ends with its stdin */
  readonly stdio?: { readonly input: Readable; readonly output: Writable } | undefined
}

/** The options that can be changed while a gateway runs. */
export type ReloadOptions = Pick<
  GatewayOptions,
  | 'servers'
  | 'naming'
  | 'checks'
  | 'search'
  | 'profiles'
  | 'status'
  /** Left out, who may call stays as it was. Another guard ends the streams of everybody who was let in before. */
  | 'auth'
  | 'signInClient'
  /** Those that are left out are refused at once; new ones are for the next start. */
  | 'origins'
>

/** A gateway that runs. Disposing closes it. */
export interface Gateway extends AsyncDisposable {
  /** Where it listens; undefined over stdio. */
  readonly url: URL | undefined
  /** Settles when nothing is served any more. */
  readonly closed: Promise<void>
  /** How all servers are, what they offer, and warnings: what `gateway://status` says to those who may see everything. */
  status(): { readonly [key: string]: unknown }
  /** Resolves when every server has answered, or failed to, for the first time. */
  readonly started: Promise<void>
  /**
   * Takes over another configuration while it runs: only servers that are new or different are started, and those that
   * are no longer there end when their calls have. Throws `UsageError`, and then nothing has changed.
   */
  reload(options: ReloadOptions): GatewayDifference
  /** Lets calls finish for up to `deadlineMs`, then ends everything, children included. */
  close(options?: { readonly deadlineMs?: number | undefined }): Promise<void>
}
