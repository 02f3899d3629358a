/** One server as host configuration files write it. Variables must be resolved already. */
export type ServerEntry = CommandEntry | UrlEntry

/** A server to start as a child process. */
export interface CommandEntry {
  readonly type?: 'stdio' | undefined
  /** Found on PATH; never run through a shell. */
  readonly command: string
  readonly args?: readonly string[] | undefined
  readonly env?: { readonly [name: string]: string } | undefined
  readonly cwd?: string | undefined
  /** What the child inherits. @defaultValue 'minimal': PATH, HOME, locale, temp, proxy and certificate variables */
  readonly inheritEnv?: 'minimal' | 'all' | readonly string[] | undefined
}

/** A server to reach at an address. */
export interface UrlEntry {
  readonly type?: 'http' | 'streamable-http' | 'sse' | 'ws' | undefined
  readonly url: string
  readonly headers?: { readonly [name: string]: string } | undefined
}
