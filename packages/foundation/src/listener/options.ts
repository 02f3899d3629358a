import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

import type { Via } from './access.ts'
import type { ListenerLimits } from './limits.ts'

/** The handlers of a listener; all of them are behind the guard. */
export interface ListenerApp {
  /** A short name, for the cookie. */
  readonly name: string
  /** Static files, open to whoever reaches us by our own name: they hold no secret. */
  readonly folder?: string | undefined
  /** By method and path, such as `POST /api/trace`. Only who was let in gets there. */
  readonly routes?: { readonly [route: string]: Route } | undefined
  /** WebSockets by path. Called once everything was checked; the handshake is the app's. */
  readonly sockets?: { readonly [path: string]: Upgrade } | undefined
  /** The port of an app sandbox on the same host name, which pages of this listener may show in frames. @defaultValue no frames */
  readonly framePort?: number | undefined
}

/** Answers JSON with JSON; throwing is a 500 without a word. */
export type Route = (call: {
  /** Undefined for GET. */
  readonly body: unknown
  readonly query: URLSearchParams
  readonly via: Via
}) => RouteResult | Promise<RouteResult>

/** A status, 200 if there is none, and what becomes the body. */
export interface RouteResult {
  /** The HTTP status. @defaultValue 200 */
  readonly status?: number | undefined
  /** The body, before it is written as JSON. */
  readonly json: unknown
}

/** Takes a connection that asked to become a WebSocket. */
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/** Where a program listens, and who may reach it. */
export interface ListenerOptions {
  /** @defaultValue 127.0.0.1 */
  readonly host?: string | undefined
  /** @defaultValue 0: any that is free */
  readonly port?: number | undefined
  /** How many of the following ports may be taken when this one is in use. @defaultValue 0 */
  readonly portTries?: number | undefined
  /** Listen on an address that others can reach. @defaultValue false */
  readonly allowRemote?: boolean | undefined
  /** Names we answer to besides loopback, as `name` or `name:port`; what a proxy in front calls us. */
  readonly allowedHosts?: readonly string[] | undefined
  /** Where a proxy puts us. @defaultValue '/' */
  readonly basePath?: string | undefined
  /** Certificate and key in PEM, to serve HTTPS. @defaultValue plain HTTP */
  readonly tls?: { readonly cert: string | Buffer; readonly key: string | Buffer } | undefined
  /** Where the token for programs is written, for our user only; nowhere without it. */
  readonly tokenFile?: string | ((port: number) => string) | undefined
  /** The limits above which it refuses; see {@link ListenerLimits} for each default. */
  readonly limits?: Partial<ListenerLimits> | undefined
  /** The handlers. */
  readonly app: ListenerApp
}

/** A listener in use. */
export interface Listener extends AsyncDisposable {
  /** The port that it listens on. */
  readonly port: number
  /** Without a secret. */
  readonly url: URL
  /** The bearer token for programs. */
  readonly token: string
  /** Where it was written. */
  readonly tokenFile?: string | undefined
  /** The address for one browser, once: with a fresh secret in its fragment. */
  createEntryUrl(): URL
  /** Ends every connection. Disposing is the same. */
  close(): Promise<void>
}
