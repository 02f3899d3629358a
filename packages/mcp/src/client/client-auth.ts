/** What `Authorization` needs: headers before a request, a chance to react after a refusal. */
export interface ClientAuth {
  authorize(request: {
    readonly method: string
    readonly url: URL
  }): Promise<{ readonly [header: string]: string }>
  /** After 401 or 403. True means: ask `authorize` again and repeat the request, once. */
  challenged(refusal: {
    readonly status: 401 | 403
    readonly url: URL
    readonly wwwAuthenticate: string | undefined
    readonly signal: AbortSignal
  }): Promise<boolean>
  /** Separates cached private results of different users; not a secret. */
  readonly partition?: string
}
