/** What each task takes and gives, by its name. */
export type TaskTypes<Tasks> = {
  readonly [Name in keyof Tasks]: {
    /** What the task is given. */
    readonly input: unknown
    /** What the task returns. */
    readonly output: unknown
  }
}

/** Runs a task until it is done or the signal aborts. */
export type RunTask<Tasks extends TaskTypes<Tasks>> = <Name extends keyof Tasks & string>(
  name: Name,
  input: Tasks[Name]['input'],
  signal: AbortSignal,
) => Promise<Tasks[Name]['output']>

/** What a thread is asked. */
export interface TaskRequest {
  readonly name: string
  readonly input: unknown
}

/** What it answers. */
export type TaskReply =
  | { readonly kind: 'done'; readonly output: unknown }
  | { readonly kind: 'failed'; readonly reason: string }
