import { takeStep, type Run } from '../run.ts'
import type { Automaton, State } from './automaton.ts'

/** Whether a text contains what a pattern describes. */
export type Matcher = (text: string, run: Pick<Run, 'steps'>) => boolean

/** Every state the automaton may be in after some text: its possible paths, taken in lock step. */
interface Frontier {
  readonly states: readonly State[]
  readonly isMatch: boolean
  /** Whether the end of the text, here, would complete a match. */
  readonly isMatchAtEnd: boolean
  /** The next state for each character, cached as it is computed. */
  readonly next: Map<number, Frontier>
}

const maxRemembered = 4_000

/** A matcher whose time grows with the length of the text alone, whatever the pattern. */
export function createMatcher({ start }: Automaton, isUnicode: boolean): Matcher {
  let frontiers = new Map<string, Frontier>()
  let remembered = 0
  const first = frontierOf([start], true)
  const later = frontierOf([start], false)
  const isAnchored = later.states.length === 0 && !later.isMatch && !later.isMatchAtEnd

  return (text, run) => {
    takeStep(run, text.length >> 4)
    let frontier = first
    for (let index = 0; index < text.length && !frontier.isMatch; index++) {
      if (isAnchored && frontier.states.length === 0) return false
      let code = text.charCodeAt(index)
      if (isUnicode && code >= 0xd800 && code < 0xdc00) {
        code = text.codePointAt(index) ?? code
        if (code > 0xffff) index += 1
      }
      frontier = frontier.next.get(code) ?? advance(frontier, code, run)
    }
    return frontier.isMatch || frontier.isMatchAtEnd
  }

  function advance(frontier: Frontier, code: number, run: Pick<Run, 'steps'>): Frontier {
    takeStep(run, 1 + (frontier.states.length >> 1))
    remembered += 1 + (frontier.states.length >> 3)
    if (remembered > maxRemembered) forget(frontier)
    // A match may begin at any character, so the automaton's start is always among the states.
    const reached: State[] = [start]
    for (const state of frontier.states) if (state.test?.(code)) reached.push(...state.next)
    const next = frontierOf(reached, false)
    frontier.next.set(code, next)
    return next
  }

  function forget(frontier: Frontier): void {
    remembered = 0
    frontiers = new Map()
    first.next.clear()
    frontier.next.clear()
  }

  function frontierOf(reached: readonly State[], isStart: boolean): Frontier {
    const { states, ends, isMatch } = follow(reached, { isStart, isEnd: false })
    const key = `${isStart}${isMatch}${states.map(({ id }) => id).join()};${ends.map(({ id }) => id).join()}`
    const existing = frontiers.get(key)
    if (existing) return existing
    const isMatchAtEnd = follow(ends, { isStart, isEnd: true }).isMatch
    const frontier = { states, isMatch, isMatchAtEnd, next: new Map<number, Frontier>() }
    frontiers.set(key, frontier)
    return frontier
  }
}

/** Passes every state that consumes nothing: what then waits for a character, for the end, or has matched. */
function follow(reached: readonly State[], at: { isStart: boolean; isEnd: boolean }) {
  const seen = new Set<State>(reached)
  const states: State[] = []
  const ends: State[] = []
  let isMatch = false
  // A set iterates over what is added meanwhile, which makes it the list of work too.
  for (const state of seen) {
    if (state.isMatch) isMatch = true
    else if (state.test) states.push(state)
    else if (state.assertion === 'end' && !at.isEnd) ends.push(state)
    else if (state.assertion !== 'start' || at.isStart) {
      for (const next of state.next) seen.add(next)
    }
  }
  return { states, ends, isMatch }
}
