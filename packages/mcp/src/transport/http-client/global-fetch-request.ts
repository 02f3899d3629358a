import { createFetchRequester } from './fetch-request.ts'
import type { HttpRequester } from './http-request.ts'

/** Stands in for Node's agent where there is none, such as a browser. */
export function createHttpRequester(): HttpRequester {
  return createFetchRequester((...given) => globalThis.fetch(...given))
}
