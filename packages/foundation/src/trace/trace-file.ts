import { appendFile, readFile, rename, stat } from 'node:fs/promises'

import { traceVersion, type TraceKind, type TraceRecord } from './record.ts'

/** The first line of a trace file. */
export interface TraceHeader {
  readonly trace: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly program?: string | undefined
}

/** A trace as it was read: what was good, and what was not. */
export interface ReadTrace {
  readonly header?: TraceHeader | undefined
  readonly records: readonly TraceRecord[]
  /** Lines that are none; the others are there all the same. */
  readonly problems: readonly { readonly line: number; readonly message: string }[]
}

/** Reads the text of a trace file. A bad line costs that line. */
export function readTrace(text: string): ReadTrace {
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

/** The same for a file. */
export async function readTraceFile(path: string): Promise<ReadTrace> {
  return readTrace(await readFile(path, 'utf8'))
}

/** The text of a trace file. */
export function writeTrace(records: Iterable<TraceRecord>, program?: string): string {
  const lines = [headerLine(program)]
  for (const record of records) lines.push(JSON.stringify(record))
  return `${lines.join('\n')}\n`
}

/** Appends records to a file, in the background and in order. */
export interface TraceWriter extends AsyncDisposable {
  /** Secrets must be masked already. */
  write(record: TraceRecord): void
  /** Until all that was given is written; rejects if that failed. */
  flush(): Promise<void>
}

export interface TraceWriterOptions {
  readonly program?: string | undefined
  /** When the file is larger it becomes `.1`, that one `.2`, and so on. @defaultValue 64 MiB */
  readonly bytes?: number | undefined
  /** How many older files are kept. @defaultValue 3 */
  readonly keep?: number | undefined
}

/** The file is for our user only. */
export function createTraceWriter(path: string, options: TraceWriterOptions = {}): TraceWriter {
  const { program, bytes: most = 64 * 1024 * 1024, keep = 3 } = options
  let lines: string[] = []
  let size: number | undefined
  let writing = Promise.resolve()
  let isAsked = false

  async function rotate(): Promise<void> {
    for (let age = keep - 1; age >= 0; age -= 1) {
      const from = age === 0 ? path : `${path}.${age}`
      await rename(from, `${path}.${age + 1}`).catch(() => undefined) // there may be none yet
    }
  }

  async function writeWaiting(): Promise<void> {
    isAsked = false
    const text = lines.join('')
    lines = []
    if (text === '') return
    size ??= await stat(path).then(
      ({ size: found }) => found,
      () => 0,
    )
    if (size > most && keep > 0) {
      await rotate()
      size = 0
    }
    const whole = size === 0 ? `${headerLine(program)}\n${text}` : text
    await appendFile(path, whole, { mode: 0o600 })
    size += Buffer.byteLength(whole)
  }

  function ask(): void {
    if (isAsked) return
    isAsked = true
    writing = writing
      .then(() => new Promise<void>((resolve) => setImmediate(resolve)))
      .then(writeWaiting)
    writing.catch(() => undefined) // told by `flush`
  }

  async function flush(): Promise<void> {
    if (lines.length > 0) ask()
    await writing
  }

  return {
    write(record) {
      lines.push(`${JSON.stringify(record)}\n`)
      ask()
    },
    flush,
    [Symbol.asyncDispose]: flush,
  }
}

function headerLine(program: string | undefined): string {
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
  return isObject(value) && typeof value['trace'] === 'number' && typeof value['at'] === 'number'
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

function isRecord(value: unknown): value is TraceRecord {
  return (
    isObject(value) &&
    Number.isSafeInteger(value['seq']) &&
    typeof value['time'] === 'number' &&
    typeof value['at'] === 'number' &&
    typeof value['connection'] === 'string' &&
    kinds.has(value['kind'])
  )
}

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null
}
