/** Where the browser comes back to. */
export interface Receiver extends AsyncDisposable {
  readonly redirectUri: string
  /** The first callback; one that does not carry `state` is not ours if the receiver can tell. */
  receive(signal: AbortSignal, state: string): Promise<URL>
}

/** What a program that runs for a person needs of its platform. */
export interface Platform {
  /** At the given address if it can be had, or one like it; else at a new one. */
  openReceiver(registered: string | undefined): Promise<Receiver>
  showUrl(url: URL): Promise<void>
}
