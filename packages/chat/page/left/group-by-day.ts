import type { ConversationSummary } from '../../src/store/conversation-store.ts'

/** Chats under one heading. */
export interface DayGroup {
  readonly title: 'Today' | 'Yesterday' | 'Earlier'
  readonly rows: readonly ConversationSummary[]
}

/** Groups chats by the day of their last change, as this machine counts days. Their order stays. */
export function groupByDay(
  conversations: readonly ConversationSummary[],
  now: number,
): readonly DayGroup[] {
  const today = startOfDay(now, 0)
  const yesterday = startOfDay(now, -1)
  const titleOf = (changedAt: number) =>
    changedAt >= today ? 'Today' : changedAt >= yesterday ? 'Yesterday' : 'Earlier'
  return (['Today', 'Yesterday', 'Earlier'] as const)
    .map((title) => ({
      title,
      rows: conversations.filter(({ changedAt }) => titleOf(changedAt) === title),
    }))
    .filter(({ rows }) => rows.length > 0)
}

/** Not a multiple of 24 hours: days with a change of the clock are longer or shorter. */
function startOfDay(now: number, offset: number): number {
  const day = new Date(now)
  day.setHours(0, 0, 0, 0)
  day.setDate(day.getDate() + offset)
  return day.getTime()
}
