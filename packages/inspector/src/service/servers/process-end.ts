import { isMcpError } from '@parley/mcp'

import { toProblem } from '../problem.ts'
import type { Logs } from '../trace/logs.ts'
import type { ServerRecord } from './server-hold.ts'

/** How a connection ended that nobody meant to end: `ended with code 3`. */
export function describeEnd(cause: unknown): string {
  const { exitCode, exitSignal } = exitOf(cause) ?? {}
  if (exitSignal !== undefined) return `ended by ${exitSignal}`
  if (exitCode !== undefined) return `ended with code ${String(exitCode)}`
  return 'is gone: the connection was lost'
}

/** Shows that a connection ended, with its last words; everything that is known of the server stays. */
export function reportEnd(record: ServerRecord, cause: unknown, logs: Logs): void {
  record.state = 'ended'
  record.problem = toProblem(cause)
  record.ended = describeEnd(cause)
  logs.add({ server: record.name, from: 'inspector', level: 'error', data: record.ended })
}

/** Records how a program ended, where that is known. */
export function recordExit({ tap }: ServerRecord, cause: unknown): void {
  const exit = exitOf(cause)
  if (exit === undefined) return
  const { exitCode, exitSignal } = exit
  const how = exitSignal ? `by ${exitSignal}` : `with ${String(exitCode)}`
  const isClean = exitCode === 0 && !exitSignal
  tap.add({
    kind: 'process',
    text: `ended ${how}`,
    details: {
      ...(exitCode !== undefined && { exitCode }),
      ...(exitSignal !== undefined && { exitSignal }),
      ...(!isClean && { failed: true }),
    },
  })
}

function exitOf(
  cause: unknown,
): { readonly exitCode?: number | null; readonly exitSignal?: string } | undefined {
  if (!isMcpError(cause, 'connection_lost') && !isMcpError(cause, 'spawn_failed')) return undefined
  const { exitCode, exitSignal } = cause.details
  return exitCode === undefined ? undefined : { exitCode, ...(exitSignal && { exitSignal }) }
}
