import type { Frame, JsonValue } from '@parley/mcp'
import { parseJson } from '@parley/mcp/json'
import { anySignal } from '@parley/mcp/signals'

import type { JsonObject } from '../json.ts'

/** What every link to a server may be told. */
export interface LinkOptions {
  /** Waits so long for answers that are due, instead of as long as each place thinks right. */
  readonly timeoutMs?: number | undefined
  /** Ends whatever is waited for. */
  readonly signal?: AbortSignal | undefined
  /** Hears everything that is sent and comes. */
  readonly onMessage?: ((frame: Frame) => void) | undefined
  readonly onStderr?: ((line: string) => void) | undefined
  /** What to answer to a request of the server; undefined for nothing. */
  readonly answer?: ((request: JsonObject) => JsonObject | undefined) | undefined
}

/** Up to this it is only heard whether something comes; beyond, an answer is due. */
const maxListeningMs = 3_000

/** How long to wait, given how long a place would. */
export function waitFor(waitMs: number, { timeoutMs = waitMs }: LinkOptions): number {
  return waitMs > maxListeningMs ? timeoutMs : waitMs
}

/** Of one exchange: its own end, or that of everything. */
export function wholeSignal(own: AbortSignal, { signal }: LinkOptions): AbortSignal {
  return anySignal(own, signal)
}

/** Tells of something as it crossed the wire. */
export function reportFrame(
  { onMessage }: LinkOptions,
  direction: Frame['direction'],
  text: string,
  stream?: string,
): void {
  if (onMessage === undefined || text === '') return
  const bytes = Buffer.byteLength(text)
  const about = stream === undefined ? {} : { stream }
  onMessage({ direction, at: performance.now(), message: valueOf(text), bytes, ...about })
}

/** What is no JSON, or too deep or too much of it, is its text. */
function valueOf(text: string): JsonValue {
  try {
    return parseJson(text) as JsonValue // that is what it makes
  } catch {
    return text
  }
}

/** Answers `roots/list` with these folders; nothing else. */
export function answerRoots(roots: readonly string[]): LinkOptions['answer'] {
  if (roots.length === 0) return undefined
  return ({ id, method }) =>
    id !== undefined && method === 'roots/list'
      ? { jsonrpc: '2.0', id, result: { roots: roots.map((uri) => ({ uri })) } }
      : undefined
}
