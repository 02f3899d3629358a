import type { Progress } from '../../schema/progress.ts'
import type { TaskEvent } from './task-state.ts'
import { longestMessage } from './task-view.ts'

/** Writes progress into the record. While one message is being written, only the newest waits. */
export function createStatusMessages(
  change: (event: TaskEvent) => Promise<void>,
): (progress: Progress) => Promise<void> {
  let waiting: string | undefined
  let writing: Promise<void> | undefined

  async function write(): Promise<void> {
    while (waiting !== undefined) {
      const message = waiting
      waiting = undefined
      await change({ type: 'progressed', message })
    }
  }

  return (progress) => {
    waiting = describe(progress)
    writing ??= write().finally(() => (writing = undefined))
    return writing
  }
}

function describe({ message, progress, total }: Progress): string {
  const text = message ?? (total === undefined ? `${progress}` : `${progress} of ${total}`)
  return text.slice(0, longestMessage)
}
