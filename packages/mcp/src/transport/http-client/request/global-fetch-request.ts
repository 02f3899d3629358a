import { createFetchRequester } from './fetch-request.ts'
import type { HttpRequester } from './http-request.ts'

/** Nothing: only Node says why a connection did not come about. */
export function explainSystemCode(_systemCode?: string): readonly [what?: string, hint?: string] {
  return []
}

/** Stands in for Node's agent where there is none, such as a browser. */
export function createHttpRequester(): HttpRequester {
  return createFetchRequester((...args) => globalThis.fetch(...args))
}
