import type { RunTask } from '@parley/server-kit/threads'

import type { Change } from '../diff.ts'
import type { Edit } from '../edits.ts'

/** What may take long for texts that were made for that. */
export interface EditTasks {
  readonly edit: {
    readonly input: { readonly text: string; readonly edits: readonly Edit[] }
    readonly output: string
  }
  readonly describe: { readonly input: Change; readonly output: string }
}

/** Runs one of these. */
export type RunEditTask = RunTask<EditTasks>

type Tasks = {
  readonly [Name in keyof EditTasks]: (
    input: EditTasks[Name]['input'],
  ) => Promise<EditTasks[Name]['output']>
}

const tasks: Tasks = {
  async edit({ text, edits }) {
    const { applyEdits } = await import('../edits.ts')
    return applyEdits(text, edits)
  },
  async describe(change) {
    const { describeChange } = await import('../diff.ts')
    return describeChange(change)
  },
}

/** Runs a task right here: whatever else this thread has to do waits for it. */
export const runHere: RunEditTask = (name, input) => tasks[name](input)
