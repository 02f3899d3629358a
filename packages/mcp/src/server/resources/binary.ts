/** Bytes with a media type, as `fetch` and file APIs give them. */
export type Binary = Blob | Response

export function isBinary(value: unknown): value is Binary {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { arrayBuffer?: unknown }).arrayBuffer === 'function'
  )
}
