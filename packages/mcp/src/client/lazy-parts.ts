import { lazy } from '../rpc/promise.ts'

// The parts of a client that are loaded when they are first needed, because they are large and many pages never need them.
// They are loaded once. Parts that are needed when the network fails are not among them: they could not be loaded then.
// HTTP has two more in transport/http-client/http-transport.ts and endpoint.ts, and rpc/receiver.ts loads batches.

/** Elicitation, sampling, roots and calls that need input: when connecting with a handler, else with the first request for input. */
export const inputPart = lazy(() => import('./input/client-input.ts'))

/** Subscriptions: with the first `listen` or `watch`. */
export const subscriptionsPart = lazy(() => import('./subscriptions/listeners.ts'))

/** The JSON Schema compiler: with the first schema to check against, unless `validation.compileSchema` is set. */
export const schemaCompilerPart = lazy(() => import('../schema/json-schema/compile.ts'))

/** Loads what most tests use, so that nothing is loaded in the middle of one. */
export async function loadParts(): Promise<void> {
  await Promise.all([inputPart, subscriptionsPart].map(({ load }) => load()))
}
