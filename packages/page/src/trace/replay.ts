import { announce } from '../announce.ts'
import { openChannel } from '../channel.ts'
import { isRecord, recordOf, textOf } from '../json.ts'
import { problemOf, showProblem } from '../parts/problem.tsx'
import type { Row } from './rows/rows.ts'
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
  server: string,
  message: { readonly [name: string]: unknown },
  seq: number | undefined,
): Promise<string | undefined> {
  try {
    useTrace.setState({ isFollowing: true })
    const outcome = await openChannel().ask('trace/resend', {
      server,
      run: crypto.randomUUID(),
      message: { ...message },
      ...(seq !== undefined && { seq }),
    })
    announce(outcome.error ? `Failed: ${outcome.error.message}` : 'Answered')
    return outcome.error?.message
  } catch (error) {
    return problemOf(error).message
  }
}

/** Sends the request of a row once more. */
export async function replayRow(row: Row): Promise<void> {
  const record = await useTrace.getState().source.record(row.entry.seq)
  const message = record?.message
  if (!isRecord(message) || textOf(recordOf(message)['method']) === undefined) return
  const problem = await resend(row.entry.server, message, liveSeq(row.entry.seq))
  if (problem !== undefined) showProblem(new Error(problem), `${row.entry.label} failed again`)
}

/** The service keeps what was masked of its own records, not of those in a file. */
export function liveSeq(seq: number): number | undefined {
  return useTrace.getState().source.isLive ? seq : undefined
}
