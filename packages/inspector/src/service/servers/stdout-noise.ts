import { isMcpError } from '@parley/mcp'

import type { Warning } from '../../protocol/index.ts'
import type { Logs } from '../trace/logs.ts'
import type { ServerRecord } from './server-hold.ts'

/** The text of a line on standard output that is no message; undefined for other faults. */
export function noiseOf(error: unknown): string | undefined {
  if (!isMcpError(error, 'invalid_message')) return undefined
  const { excerpt } = error.details
  return / stdout /.test(error.message) ? excerpt : undefined
}

/** Each of the first is a line of the logs; a flood is only counted. */
const maxReported = 20
const maxShownLength = 300

/** Keeps what a program says where only messages may be. */
export function addNoise(record: ServerRecord, text: string, logs: Logs): void {
  const shown = text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text
  const count = (record.noise?.count ?? 0) + 1
  record.noise = { count, text: shown }
  if (count > maxReported) return
  const more = count === maxReported ? ' (further ones are only counted, in the overview)' : ''
  const data = `wrote something other than messages to standard output: ${shown}${more}`
  logs.add({ server: record.name, from: 'inspector', level: 'warning', data })
  record.tap.add({ kind: 'unparsable', direction: 'in', text: shown, bytes: text.length })
}

/** What the overview says about it. */
export function noiseWarnings({ noise }: ServerRecord): readonly Warning[] {
  if (noise === undefined) return []
  const times = noise.count === 1 ? 'once' : `${noise.count} times, the last time`
  return [
    {
      level: 'error',
      about: 'stdout',
      message: `The program wrote something other than messages to standard output, ${times}: ${noise.text}`,
      hint: 'Write logs to standard error. Many clients end the connection at such a line.',
    },
  ]
}
