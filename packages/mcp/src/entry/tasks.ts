export { clientTasks, type ClientTasksOptions } from '../client/tasks/client-tasks.ts'
export { startTool, type StartedTool } from '../client/tasks/start-tool.ts'
export { resumeTask, type TaskHandle } from '../client/tasks/task-handle.ts'
export {
  createMemoryTaskStore,
  type TaskInputResponse,
  type TaskInputResponses,
  type TaskPage,
  type TaskProcesses,
  type TaskRecord,
  type TaskRestart,
  type TaskStore,
} from '../server/tasks/task-store.ts'
export { serverTasks, type ServerTasksOptions } from '../server/tasks/server-tasks.ts'
export type { InputTasksOptions } from '../client/tasks/input-task-store.ts'
export type { Task, TaskStatus } from '../schema/tasks.ts'
