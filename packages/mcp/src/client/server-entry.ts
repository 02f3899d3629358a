/** One server as host configuration files write it. Variables must be resolved already. */
export type ServerEntry = CommandEntry | UrlEntry

/** A server to start as a child process. */
export interface CommandEntry {
  /** May be left out: `command` says as much. */
  readonly type?: 'stdio' | undefined
  /** Found on PATH; never run through a shell. */
  readonly command: string
  /** Its arguments, one string each. @defaultValue none */
  readonly args?: readonly string[] | undefined
  /** Variables for the child, added to those that `inheritEnv` lets through. */
  readonly env?: { readonly [name: string]: string } | undefined
  /** The folder it runs in. @defaultValue the current folder */
  readonly cwd?: string | undefined
  /** The environment that the child inherits. @defaultValue 'minimal': PATH, HOME, locale, temp, proxy and certificate variables */
  readonly inheritEnv?: 'minimal' | 'all' | readonly string[] | undefined
}

/** A server to reach at an address. */
export interface UrlEntry {
  /** The transport. @defaultValue Streamable HTTP with a fall-back to HTTP+SSE, or WebSocket for `ws:` and `wss:` */
  readonly type?: 'http' | 'streamable-http' | 'sse' | 'ws' | undefined
  /** An `http:`, `https:`, `ws:` or `wss:` URL. */
  readonly url: string
  /** Sent with every HTTP request to this origin, such as `Authorization`. */
  readonly headers?: { readonly [name: string]: string } | undefined
}
