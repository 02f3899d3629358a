/** Credentials of a client: headers before a request, and a chance to react after a rejection. */
export interface ClientAuth {
  /** The headers to send with a request; called before every HTTP request and every WebSocket handshake. */
  authorize(request: {
    readonly method: string
    readonly url: URL
    /** The URL that was passed to `connect()`; `url` may be another path of it. */
    readonly server: URL
  }): Promise<{ readonly [header: string]: string }>
  /** After 401 or 403. True means: ask `authorize` again and repeat the request. */
  challenged(rejection: {
    readonly status: 401 | 403
    readonly url: URL
    readonly server: URL
    readonly wwwAuthenticate: string | undefined
    readonly dpopNonce: string | undefined
    /** The headers that `authorize` returned for the rejected request. */
    readonly given: { readonly [header: string]: string }
    /** How often this request was refused by this status, now included; after a few times it is given up. */
    readonly attempt: number
    readonly signal: AbortSignal
  }): Promise<boolean>
  /** Separates cached private results of different users; not a secret. */
  readonly partition?: string
  /** How much longer connecting may take because a person has to do something. */
  readonly signInMs?: number
}
