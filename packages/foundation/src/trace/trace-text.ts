import { isJsonObject } from '@parley/mcp/json'

import { fromOtlp, isOtlp } from './otlp/from-otlp.ts'
import { traceVersion, type TraceKind, type TraceRecord } from './record.ts'

/** The first line of a trace file. */
export interface TraceHeader {
  /** The version of the format. */
  readonly trace: number
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Which program wrote it. */
  readonly program?: string | undefined
}

/** A trace as it was read: what was good, and what was not. */
export interface ReadTrace {
  /** The first line; absent if it is missing. */
  readonly header?: TraceHeader | undefined
  /** The records, in order. */
  readonly records: readonly TraceRecord[]
  /** Lines that are none; the others are there all the same. */
  readonly problems: readonly { readonly line: number; readonly message: string }[]
}

/** Reads the text of a trace file, or spans in the JSON form of OTLP. A bad line costs that line. */
export function readTrace(text: string): ReadTrace {
  if (/^\s*\{\s*"resourceSpans"/.test(text)) return readSpans(text)
  const records: TraceRecord[] = []
  const problems: { line: number; message: string }[] = []
  let header: TraceHeader | undefined
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const value = parse(line)
    if (isHeader(value)) {
      header ??= value
      if (value.trace > traceVersion) {
        problems.push({
          line: index + 1,
          message: `version ${value.trace} is newer than this program`,
        })
      }
    } else if (isRecord(value)) records.push(value)
    else
      problems.push({ line: index + 1, message: value === undefined ? 'not JSON' : 'not a record' })
  }
  return { ...(header && { header }), records, problems }
}

/** One export, or one a line as collectors write them. */
function readSpans(text: string): ReadTrace {
  const whole = parse(text)
  const lines = whole === undefined ? text.split('\n') : [text]
  const values = whole === undefined ? lines.map(parse) : [whole]
  const { records, unreadable } = fromOtlp(values.filter(isOtlp))
  const problems = lines.flatMap((line, index) =>
    line.trim() === '' || isOtlp(values[index]) ? [] : [{ line: index + 1, message: 'not spans' }],
  )
  if (unreadable === 0) return { records, problems }
  const message = `${unreadable} spans have no id or no times`
  return { records, problems: [...problems, { line: 1, message }] }
}

/** The text of a trace file. */
export function writeTrace(records: Iterable<TraceRecord>, program?: string): string {
  const lines = [headerLine(program)]
  for (const record of records) lines.push(JSON.stringify(record))
  return `${lines.join('\n')}\n`
}

/** The first line of a file. */
export function headerLine(program: string | undefined): string {
  const header: TraceHeader = {
    trace: traceVersion,
    at: Date.now(),
    ...(program !== undefined && { program }),
  }
  return JSON.stringify(header)
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function isHeader(value: unknown): value is TraceHeader {
  return (
    isJsonObject(value) && typeof value['trace'] === 'number' && typeof value['at'] === 'number'
  )
}

const kinds: ReadonlySet<unknown> = new Set<TraceKind>([
  'message',
  'http',
  'stderr',
  'process',
  'status',
  'auth',
  'decision',
  'unparsable',
])

/** Checks the required members of a record, and the types of the others: a file can come from anybody. */
function isRecord(value: unknown): value is TraceRecord {
  if (!isJsonObject(value)) return false
  const { seq, time, at, connection, kind, parent, bytes, direction, details } = value
  const texts = [value['text'], value['stream'], value['revision']]
  return (
    Number.isSafeInteger(seq) &&
    Number.isFinite(time) &&
    Number.isFinite(at) &&
    typeof connection === 'string' &&
    kinds.has(kind) &&
    (parent === undefined || Number.isSafeInteger(parent)) &&
    (bytes === undefined || Number.isFinite(bytes)) &&
    (direction === undefined || direction === 'in' || direction === 'out') &&
    (details === undefined || isJsonObject(details)) &&
    texts.every((text) => text === undefined || typeof text === 'string')
  )
}
