export { createMemoryTaskStore } from '../server/tasks/memory-task-store.ts'
export { serverTasks } from '../server/tasks/server-tasks.ts'
export type { Task, TaskStatus } from '../schema/tasks.ts'
export type { ServerTasksOptions } from '../server/tasks/server-tasks.ts'
export type {
  TaskAnswer,
  TaskAnswers,
  TaskPage,
  TaskRecord,
  TaskStore,
} from '../server/tasks/task-store.ts'
