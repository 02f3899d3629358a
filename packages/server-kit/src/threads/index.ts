export { answerTasks, type AnswerTasksOptions } from './answer-tasks.ts'
export { createTaskRunner, type TaskRunnerOptions } from './task-runner.ts'
export type { RunTask, TaskTypes } from './thread-contract.ts'
