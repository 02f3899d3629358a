/** One event of a stream as text. Data has no line breaks: it is compact JSON, or a URI. */
export function encodeEvent(
  data: string,
  options: { readonly id?: string; readonly event?: string } = {},
): string {
  const { id, event } = options
  return `${event === undefined ? '' : `event: ${event}\n`}${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`
}

/** Keeps proxies from closing a silent stream; readers skip it. */
export const keepAliveComment = ': keep-alive\n\n'

/** How long a reader should wait before it comes back. */
export function encodeRetry(ms: number): string {
  return `retry: ${ms}\n\n`
}
