import { firstIndex } from './first-index.ts'
import type { PathEvent } from './path-event.ts'
import { levels, type PathWho, type Span } from './path-segment.ts'
import type { PathNode } from './path-tree.ts'

/** Finds who answered what servers ask, by the decisions of a trace; each is used once. */
export interface Answerers {
  /** Returns the parties that a question waited for, from its arrival to its answer. */
  question(node: PathNode, end: number): readonly Span[]
  /** The same for the input of a round: all that was asked between two messages. */
  round(asked: PathEvent, given: PathEvent | undefined, end: number): readonly Span[]
}

/** Decisions further back than this are not about the question that was just answered. */
const farthest = 200

export function createAnswerers(marks: readonly PathEvent[]): Answerers {
  const decisions = marks.filter(({ hint }) => hint?.tag === 'decision')
  const used = new Set<PathEvent>()

  /** Those between two records, the newest first. */
  function* between(after: number, before: number): Generator<PathEvent> {
    let at = firstIndex(decisions, ({ seq }) => seq >= before) - 1
    for (let steps = 0; at >= 0 && steps < farthest; at -= 1, steps += 1) {
      const decision = decisions[at]
      if (!decision || decision.seq <= after) return
      if (!used.has(decision)) yield decision
    }
  }

  return {
    question({ entry, answer }, end) {
      const { seq, time, label } = entry
      const to = answer?.time ?? end
      let found: PathEvent | undefined
      for (const decision of between(seq, answer?.seq ?? Infinity)) {
        if (decision.hint?.tag !== 'decision' || !label.startsWith(decision.hint.about)) continue
        used.add(decision)
        found = decision
        break
      }
      return splitBy(found ? [found] : [], { from: time, to, seq, label })
    },
    round(question, response, end) {
      const found = [...between(question.seq, response?.seq ?? Infinity)].toReversed()
      for (const decision of found) used.add(decision)
      const to = response?.time ?? end
      return splitBy(found, { from: question.time, to, seq: question.seq, label: 'input' })
    },
  }
}

interface PreparedRequest {
  readonly from: number
  readonly to: number
  readonly seq: number
  readonly label: string
}

/** Until each decision its maker had it; after the last it was on its way, or with a model. */
function splitBy(
  decisions: readonly PathEvent[],
  { from, to, seq, label }: PreparedRequest,
): readonly Span[] {
  const level = levels.input
  if (decisions.length === 0) {
    return [{ from, to, seq, level, who: 'client', what: `${label}: the client answers` }]
  }
  const spans: Span[] = []
  let at = from
  let isModel = false
  for (const { time, hint } of decisions) {
    if (hint?.tag !== 'decision') continue
    const [who, words] = answererOf(hint.by)
    spans.push({ from: at, to: time, seq, level, who, what: `${label}: ${words}` })
    isModel = hint.how === 'model'
    at = Math.max(at, time)
  }
  const what = `${label}: ${isModel ? 'a model answers' : 'the answer is sent'}`
  return [...spans, { from: at, to, seq, level, who: 'client', what }]
}

function answererOf(by: string): readonly [PathWho, string] {
  if (by === 'the user') return ['person', 'a person answers']
  if (by.startsWith('rule') || by === 'the settings') return ['client', `${by} answers`]
  return ['person', 'nobody answers']
}

/** Those of a list in order with a `seq` from one to another. */
export function eventsWithin(
  events: readonly PathEvent[],
  from: number,
  to: number,
): readonly PathEvent[] {
  return events.slice(
    firstIndex(events, ({ seq }) => seq >= from),
    firstIndex(events, ({ seq }) => seq > to),
  )
}
