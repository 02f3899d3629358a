import type { Readable, Writable } from 'node:stream'

import type { OnError, RequestObserver } from '@parley/mcp'
import type { ClientAuth, ConnectOptions } from '@parley/mcp/client'

/** A server to start as a child process, without a shell. */
export interface BridgeCommand {
  /** Found on PATH; never run through a shell. */
  readonly command: string
  /** Its arguments, one string each. */
  readonly args: readonly string[]
  /** Variables for the child, added to those that it inherits. */
  readonly env?: { readonly [name: string]: string } | undefined
  /** The folder it runs in. @defaultValue the current folder */
  readonly cwd?: string | undefined
  /** The variables that the child inherits. @defaultValue 'minimal' */
  readonly inheritEnv?: 'minimal' | 'all' | undefined
}

/** A server to reach at an address. */
export interface BridgeAddress {
  readonly url: string
  /** @defaultValue found out */
  readonly type?: 'http' | 'sse' | 'ws' | undefined
  readonly headers?: { readonly [name: string]: string } | undefined
  readonly auth?: ClientAuth | undefined
}

/** The server behind the bridge. */
export type BridgeSource = BridgeCommand | BridgeAddress

/** How the bridge is reached: over HTTP, HTTP+SSE of 2024-11-05, WebSocket, or by whoever starts it. */
export type BridgeTarget = 'http' | 'sse' | 'ws' | 'stdio'

/** The clients that share a child process, or a session with a remote server. */
export type BridgeMode = 'shared' | 'per-session' | 'per-user'

/** One server, behind one other transport. */
export interface BridgeOptions {
  /** The server: a command to start, or a URL. */
  readonly from: BridgeSource
  /** How it is served. */
  readonly to: BridgeTarget
  /** @defaultValue 'per-session' */
  readonly mode?: BridgeMode | undefined
  /** @defaultValue 3000; 0 picks a free one */
  readonly port?: number | undefined
  /** @defaultValue '127.0.0.1' */
  readonly host?: string | undefined
  /** @defaultValue '/mcp'; '/' with `to: 'sse'`, which serves `/sse` and `/message` */
  readonly path?: string | undefined
  /** With `to: 'http'`: HTTP+SSE of 2024-11-05 too, at `sse` and `message` below the path. @defaultValue false */
  readonly alsoSse?: boolean | undefined
  /** The public address, for any other host than loopback. */
  readonly url?: string | undefined
  /** Serve strangers on an address that is not loopback. @defaultValue false */
  readonly allowAnonymous?: boolean | undefined
  /** Origins of pages that may call. @defaultValue loopback */
  readonly origins?: readonly string[] | undefined
  /** Answered while the bridge runs. @defaultValue '/healthz' */
  readonly health?: string | undefined
  /** No session ids: every request stands alone. @defaultValue false */
  readonly stateless?: boolean | undefined
  /** A session that nobody uses ends after this long, and its child with it. @defaultValue 1_800_000 */
  readonly sessionTimeoutMs?: number | undefined
  /** A server that has not answered by then is an error. @defaultValue 30_000 */
  readonly startTimeoutMs?: number | undefined
  /** A child is replaced at this age, as soon as no call uses it. @defaultValue 86_400_000 */
  readonly maxAgeMs?: number | undefined
  /** Children, or sessions with a server elsewhere, at once. @defaultValue 100 */
  readonly maxConnections?: number | undefined
  /** A child whose processes hold more memory than this is ended. @defaultValue no limit */
  readonly memoryBytes?: number | undefined
  /** The longest message of the server. @defaultValue 64 MiB */
  readonly messageBytes?: number | undefined
  /** @defaultValue 'auto' */
  readonly protocolVersion?: ConnectOptions['protocolVersion']
  /** Hears each line that a child writes to its standard error. */
  readonly onStderr?: ((line: string) => void) | undefined
  /** Watches every request of clients, and what is sent to the server for it, for telemetry. */
  readonly observer?: RequestObserver | undefined
  /** Hears of every failure that no caller is told in full. @defaultValue prints to standard error */
  readonly onError?: OnError | undefined
  /** For `to: 'stdio'`. @defaultValue this process's own, which then ends with its stdin */
  readonly stdio?: { readonly input: Readable; readonly output: Writable } | undefined
}
