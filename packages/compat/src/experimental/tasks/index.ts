export * from './types.ts'
export * from './interfaces.ts'
export * from './helpers.ts'
export { ExperimentalClientTasks } from './client.ts'
export { ExperimentalServerTasks } from './server.ts'
export { ExperimentalMcpServerTasks } from './mcp-server.ts'
export * from './stores/in-memory.ts'
export type {
  BaseResponseMessage,
  ErrorMessage,
  ResponseMessage,
  ResultMessage,
  TaskCreatedMessage,
  TaskStatusMessage,
} from '../../shared/responseMessage.ts'
export { takeResult, toArrayAsync } from '../../shared/responseMessage.ts'
