import type { TurnEvent } from '@parley/host'

/** An event of a running turn, with the moment it was told. */
export interface TimedEvent {
  readonly event: TurnEvent
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** Appends events: pieces of text are joined, and of the progress of a call the newest is kept. */
export function addTimed(
  events: readonly TimedEvent[],
  more: readonly TimedEvent[],
): readonly TimedEvent[] {
  const all = [...events]
  for (const { event, at } of more) {
    const last = all.at(-1)
    const isPiece = event.type === 'text' || event.type === 'reasoning'
    if (isPiece && last?.event.type === event.type) {
      const text = last.event.text + event.text
      all[all.length - 1] = { event: { type: event.type, text }, at: last.at }
      continue
    }
    const index =
      event.type === 'progress'
        ? all.findIndex(
            (candidate) => candidate.event.type === 'progress' && candidate.event.id === event.id,
          )
        : -1
    if (index === -1) all.push({ event, at })
    else all[index] = { event, at }
  }
  return all
}
