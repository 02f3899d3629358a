/** The answer to a call that goes on as a task: who called is told where to find it. */
export class TaskStart {
  readonly taskId: string
  /** As the caller's revision writes it. */
  readonly result: object

  constructor(taskId: string, result: object) {
    this.taskId = taskId
    this.result = result
  }
}
