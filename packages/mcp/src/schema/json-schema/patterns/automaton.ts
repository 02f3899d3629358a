import { readPattern, Unsupported, type CharacterTest, type PatternTree } from './pattern-tree.ts'

/** One point of a pattern's automaton. A state with `test` consumes a character, the others are passed at once. */
export interface State {
  readonly id: number
  readonly test?: CharacterTest
  readonly assertion?: 'start' | 'end'
  readonly isMatch?: true
  readonly next: State[]
}

/** A pattern's automaton, by its first state. */
export interface Automaton {
  readonly start: State
  readonly stateCount: number
}

/** Builds a pattern's automaton; undefined when it would need more than `maxStates`. */
export function createAutomaton(
  source: string,
  isUnicode: boolean,
  maxStates: number,
): Automaton | undefined {
  try {
    return buildStates(readPattern(source, isUnicode), maxStates)
  } catch (error) {
    if (error instanceof Unsupported) return undefined
    throw error
  }
}

/** Builds backwards: each part of the tree is given the state that follows it. */
function buildStates(whole: PatternTree, maxStates: number): Automaton {
  let count = 0
  const start = build(whole, state({ next: [], isMatch: true }))
  return { start, stateCount: count }

  function state(rest: Omit<State, 'id'>): State {
    if (count >= maxStates) throw new Unsupported()
    return { id: count++, ...rest }
  }

  function build(tree: PatternTree, next: State): State {
    switch (tree.kind) {
      case 'character':
        return state({ test: tree.test, next: [next] })
      case 'assertion':
        return state({ assertion: tree.assertion, next: [next] })
      case 'sequence':
        return tree.items.reduceRight((following, item) => build(item, following), next)
      case 'choice':
        if (tree.items.length === 1 && tree.items[0]) return build(tree.items[0], next)
        return state({ next: tree.items.map((item) => build(item, next)) })
      case 'repeat':
        return repeat(tree.item, tree.min, tree.max, next)
    }
  }

  function repeat(item: PatternTree, min: number, max: number, next: State): State {
    let first = next
    if (max === Infinity) {
      first = state({ next: [next] })
      first.next.push(build(item, first))
    } else {
      for (let extra = min; extra < max; extra++)
        first = state({ next: [build(item, first), next] })
    }
    for (let copy = 0; copy < min; copy++) {
      const before = count
      first = build(item, first)
      // An empty item adds nothing, however often it is repeated.
      if (count === before) break
    }
    return first
  }
}
