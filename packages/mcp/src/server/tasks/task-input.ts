import type { Clock } from '../../rpc/clock.ts'
import type { InputRequest } from '../../schema/input/input.ts'
import type { JsonObject } from '../../schema/json.ts'
import { decodeWireError } from '../../wire/error-codes.ts'
import type { InputLimits } from '../calls/call.ts'
import { tooLate } from './ask-for-task.ts'
import type { TaskEvent } from './task-state.ts'
import type { TaskInputResponse, TaskInputResponses } from './task-store.ts'

/** The open input requests of one task, in the process that runs it. */
export interface TaskInput {
  /** Rejects with the client's own error, and when nobody answers in time. */
  ask(request: InputRequest, limits: InputLimits): Promise<JsonObject>
  take(answers: TaskInputResponses): void
}

/** `prefix` sets the keys apart from those of an earlier start of the task. */
export function createTaskInput(
  clock: Clock,
  change: (event: TaskEvent) => Promise<void>,
  prefix = '',
): TaskInput {
  const used = new Set<string>()
  const open = new Map<string, Resolve>()

  /** A key is never reused, so that no answer can be taken for that of another input request. */
  function unusedKey(wanted: string): string {
    let key = wanted
    for (let number = 2; used.has(key); number += 1) key = `${wanted}-${number}`
    used.add(key)
    return key
  }

  async function untilAnswered(
    key: string,
    { timeoutMs, signal }: InputLimits,
  ): Promise<TaskInputResponse> {
    let resolveAnswer: Resolve | undefined
    const answer = new Promise<TaskInputResponse>(
      (resolve, reject) => (resolveAnswer = { resolve, reject }),
    )
    if (resolveAnswer) open.set(key, resolveAnswer)
    const onAbort = (): void => resolveAnswer?.reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    const timer = clock.setTimer(() => resolveAnswer?.reject(tooLate(key, timeoutMs)), timeoutMs)
    try {
      return await answer
    } finally {
      open.delete(key)
      timer[Symbol.dispose]()
      signal.removeEventListener('abort', onAbort)
    }
  }

  return {
    async ask(request, limits) {
      limits.signal.throwIfAborted()
      const key = unusedKey(prefix + (limits.key ?? 'input'))
      const [answer] = await Promise.allSettled([
        untilAnswered(key, limits),
        change({ type: 'asked', key, request }),
      ])
      await change({ type: 'withdrawn', key })
      if (answer.status === 'rejected') throw answer.reason
      if ('error' in answer.value) throw decodeWireError(answer.value.error)
      return answer.value.result
    },
    take(answers) {
      for (const [key, answer] of Object.entries(answers)) open.get(key)?.resolve(answer)
    },
  }
}

interface Resolve {
  resolve(answer: TaskInputResponse): void
  reject(error: unknown): void
}
