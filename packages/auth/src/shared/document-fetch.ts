/** How documents of others are asked for. */
export interface DocumentFetch {
  readonly fetch: typeof fetch
  /** Addresses of this machine may be asked too, without https. */
  readonly allowLoopback: boolean
  readonly signal: AbortSignal
}
