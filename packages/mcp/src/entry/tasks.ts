export { clientTasks } from '../client/tasks/client-tasks.ts'
export { startTool } from '../client/tasks/start-tool.ts'
export { resumeTask } from '../client/tasks/task-handle.ts'
export { createMemoryTaskStore } from '../server/tasks/memory-task-store.ts'
export { serverTasks } from '../server/tasks/server-tasks.ts'
export type { QuestionTasksOptions } from '../client/tasks/input-task-store.ts'
export type { ClientTasksOptions } from '../client/tasks/client-tasks.ts'
export type { StartedTool } from '../client/tasks/start-tool.ts'
export type { TaskHandle } from '../client/tasks/task-handle.ts'
export type { Task, TaskStatus } from '../schema/tasks.ts'
export type { ServerTasksOptions } from '../server/tasks/server-tasks.ts'
export type {
  TaskAnswer,
  TaskAnswers,
  TaskPage,
  TaskProcesses,
  TaskRecord,
  TaskRestart,
  TaskStore,
} from '../server/tasks/task-store.ts'
