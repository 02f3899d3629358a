import { createColors, safeJson, safeText } from '@parley/foundation/terminal'

import type { CommonFlags } from '../flags.ts'
import { asInvoked } from '../invoked-as.ts'
import type { Io } from '../io.ts'

/** How much a line of the log matters. */
export type LogLevel = 'debug' | 'info' | 'warning' | 'error'

/** What a line is about, besides its text. */
export interface LogFields {
  /** The server behind the gateway. */
  readonly server?: string | undefined
  /** The id that the caller was told with a failure. */
  readonly request?: string | undefined
}

/** The log of a running gateway or registry: one line for each event, with time and level. */
export interface ServiceLog {
  /** Writes a line of text, or with `--json` one of JSON: `event` and `data` are for programs, `text` is for people. */
  write(
    level: LogLevel,
    event: string,
    text: string,
    fields?: LogFields,
    data?: { readonly [name: string]: unknown },
  ): void
}

/**
 * Text goes to standard error, JSON to standard output, unless that belongs to the protocol. `--verbose` adds what matters for
 * finding a fault, `--quiet` leaves errors alone.
 */
export function createServiceLog(
  io: Io,
  flags: Pick<CommonFlags, 'json' | 'quiet' | 'verbose' | 'color'>,
  { to, now = () => new Date() }: { readonly to: 'http' | 'stdio'; readonly now?: () => Date },
): ServiceLog {
  const { json = false, quiet = false, verbose = false, color } = flags
  const colors = createColors({ env: io.env, isTty: io.stderr.isTTY === true, color })
  const shown = new Set<LogLevel>([
    'error',
    ...(quiet ? [] : (['info', 'warning'] as const)),
    ...(verbose ? (['debug'] as const) : []),
  ])
  const output = json && to === 'http' ? io.stdout : io.stderr

  return {
    write(level, event, text, { server, request } = {}, data = {}) {
      if (!shown.has(level)) return
      const time = now().toISOString()
      if (json) {
        const about = {
          ...(server !== undefined && { server }),
          ...(request !== undefined && { request }),
        }
        const fields = Object.keys(data).length === 0 ? { message: text } : data
        output.write(`${safeJson({ time, level, event, ...about, ...fields })}\n`)
        return
      }
      const where = server === undefined ? '' : `${server}: `
      const which = request === undefined ? '' : ` (request ${request})`
      const line = `${time} ${level} ${where}${asInvoked(text, io.env)}${which}`
      output.write(`${colors.dim(safeText(line, { multiline: false, lineLength: 2_000 }))}\n`)
    },
  }
}
