import type { Line } from './lines.ts'
import type { LineView, StoreState } from './store-state.ts'

/** How one piece of work changes the lines. Nothing happens if it throws. */
export interface LineEdit<T> {
  /** At the end, in the order of the calls. */
  add(value: T): void
  /** In place. What the line has beside our own members stays. */
  replace(line: Line<T>, value: T): void
  /** Takes the line out. */
  remove(line: Line<T>): void
}

type Step<T> =
  | { readonly kind: 'add'; readonly value: T }
  | { readonly kind: 'replace'; readonly line: Line<T>; readonly value: T }
  | { readonly kind: 'remove'; readonly line: Line<T> }

/** All changes that one hold of the lock makes. */
export interface ChangeSet<T> {
  /** Runs one piece of work; its steps are taken when it is done. */
  run<R>(work: (edit: LineEdit<T>) => R): R
  /** Lines that came at the end. */
  readonly added: Line<T>[]
  /** Whether a line before the end changed, so that the file must be written anew. */
  readonly needsRewrite: boolean
}

export function createChangeSet<T, View extends LineView<T>>(
  state: StoreState<T, View>,
  encode: (value: T) => object,
): ChangeSet<T> {
  const added: Line<T>[] = []
  let needsRewrite = false

  function take(step: Step<T>): void {
    if (step.kind === 'add') {
      const line: Line<T> = { value: step.value, text: JSON.stringify(encode(step.value)) }
      state.lines.push(line)
      state.view.add(line, step.value)
      added.push(line)
      return
    }
    needsRewrite = true
    const { line } = step
    const before = line.value
    if (before === undefined || line.isRemoved) return // removed by an earlier step
    if (step.kind === 'remove') {
      line.isRemoved = true
      state.view.remove(line, before)
      return
    }
    const others = JSON.parse(line.text) as object // only objects become lines
    line.text = JSON.stringify({ ...others, ...encode(step.value) })
    line.value = step.value
    state.view.replace(line, before, step.value)
  }

  return {
    added,
    get needsRewrite() {
      return needsRewrite
    },
    run(work) {
      const steps: Step<T>[] = []
      const result = work({
        add: (value) => void steps.push({ kind: 'add', value }),
        replace: (line, value) => void steps.push({ kind: 'replace', line, value }),
        remove: (line) => void steps.push({ kind: 'remove', line }),
      })
      for (const step of steps) take(step)
      return result
    },
  }
}
