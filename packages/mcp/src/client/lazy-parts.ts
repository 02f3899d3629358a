import { lazy } from '../rpc/promise.ts'

// The parts of a client that are loaded when they are first needed, so that a page loads only what it uses. They are
// loaded once. Parts that are needed when the network fails are not among them: they could not be loaded then.
// Two more lists: transport/http-client/lazy-parts.ts for HTTP, and rpc/receiver.ts, which loads batches with the first.

/** Elicitation, sampling, roots and calls that need input: when connecting with a handler, else with the first request for input. */
export const inputPart = lazy(() => import('./input/client-input.ts'))

/** Subscriptions: with the first `listen` or `watch`. */
export const subscriptionsPart = lazy(() => import('./subscriptions/listeners.ts'))

/** The response cache: with the first answer of the modern era that may be cached. */
export const cachePart = lazy(() => import('./cache/response-cache.ts'))

/** The check of structured content: with the first result that has some, or should. */
export const outputCheckPart = lazy(() => import('./tools/output-check.ts'))

/** The JSON Schema compiler: with the first schema to check against, unless `compileSchema` is given. */
export const schemaCompilerPart = lazy(() => import('../schema/json-schema/compile.ts'))

/** Headers that repeat arguments: when tools are listed over HTTP in the modern era. */
export const toolHeadersPart = lazy(() => import('./tools/tool-headers.ts'))

/** The limits of a list: with its second page. */
export const listGuardPart = lazy(() => import('./list-guard.ts'))

/** Watching: with the first call of a client that has an `observer`. */
export const observedPart = lazy(() => import('./calls/observed-call.ts'))

/** Heartbeats: when connecting with `heartbeat`. */
export const heartbeatPart = lazy(() => import('../rpc/heartbeat.ts'))

/** Loads what most tests use, so that nothing is loaded in the middle of one. */
export async function loadParts(): Promise<void> {
  const parts = [
    inputPart,
    subscriptionsPart,
    cachePart,
    outputCheckPart,
    toolHeadersPart,
    listGuardPart,
  ]
  await Promise.all(parts.map(({ load }) => load()))
}
