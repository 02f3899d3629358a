import {
  createColors,
  formatTable,
  safeJson,
  safeText,
  type Colors,
  type TableColumn,
} from '@parley/foundation/terminal'

import type { CommonFlags } from '../flags.ts'
import { asInvoked } from '../invoked-as.ts'
import { widthOf, type Io } from '../io.ts'

/** Writes results to standard output and everything else to standard error. */
export interface Printer {
  readonly colors: Colors
  readonly isJson: boolean
  readonly width: number
  /** A line of a result; what comes from a server must have been made safe. */
  line(text?: string): void
  /** A value, as JSON that is safe to show. */
  json(value: unknown): void
  /** One event as one line of JSON. */
  jsonLine(value: unknown): void
  table(rows: readonly (readonly string[])[], columns: readonly TableColumn[]): void
  /** A text of ours, with `parley` written as this person has to. */
  ours(text: string): string
  /** Something worth knowing that is no result; not with `--quiet` or `--json`. */
  note(text: string): void
  /** Only with `--verbose`. */
  detail(text: string): void
}

export function createPrinter(io: Io, flags: CommonFlags): Printer {
  const { env, stdout, stderr } = io
  const { json = false, quiet = false, verbose = false, color } = flags
  const colors = createColors({ env, isTty: stdout.isTTY === true, color })
  const faint = createColors({ env, isTty: stderr.isTTY === true, color })
  const width = widthOf(stdout)
  const aside = (text: string) =>
    void stderr.write(`${faint.dim(safeText(text, { lineLength: 2_000 }))}\n`)

  return {
    colors,
    isJson: json,
    width,
    line: (text = '') => void stdout.write(`${text}\n`),
    json: (value) => void stdout.write(`${safeJson(value, 2)}\n`),
    jsonLine: (value) => void stdout.write(`${safeJson(value)}\n`),
    table: (rows, columns) =>
      void stdout.write(`${formatTable(rows, { width, columns, styleTitle: colors.bold })}\n`),
    ours: (text) => asInvoked(text, env),
    note: (text) => (quiet || json ? undefined : aside(asInvoked(text, env))),
    detail: (text) => (verbose ? aside(text) : undefined),
  }
}

/** A text of a server for one cell or line. */
export function flat(text: string | undefined, most = 1_000): string {
  const line = (text ?? '')
    .slice(0, most * 2)
    .replaceAll(/\s+/g, ' ')
    .trim()
  const rest = Math.max(0, (text ?? '').length - most)
  const cut = rest === 0 ? line : `${line.slice(0, most)}…`
  return safeText(cut, { multiline: false })
}

/** `1 error`, `2 errors`. */
export function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}
