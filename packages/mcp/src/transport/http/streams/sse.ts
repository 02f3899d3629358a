/** One event of a stream as text. Data has no line breaks: it is compact JSON, or a URI. */
export function encodeEvent(
  data: string,
  options: { readonly id?: string; readonly event?: string } = {},
): string {
  const { id, event } = options
  return `${event === undefined ? '' : `event: ${event}\n`}${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`
}

/** Tells a reader where it is before anything has happened, so that it can resume even from there; no event by itself. */
export function encodePosition(id: string): string {
  return `id: ${id}\n\n`
}

/** Keeps proxies from closing a silent stream; readers skip it. */
export const keepAliveComment = ': keep-alive\n\n'

/** How long a reader should wait before it comes back. */
export function encodeRetry(ms: number): string {
  return `retry: ${ms}\n\n`
}

/** Proxies must neither hold back nor change what flows. */
export const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const

/** The stream of an event, and its number there, as text for the wire. */
export function encodeEventId(streamId: string, sequence: number): string {
  return `${streamId}_${sequence}`
}

/** The stream and number in an event id; undefined for an id that was not written here. */
export function readEventId(
  id: string,
): { readonly streamId: string; readonly sequence: number } | undefined {
  const match = /^([a-z0-9]{1,40})_(0|[1-9]\d{0,14})$/.exec(id)
  const [, streamId, sequence] = match ?? []
  return streamId === undefined || sequence === undefined
    ? undefined
    : { streamId, sequence: Number(sequence) }
}

/** When a reader should come back, unless a longer time is given. */
export const defaultRetryMs = 1_000
