import type { TurnEvent, TurnInput } from '@parley/host'

/** A turn that runs now, so that who comes late sees all of it. */
export interface RunningTurn {
  /** What the person said. */
  readonly input: TurnInput
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** From the beginning: pieces of text are joined, and of the progress of a call the newest is kept. */
  readonly events: readonly TurnEvent[]
  /** Takes up another event. */
  add(event: TurnEvent): void
}

/** Calls are limited by the engine; what servers say besides is limited here. */
const maxEvents = 4_000
/** All results of a turn together; the transcript has more of them. */
const maxCharacters = 8 * 1024 * 1024

export function createRunningTurn(input: TurnInput, startedAt = Date.now()): RunningTurn {
  const events: TurnEvent[] = []
  let left = maxCharacters

  function add(event: TurnEvent): void {
    const last = events.at(-1)
    if ((event.type === 'text' || event.type === 'reasoning') && last?.type === event.type) {
      events[events.length - 1] = { type: event.type, text: last.text + event.text }
      return
    }
    if (event.type === 'progress') {
      const at = events.findIndex(
        (candidate) => candidate.type === 'progress' && candidate.id === event.id,
      )
      if (at !== -1) return void (events[at] = event)
    }
    const isRemark = event.type === 'notice' || event.type === 'server'
    if (isRemark && events.length >= maxEvents) return
    events.push(event.type === 'result' ? withinRoom(event) : event)
  }

  function withinRoom(result: Extract<TurnEvent, { type: 'result' }>): TurnEvent {
    const { content, structuredContent, ...rest } = result
    const size = JSON.stringify({ content, structuredContent }).length
    left -= size
    if (left >= 0) return result
    const text = `(${size} characters: more than a running turn shows again)`
    return { ...rest, content: [{ type: 'text', text }] }
  }

  return { input, startedAt, events, add }
}
