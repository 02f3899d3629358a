import type { Caller } from '../calls/caller.ts'

/** The clients that wait for the result of a task, and can answer its input requests. */
export interface TaskWaiters {
  enter(taskId: string, caller: Caller): Disposable
  /** The last one: a client that calls again no longer waits on its earlier call. */
  newest(taskId: string): Caller | undefined
}

export function createTaskWaiters(): TaskWaiters {
  const waiting = new Map<string, Caller[]>()

  return {
    enter(taskId, caller) {
      const callers = waiting.get(taskId) ?? []
      waiting.set(taskId, callers)
      callers.push(caller)
      return {
        [Symbol.dispose]() {
          callers.splice(callers.indexOf(caller), 1)
          if (callers.length === 0) waiting.delete(taskId)
        },
      }
    },
    newest: (taskId) => waiting.get(taskId)?.at(-1),
  }
}
