import { formatDuration, safeJson, safeText } from '@parley/foundation/terminal'
import { exchangesOf, type TraceRecord } from '@parley/foundation/trace'

import type { CommonFlags } from '../flags.ts'
import type { Io } from '../io.ts'
import { createPrinter, flat, type Printer } from '../output/printer.ts'
import { showPath } from './path.ts'
import { readRecords } from './read.ts'

/** What to show. */
export interface ViewFlags extends CommonFlags {
  readonly method?: readonly string[] | undefined
  readonly errors?: boolean | undefined
  readonly full?: boolean | undefined
  /** The number of a request whose time is wanted instead. */
  readonly path?: string | undefined
}

/** Shows a trace line by line: time, direction, what it is, and how long an answer took. */
export async function viewTrace(file: string, flags: ViewFlags, io: Io): Promise<void> {
  const printer = createPrinter(io, flags)
  const records = await readRecords(file, io, printer)
  if (flags.path !== undefined) return showPath(records, flags.path, printer)
  const wanted = chosen(records, flags)
  const shown = wanted === undefined ? records : records.filter(({ seq }) => wanted.has(seq))
  if (printer.isJson) {
    for (const record of shown) printer.jsonLine(record)
    return
  }
  const bySeq = new Map(records.map((record) => [record.seq, record]))
  for (const record of shown) {
    printer.line(describe(record, bySeq, printer))
    if (flags.full && record.message !== undefined) {
      const lines = safeJson(record.message, 2).split('\n')
      printer.line(lines.map((line) => `    ${line}`).join('\n'))
    }
  }
}

/** The requests that are meant, and all that refers to them. */
function chosen(
  records: readonly TraceRecord[],
  { method, errors }: ViewFlags,
): ReadonlySet<number> | undefined {
  if (method === undefined && !errors) return undefined
  const seqs = new Set(
    exchangesOf(records)
      .filter((each) => method === undefined || method.includes(each.method))
      .filter((each) => !errors || (each.error !== undefined && !each.isProbe) || each.isToolError)
      .map(({ request }) => request.seq),
  )
  for (const { seq, parent } of records) if (parent !== undefined && seqs.has(parent)) seqs.add(seq)
  return seqs
}

function describe(
  record: TraceRecord,
  bySeq: ReadonlyMap<number, TraceRecord>,
  { colors }: Printer,
): string {
  const { seq, time, direction, kind, connection } = record
  const arrow =
    direction === 'in' ? colors.green('←') : direction === 'out' ? colors.blue('→') : ' '
  const head = `${String(seq).padStart(5)} ${(time / 1_000).toFixed(3).padStart(9)} ${flat(connection)} ${arrow}`
  if (kind !== 'message') {
    return `${head} ${colors.dim(kind)} ${safeText(record.text ?? JSON.stringify(record.details ?? {}), { lineLength: 200, multiline: false })}`
  }
  const message = (record.message ?? {}) as { readonly [name: string]: unknown } // of a message
  const { method, error, id } = message
  if (typeof method === 'string') {
    return `${head} ${colors.bold(flat(method))}${nameOf(message)}${id === undefined ? '' : colors.dim(` #${flat(JSON.stringify(id))}`)}`
  }
  const request = record.parent === undefined ? undefined : bySeq.get(record.parent)
  const took = request === undefined ? '' : colors.dim(` ${formatDuration(time - request.time)}`)
  const what = error === undefined ? 'result' : colors.red(`error ${flat(errorText(error))}`)
  return `${head} ${what}${colors.dim(` #${flat(JSON.stringify(id))}`)}${took}`
}

function nameOf({ params }: { readonly [name: string]: unknown }): string {
  if (typeof params !== 'object' || params === null) return ''
  const { name, uri, level, message } = params as { readonly [name: string]: unknown } // an object
  const first = [name, uri, level, message].find((each) => typeof each === 'string')
  return typeof first === 'string' ? ` ${flat(first)}` : ''
}

function errorText(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown } // by the protocol
  return `${String(code)} ${String(message)}`
}
