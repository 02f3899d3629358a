/** The media type of a `Content-Type` header, lower case and without parameters. */
export function mediaTypeOf(header: string | undefined): string {
  return header?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** True for JSON in UTF-8; another charset is another encoding of the bytes. */
export function isJsonContent(header: string | undefined): boolean {
  if (header === 'application/json') return true
  if (mediaTypeOf(header) !== 'application/json') return false
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(header ?? '')?.[1]?.toLowerCase()
  return charset === undefined || charset === 'utf-8' || charset === 'utf8'
}

/** What a caller can read. */
export interface Accepts {
  readonly json: boolean
  readonly events: boolean
}

/** Nothing said means anything goes; a range with `q=0` is excluded. */
export function readAccept(header: string | undefined): Accepts {
  if (header === usual || header === undefined) return everything
  if (header !== last.header) last = { header, accepts: parseAccept(header) }
  return last.accepts
}

function parseAccept(header: string): Accepts {
  if (header.trim() === '') return everything
  const ranges = header
    .split(',', mostRanges)
    .filter((range) => !/;\s*q\s*=\s*0(\.0*)?\s*(;|$)/i.test(range))
  const types = new Set(ranges.map(mediaTypeOf))
  const any = types.has('*/*')
  return {
    json: any || types.has('application/*') || types.has('application/json'),
    events: any || types.has('text/*') || types.has('text/event-stream'),
  }
}

const mostRanges = 32
/** What the specification tells clients to send. */
const usual = 'application/json, text/event-stream'
const everything: Accepts = { json: true, events: true }
/** A client says the same with every request. */
let last: { readonly header: string; readonly accepts: Accepts } = {
  header: usual,
  accepts: everything,
}
