import { lazy } from '../rpc/lazy.ts'

// Parts of the client that most programs do without, each behind one file. They are loaded once, by whoever needs them
// first. What is needed when the network fails is not among them: then nothing could be loaded either.

/** Being asked: elicitation, sampling, roots, and calls that are answered with a question. */
export const inputPart = lazy(() => import('./input/client-input.ts'))

/** ModernSubscriptions for changes. */
export const subscriptionsPart = lazy(() => import('./subscriptions/listeners.ts'))

/** Keeping answers for as long as the server says. */
export const cachePart = lazy(() => import('./cache/response-cache.ts'))

/** Comparing structured content with what its tool promised. */
export const outputCheckPart = lazy(() => import('./tools/output-check.ts'))

/** Repeating arguments in headers, where requests over HTTP stand for themselves. */
export const toolHeadersPart = lazy(() => import('./tools/tool-headers.ts'))

/** All of them, for who wants nothing to be loaded in the middle of something. */
export async function loadParts(): Promise<void> {
  const parts = [inputPart, subscriptionsPart, cachePart, outputCheckPart, toolHeadersPart]
  await Promise.all(parts.map(({ load }) => load()))
}
