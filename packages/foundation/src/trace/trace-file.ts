import { appendFile, readFile, stat } from 'node:fs/promises'

import { replaceFile } from '@parley/mcp/system'

import type { TraceRecord } from './record.ts'
import { headerLine, readTrace, type ReadTrace } from './trace-text.ts'

/** A trace file as it was read. */
export async function readTraceFile(path: string): Promise<ReadTrace> {
  return readTrace(await readFile(path, 'utf8'))
}

/** Appends records to a file, in the background and in order. */
export interface TraceWriter extends AsyncDisposable {
  /** Secrets must be masked already. */
  write(record: TraceRecord): void
  /** Until all that was given is written; rejects if that failed. */
  flush(): Promise<void>
}

/** How large trace files become, and how many are kept. */
export interface TraceWriterOptions {
  /** The writer that the header names. @defaultValue none */
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
  let isRequested = false

  async function rotate(): Promise<void> {
    for (let age = keep - 1; age >= 0; age -= 1) {
      const from = age === 0 ? path : `${path}.${age}`
      await replaceFile(from, `${path}.${age + 1}`).catch(() => undefined) // there may be none yet
    }
  }

  async function writeWaiting(): Promise<void> {
    isRequested = false
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
    if (isRequested) return
    isRequested = true
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
