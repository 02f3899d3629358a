import { AsyncLocalStorage } from 'node:async_hooks'

/** What requests sent within it belong to. */
export interface RunScope {
  /** A request was recorded. */
  onRequest(seq: number, method: string): void
}

/** Follows a call through everything it awaits, so that each request it sends is known as its own. */
export const runScope = new AsyncLocalStorage<RunScope>()
