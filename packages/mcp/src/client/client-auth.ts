/** What `Authorization` needs: headers before a request, a chance to react after a refusal. */
export interface ClientAuth {
  /** The headers to send with a request; called before every HTTP request and every WebSocket handshake. */
  authorize(request: {
    readonly method: string
    readonly url: URL
    /** What was connected to; `url` may be another place of it. */
    readonly server: URL
  }): Promise<{ readonly [header: string]: string }>
  /** After 401 or 403. True means: ask `authorize` again and repeat the request. */
  challenged(refusal: {
    readonly status: 401 | 403
    readonly url: URL
    readonly server: URL
    readonly wwwAuthenticate: string | undefined
    readonly dpopNonce: string | undefined
    /** What `authorize` gave for the request that was refused. */
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
