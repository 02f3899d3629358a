import { lazy } from '../../rpc/promise.ts'

// The parts of an HTTP client that are loaded when they are first needed, as client/lazy-parts.ts has those of a client.

/** HTTP+SSE: for a server that speaks nothing newer, or on request. */
export const loadSseChannel = () => import('./sse-channel.ts')

/** The stream for messages that belong to no call: in a session, when somebody waits for such. */
export const loadGetStream = () => import('./streams/get-stream.ts')

/** Taking up a stream that broke: while the first stream with several messages is read, so before it breaks. */
export const resumePart = lazy(() => import('./streams/resume-answer.ts'))

/** Noticing a dead connection: with a subscription of the modern era. */
export const loadSilence = () => import('./streams/silence.ts')

/** Signing in: with the first request of a client that has `auth`. */
export const challengePart = lazy(() => import('./request/challenge.ts'))

/** Following a redirect. */
export const loadRedirect = () => import('./request/redirect.ts')

/** The errors for answers that are not MCP, or are refused. */
export const loadAnswerFailures = () => import('./request/answer-failures.ts')
