import type { CallView, ThreadItem } from '../thread/read-thread.ts'

/** One line of the activity: a call, with the time it waited for a decision and the time it ran. */
export interface ActivityRow {
  readonly key: string
  readonly name: string
  readonly from: number
  readonly to: number
  /** Until here it waited for a decision. */
  readonly decided: number
  readonly isOpen: boolean
  readonly isError: boolean
}

/** The calls of the newest turn that has any, on one line of time. */
export function activityRows(
  items: readonly ThreadItem[],
  now: number,
): { readonly rows: readonly ActivityRow[]; readonly from: number; readonly to: number } {
  const turn = items.findLast((item) => item.kind === 'call')?.turn
  const calls = items.flatMap((item) =>
    item.kind === 'call' && item.turn === turn ? [{ key: item.key, call: item.call }] : [],
  )
  const rows = calls.map(({ key, call }) => rowOf(key, call, now))
  const from = Math.min(...rows.map((row) => row.from))
  const to = Math.max(from + 1, ...rows.map((row) => row.to))
  return { rows, from, to }
}

function rowOf(key: string, call: CallView, now: number): ActivityRow {
  const { server, tool, calledAt, decidedAt, endedAt, result } = call
  const to = endedAt ?? now
  return {
    key,
    name: server === '' ? tool : `${server} · ${tool}`,
    from: calledAt,
    decided: Math.min(decidedAt ?? to, to),
    to,
    isOpen: endedAt === undefined,
    isError: result?.isError === true,
  }
}
