/** Hints between processes. One may be lost, delayed, repeated or overtaken by a later one. */
export interface Bus {
  /** Never rejects and is never waited for. */
  publish(topic: string, text: string): void
  /** Hears what is published from now on, by this process too. */
  subscribe(topic: string, hear: (text: string) => void): Disposable
}
