import type { TaskState } from './task-state.ts'

/** Marks what stands in for the result of a call that was only to be started. Not a name, so nothing from a wire has it. */
export const startedTask: unique symbol = Symbol('started task')

/** An option of a call: not to follow what becomes of it. Not a name, so that only we give it. */
export const onlyStart: unique symbol = Symbol('only start')

/** The result of a call to be started, if the server made it a task. */
export interface StartedResult {
  readonly [startedTask]?: TaskState
}

/** The option that marks a call to be started. */
export interface StartOption {
  readonly [onlyStart]?: true
}
