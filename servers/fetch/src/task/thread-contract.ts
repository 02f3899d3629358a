import type { TaskName } from './page-tasks.ts'

/** What a thread is asked. */
export interface TaskRequest {
  readonly name: TaskName
  readonly input: unknown
}

/** What it answers. */
export type TaskReply =
  | { readonly kind: 'done'; readonly output: unknown }
  | { readonly kind: 'failed'; readonly reason: string }

/** What a thread may work with. */
export const mostHeapMiB = 256

/** The bytes a thread may ask for beside that, for one page. */
export const mostBuffersMiB = 256
