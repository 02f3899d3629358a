import { isJsonObject } from '@parley/mcp/json'

import { recordOf, textOf } from '../json.ts'
import { announce } from '../parts/announce.ts'
import { problemOf, showProblem } from '../parts/problem.tsx'
import type { Row } from './rows/rows.ts'
import type { TraceActions } from './trace-setting.ts'
import { useTrace } from './trace-state.ts'

/** Whether a row is a request of ours, which can be sent once more. */
export function canReplay(row: Row | undefined): boolean {
  if (!row || row.entry.kind !== 'message') return false
  const { role, direction, label } = row.entry
  return role === 'request' && direction === 'out' && label !== 'initialize'
}

/**
 * Sends a recorded request once more, as it was or edited; what was masked is sent as it was in the record `seq`. Returns
 * the problem, if there was one.
 */
export async function resend(
  { resend: send }: TraceActions,
  server: string,
  message: { readonly [name: string]: unknown },
  seq: number | undefined,
): Promise<string | undefined> {
  if (!send) return undefined
  try {
    useTrace.setState({ isFollowing: true })
    const problem = await send({ server, message, seq })
    announce(problem === undefined ? 'Answered' : `Failed: ${problem}`)
    return problem
  } catch (error) {
    return problemOf(error).message
  }
}

/** Sends the request of a row once more. */
export async function replayRow(row: Row, actions: TraceActions = {}): Promise<void> {
  if (!actions.resend) return
  const record = await useTrace.getState().source.record(row.entry.seq)
  const message = record?.message
  if (!isJsonObject(message) || textOf(recordOf(message)['method']) === undefined) return
  const problem = await resend(actions, row.entry.server, message, liveSeq(row.entry.seq))
  if (problem !== undefined) showProblem(new Error(problem), `${row.entry.label} failed again`)
}

/** The service keeps what was masked of its own records, not of those in a file. */
export function liveSeq(seq: number): number | undefined {
  return useTrace.getState().source.isLive ? seq : undefined
}
